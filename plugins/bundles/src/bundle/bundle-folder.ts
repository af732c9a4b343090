import {chmod, mkdir, readdir, rm} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {pid} from 'node:process';
import {readText} from '@gemini-kernel/files';
import {isProcess} from '@gemini-kernel/files/writing';
import {renameSteadily} from '../install/commit/rename-steadily.js';
import {writeLasting} from '../install/commit/write-whole.js';
import type {AppliedBundle, BundleMemory} from './applied-bundles.js';
import {filesOf} from './brought-folders.js';
import {signaturesText} from './bundle-signatures.js';
import {PARTS, type OpenBundle} from './open-bundle.js';

/** What to remember once a bundle is in force. */
export interface ToRemember {
  readonly applied: AppliedBundle;
  readonly keys: BundleMemory['keys'];
}

const NOTE = 'applied.json';

/**
 * The folder of a bundle while it replaces the previous one. Both are in force then, so that there is always one. No
 * bundle can have this name.
 */
export function comingFolder(bundles: string, name: string): string {
  return join(bundles, `${name}+new`);
}

/** Writes the folder of a bundle beside the others, then renames it to its final name. */
export async function writeBundleFolder(
  bundles: string,
  {lock, text, signatures, files: brought}: OpenBundle,
  remember: ToRemember,
): Promise<void> {
  const staging = join(bundles, `.staging-${pid}-${lock.name}`);
  await rm(staging, {recursive: true, force: true});
  const files: Readonly<Record<string, string | Buffer>> = {
    ...Object.fromEntries(filesOf(lock).map(({path}) => [path, brought.get(path) ?? ''])),
    [PARTS.signatures]: signaturesText(signatures),
    [NOTE]: `${JSON.stringify(remember)}\n`,
    [PARTS.lock]: text,
  };
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(staging, path)), {recursive: true, mode: 0o755});
    await writeLasting(join(staging, path), content);
  }
  for (const {path, executable} of filesOf(lock)) if (executable) await chmod(join(staging, path), 0o755);
  await removeFolder(bundles, `${lock.name}+new`);
  await renameSteadily(staging, comingFolder(bundles, lock.name));
}

/** What a staged folder wants remembered. */
export async function readNote(folder: string): Promise<ToRemember> {
  return JSON.parse(await readText(join(folder, NOTE))) as ToRemember;
}

/** Replaces the previous folder with a staged one. */
export async function settleFolder(bundles: string, name: string): Promise<void> {
  await removeFolder(bundles, name);
  await renameSteadily(comingFolder(bundles, name), join(bundles, name));
}

/** Removes a folder of bundles, atomically. */
export async function removeFolder(bundles: string, name: string): Promise<void> {
  const old = join(bundles, `.old-${pid}-${name}`);
  await rm(old, {recursive: true, force: true});
  await renameSteadily(join(bundles, name), old).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  });
  await rm(old, {recursive: true, force: true});
}

/**
 * Names of bundles whose process ended before they were in force. Removes what else such processes left. Call it while
 * you hold the lock.
 */
export async function findInterrupted(bundles: string): Promise<readonly string[]> {
  const names = await readdir(bundles);
  for (const name of names) {
    const owner = Number(/^\.(?:staging|old)-(\d+)-/.exec(name)?.[1] ?? Number.NaN);
    if (!Number.isNaN(owner) && (owner === pid || !isProcess(owner)))
      await rm(join(bundles, name), {recursive: true, force: true});
  }
  return names.filter((name) => name.endsWith('+new')).map((name) => name.slice(0, -'+new'.length));
}
