import {lstat, realpath} from 'node:fs/promises';
import {basename, dirname, isAbsolute, join, resolve, sep} from 'node:path';
import {readText} from '@gemini-kernel/files';
import type {InboxPlaces} from './read-inbox.js';

/** What a patch may change: skills of the person or the project, the private memory, or the global context file. */
export type PatchBase = 'skills' | 'private' | 'global';

/** One file as it is and as it would be; undefined = it does not exist. */
export interface FileChange {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export interface PlannedPatch {
  readonly changes: readonly FileChange[];
  /** Why nothing of it can be applied. */
  readonly fault?: string;
}

/** What a patch calls a file that is not there. */
const NONE = '/dev/null';
const MOST_BYTES = 512 * 1024;

/** What a patch would do. All of its hunks fit, or there is a fault. */
export async function planPatch(text: string, base: PatchBase, places: InboxPlaces): Promise<PlannedPatch> {
  const {parsePatch, applyPatch} = await import('diff');
  const patches = parsePatch(text).filter(({hunks}) => hunks.length > 0);
  if (patches.length === 0) return {changes: [], fault: 'It has no hunks.'};
  const changes: FileChange[] = [];
  for (const patch of patches) {
    const isGone = patch.newFileName === NONE;
    const path = pathOf(isGone ? patch.oldFileName : patch.newFileName, base, places);
    const fault = (await findPathFault(path, base, places)) ?? findTwin(changes, path);
    if (fault !== undefined) return {changes, fault};
    const before = await readIfThere(path);
    const state = findStateFault(path, {isNew: patch.oldFileName === NONE, isThere: before !== undefined});
    if (state !== undefined) return {changes, fault: state};
    const after = applyPatch(before ?? '', patch, {fuzzFactor: 0});
    if (after === false) return {changes, fault: `It does not fit ${path} as the file is now.`};
    changes.push({path, before, after: isGone ? undefined : after});
  }
  const fault = base === 'private' ? findUnlisted(changes, places) : undefined;
  return {changes, ...(fault === undefined ? {} : {fault})};
}

function findTwin(changes: readonly FileChange[], path: string): string | undefined {
  return changes.some((one) => one.path === path) ? `It changes ${path} twice.` : undefined;
}

function findStateFault(
  path: string,
  {isNew, isThere}: {readonly isNew: boolean; readonly isThere: boolean},
): string | undefined {
  if (isNew === isThere) return isNew ? `${path} exists already.` : `${path} does not exist.`;
  return undefined;
}

function pathOf(name: string | undefined, base: PatchBase, {memory, home}: InboxPlaces): string {
  const folder = {skills: join(home, '.gemini', 'skills'), private: memory, global: join(home, '.gemini')}[base];
  const given = name ?? '';
  const plain = isAbsolute(given) ? given : given.replace(/^[ab]\//, '');
  return resolve(folder, plain);
}

async function findPathFault(path: string, base: PatchBase, places: InboxPlaces): Promise<string | undefined> {
  const {memory, home, cwd} = places;
  const allowed = {
    skills: [join(home, '.gemini', 'skills'), join(cwd, '.gemini', 'skills')],
    private: [memory],
    global: [join(home, '.gemini', 'GEMINI.md')],
  }[base];
  const isGlobal = base === 'global';
  const isThere = isGlobal ? allowed.includes(path) : allowed.some((folder) => path.startsWith(folder + sep));
  if (!isThere) return `It may not change ${path}.`;
  if (base === 'private' && /(^|[\\/])(\.|skills[\\/])/.test(path.slice(memory.length + 1)))
    return `It may not change ${path}.`;
  // A link on the way could lead anywhere.
  const start = isGlobal ? dirname(path) : (allowed.find((folder) => path.startsWith(folder + sep)) ?? '');
  const place = await nearest(dirname(path));
  const [real, root] = await Promise.all([realpath(place), realpath(await nearest(start))]);
  const expected = join(root, place.slice((await nearest(start)).length));
  if (real !== resolve(expected)) return `A link leads to ${path}.`;
  const found = await lstatIfThere(path);
  return found && !found.isFile() ? `${path} is a link or no file.` : undefined;
}

/** The path, or the nearest folder above it that exists. */
async function nearest(path: string): Promise<string> {
  return (await lstatIfThere(path)) || dirname(path) === path ? path : nearest(dirname(path));
}

async function lstatIfThere(path: string): Promise<Awaited<ReturnType<typeof lstat>> | undefined> {
  return lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  });
}

async function readIfThere(path: string): Promise<string | undefined> {
  return (await lstatIfThere(path)) ? readText(path, {limit: MOST_BYTES}) : undefined;
}

/** Only MEMORY.md is loaded: a new file beside it that it does not name would never be read. */
function findUnlisted(changes: readonly FileChange[], {memory}: InboxPlaces): string | undefined {
  const index = changes.find(({path}) => path === join(memory, 'MEMORY.md'))?.after ?? '';
  const unlisted = changes.find(
    ({path, before}) => before === undefined && path !== join(memory, 'MEMORY.md') && !index.includes(basename(path)),
  );
  return unlisted && `It makes ${unlisted.path} without a line about it in MEMORY.md.`;
}
