import {mkdir, rmdir, stat} from 'node:fs/promises';
import {dirname} from 'node:path';
import {setTimeout} from 'node:timers/promises';
import {isFileFault, makePrivateFolder, readTextSync} from '@gemini-kernel/files';
import {systemCode} from './real-path.js';

/** The content of `projects.json`, or why it cannot be used. */
export type Registry =
  | {readonly projects: Readonly<Record<string, string>>; readonly rest: Readonly<Record<string, unknown>>}
  | {readonly fault: string};

const SLUG = /^[a-z0-9-]+$/;
const STALE_MS = 10_000;
const ATTEMPTS = 400;
const PAUSE_MS = 25;

/** The path as the registry and the marker files spell it. */
export function spellRoot(root: string, platform: NodeJS.Platform): string {
  return platform === 'win32' ? root.toLowerCase() : root;
}

/** The short name made from a folder's own name. */
export function slugOf(folder: string): string {
  const name =
    folder
      .split(/[\\/]/)
      .filter((part) => part !== '')
      .at(-1) ?? '';
  return (
    name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '') || 'project'
  );
}

/** Reads the registry; a missing one is empty. Synchronous, because every start does it. */
export function readRegistry(path: string): Registry {
  let text: string;
  try {
    text = readTextSync(path);
  } catch (error) {
    if (isFileFault(error)) return {fault: `cannot be read: ${error.reason}`};
    return systemCode(error) === 'ENOENT'
      ? {projects: {}, rest: {}}
      : {fault: `cannot be read (${systemCode(error) ?? String(error)})`};
  }
  try {
    const {projects, ...rest} = JSON.parse(text) as {readonly projects?: unknown};
    if (typeof projects !== 'object' || projects === null) return {fault: 'has no object "projects"'};
    const odd = Object.entries(projects).find(([, slug]) => typeof slug !== 'string' || !SLUG.test(slug));
    return odd
      ? {fault: `gives ${odd[0]} the name ${JSON.stringify(odd[1])}, which is not valid`}
      : {projects: projects as Record<string, string>, rest};
  } catch {
    // In any case it is not the JSON object it should be.
    return {fault: 'is not a JSON object'};
  }
}

/**
 * Runs `act` while no other process, of this program or of Gemini CLI, changes the registry. The lock is a directory
 * beside the file; one that was not renewed for ten seconds is stale. Undefined when the lock is not available.
 */
export async function withRegistryLock<T>(
  path: string,
  signal: AbortSignal,
  act: () => Promise<T>,
): Promise<T | undefined> {
  const lock = `${path}.lock`;
  await makePrivateFolder(dirname(path));
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    signal.throwIfAborted();
    if (await take(lock)) {
      try {
        return await act();
      } finally {
        await rmdir(lock).catch((error: unknown) => passOver(error, 'ENOENT'));
      }
    }
    const found = await stat(lock).catch((error: unknown) => passOver(error, 'ENOENT'));
    // If two processes break it at once, the marker files still assign every short name to only one project.
    if (found && Date.now() - found.mtimeMs > STALE_MS)
      await rmdir(lock).catch((error: unknown) => passOver(error, 'ENOENT'));
    else await setTimeout(PAUSE_MS, undefined, {signal}).catch(() => undefined);
  }
  return undefined;
}

async function take(lock: string): Promise<boolean> {
  try {
    await mkdir(lock);
    return true;
  } catch (error) {
    passOver(error, 'EEXIST');
    return false;
  }
}

/** Ignores one expected failure of a file operation. */
export function passOver(error: unknown, code: string): undefined {
  if (systemCode(error) !== code) throw error;
}
