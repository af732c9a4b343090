import {lstat, readdir, realpath} from 'node:fs/promises';
import {isAbsolute, join, relative, resolve, sep} from 'node:path';
import {isFileFault, makePrivateFolder, readText} from '@gemini-kernel/files';
import {writeAtomically} from '@gemini-kernel/files/writing';
import {KernelError, messageOf, ToolError} from '@gemini-kernel/kernel';
import type {PlanFile} from './contract.js';

const LONGEST_NAME = 100;
const MOST_BYTES = 1024 * 1024;

/** The plans in one folder. */
export class PlanFolder {
  constructor(readonly path: string) {}

  async list(): Promise<readonly PlanFile[]> {
    const names = await readdir(this.path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw unreadable(this.path, error);
    });
    const plans = await Promise.all(names.filter(isPlanName).map((name) => this.find(name)));
    return plans.filter((one) => one !== undefined).sort((a, b) => (a.updated < b.updated ? 1 : -1));
  }

  /** Undefined when it is missing, or is not a file. */
  async find(name: string): Promise<PlanFile | undefined> {
    const path = join(this.path, name);
    const found = await lstat(path).catch(() => undefined);
    return found?.isFile() ? {name, path, updated: found.mtime.toISOString()} : undefined;
  }

  /** Throws KernelError PLAN_UNREADABLE. */
  async read({path}: PlanFile): Promise<string> {
    try {
      return await readText(path, {limit: MOST_BYTES});
    } catch (error) {
      throw unreadable(path, error);
    }
  }

  /** Throws ToolError PLAN_INVALID. */
  async write(name: string, text: string): Promise<void> {
    if (Buffer.byteLength(text) > MOST_BYTES)
      throw new ToolError('PLAN_INVALID', `The plan has ${Buffer.byteLength(text)} bytes; ${MOST_BYTES} are possible.`);
    await makePrivateFolder(this.path);
    await writeAtomically(join(this.path, name), text.endsWith('\n') ? text : `${text}\n`);
  }
}

/** The name of a Markdown file without folders. */
export function isPlanName(name: string): boolean {
  return name.length <= LONGEST_NAME && /^[\p{L}\p{N}][\p{L}\p{N} ._-]*\.md$/u.test(name);
}

/** The folder that a setting names, inside the project. Throws KernelError PLAN_DIRECTORY_OUTSIDE. */
export async function findOwnFolder(directory: string, root: string): Promise<string> {
  const path = resolve(root, directory);
  const real = await realpathOf(path);
  const inner = relative(await realpath(root), real);
  if (inner === '' || isAbsolute(inner) || inner.split(sep)[0] === '..')
    throw new KernelError(
      'PLAN_DIRECTORY_OUTSIDE',
      `general.plan.directory is ${directory}, which is not inside ${root}.`,
      {
        hint: 'Name a folder of the project, such as docs/plans, or remove the setting.',
      },
    );
  return real;
}

/** The real path of what exists, with the rest appended. */
async function realpathOf(path: string): Promise<string> {
  const parts = path.split(sep);
  for (let length = parts.length; length > 0; length -= 1) {
    const real = await realpath(parts.slice(0, length).join(sep) || sep).catch(() => undefined);
    if (real !== undefined) return join(real, ...parts.slice(length));
  }
  return path;
}

function unreadable(path: string, cause: unknown): KernelError {
  const why = isFileFault(cause) ? cause.message : messageOf(cause);
  return new KernelError('PLAN_UNREADABLE', `Cannot read the plan ${path}: ${why}`, {cause});
}
