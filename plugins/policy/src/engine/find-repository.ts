import type {Disk} from './disk.js';
import {readGitIndex, type GitIndex} from './git-index.js';
import {isHarmless, readGitSettings} from './git-settings.js';

/** The repository that git would work on. */
export interface Repository {
  /** The top of its files. */
  readonly top: string;
  /** Undefined when there is none, or it cannot be read. */
  readonly index: GitIndex | undefined;
}

/** A repository, that there is none, or a sentence on why it is unknown whether git runs something in it. */
export type Found = {readonly repository: Repository | undefined} | {readonly fault: string};

/** What looking for a repository takes. */
export interface Look {
  readonly disk: Disk;
  readonly realPaths: (paths: readonly string[]) => Promise<readonly string[]>;
}

const MOST_TEXT = 262_144;
const MOST_INDEX = 67_108_864;
const MOST_MODULES = 20;
/** Hooks that a command of git runs that only looks. */
const RUN_BY_LOOKING = ['post-index-change', 'fsmonitor-watchman', 'query-watchman'];

/** Finds the repository that git would find from a directory, and says whether its configuration can run something. */
export async function findRepository(look: Look, directory: string): Promise<Found> {
  const [real = directory] = await look.realPaths([directory]);
  for (let folder = real; ; folder = parentOf(folder)) {
    const kind = await look.disk.kind(join(folder, '.git'));
    // Without a HEAD it is no repository, and git continues above.
    const isEmpty = kind === 'folder' && (await look.disk.kind(join(folder, '.git/HEAD'))) === undefined;
    if (kind !== undefined && !isEmpty) return openRepository(look, folder, kind);
    if (await looksLikeGit(look.disk, folder))
      return {fault: `${folder} looks like the folder that git keeps a repository in, and has another name.`};
    if (folder === parentOf(folder)) return {repository: undefined};
  }
}

/** Whether a folder has what the inside of a repository has. */
export async function looksLikeGit(
  disk: Disk,
  folder: string,
  made: ReadonlySet<string> = new Set(),
): Promise<boolean> {
  for (const name of ['HEAD', 'objects', 'refs'])
    if (!made.has(name) && (await disk.kind(join(folder, name))) === undefined) return false;
  return true;
}

async function openRepository(look: Look, top: string, kind: string): Promise<Found> {
  const folder = await gitFolderOf(look, join(top, '.git'), kind);
  if (folder === undefined) return {fault: `${join(top, '.git')} leads to no repository that can be read.`};
  const common = await commonFolderOf(look, folder);
  const fault =
    (await findSettingFault(look, {top, folder, common})) ?? (await findHookFault(look.disk, join(common, 'hooks')));
  if (fault !== undefined) return {fault};
  const bytes = await look.disk.read(join(folder, 'index'), MOST_INDEX);
  const index = bytes && readGitIndex(bytes);
  if (bytes && !index) return {fault: `The index of ${top} is not one that can be read here.`};
  return (await findModuleFault(look, top, index)) ?? {repository: {top, index}};
}

/** `.git` is a folder, a link, or a file that says where the folder is. */
async function gitFolderOf({disk, realPaths}: Look, path: string, kind: string): Promise<string | undefined> {
  const target = kind === 'file' ? /^gitdir: ([^\n]+)\n?$/.exec((await textOf(disk, path)) ?? '')?.[1] : path;
  if (target === undefined) return undefined;
  const [real] = await realPaths([target.startsWith('/') ? target : join(parentOf(path), target)]);
  return real !== undefined && (await disk.kind(join(real, 'HEAD'))) !== undefined ? real : undefined;
}

async function commonFolderOf({disk, realPaths}: Look, folder: string): Promise<string> {
  const target = (await textOf(disk, join(folder, 'commondir')))?.trim();
  if (target === undefined) return folder;
  return (await realPaths([target.startsWith('/') ? target : join(folder, target)]))[0] ?? folder;
}

interface Opened {
  readonly top: string;
  readonly folder: string;
  readonly common: string;
}

async function findSettingFault(look: Look, opened: Opened): Promise<string | undefined> {
  const {folder, common} = opened;
  for (const file of new Set([
    join(common, 'config'),
    join(folder, 'config.worktree'),
    join(common, 'config.worktree'),
  ])) {
    const fault = (await look.disk.kind(file)) === undefined ? undefined : await findFaultIn(look, file, opened);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

async function findFaultIn(look: Look, file: string, {top, folder}: Opened): Promise<string | undefined> {
  const text = await textOf(look.disk, file);
  const settings = text === undefined ? undefined : readGitSettings(text);
  if (!settings) return `${file} cannot be read here, so what git runs is unknown.`;
  const odd = settings.filter((setting) => !isHarmless(setting));
  const harmful = await findAsync(
    odd,
    async ({name, value}) => name !== 'core.worktree' || !(await leadsTo(look, {folder, value, top})),
  );
  if (harmful) return `${harmful.name} in ${file} may make git run or read something.`;
  const hooks = settings.find(({name}) => name === 'core.hookspath')?.value;
  if (hooks === undefined) return undefined;
  const fault = await findHookFault(look.disk, hooks.startsWith('/') ? hooks : join(top, hooks));
  return fault ?? (hooks.startsWith('~') ? `core.hooksPath in ${file} leads out of the repository.` : undefined);
}

/** Whether a setting that says where the files are says no more than where it was found. */
async function leadsTo(
  {realPaths}: Look,
  {folder, value, top}: {folder: string; value: string; top: string},
): Promise<boolean> {
  return (await realPaths([value.startsWith('/') ? value : join(folder, value)]))[0] === top;
}

async function findAsync<T>(items: readonly T[], test: (item: T) => Promise<boolean>): Promise<T | undefined> {
  for (const item of items) if (await test(item)) return item;
  return undefined;
}

async function findHookFault(disk: Disk, folder: string): Promise<string | undefined> {
  for (const name of RUN_BY_LOOKING)
    if ((await disk.kind(join(folder, name))) !== undefined) return `git would run the hook ${join(folder, name)}.`;
  return undefined;
}

/** Other repositories in this one: git looks into those that are there. */
async function findModuleFault(look: Look, top: string, index: GitIndex | undefined): Promise<Found | undefined> {
  const modules = index?.modules ?? [];
  if (modules.length > MOST_MODULES) return {fault: `${top} has more repositories in it than are looked at.`};
  for (const path of modules) {
    const folder = join(top, path);
    const kind = await look.disk.kind(join(folder, '.git'));
    if (kind === undefined) continue;
    const found = await openRepository(look, folder, kind);
    if ('fault' in found) return found;
  }
  return undefined;
}

async function textOf(disk: Disk, path: string): Promise<string | undefined> {
  return (await disk.read(path, MOST_TEXT))?.toString('utf8');
}

function join(folder: string, name: string): string {
  return folder === '/' ? `/${name}` : `${folder}/${name}`;
}

function parentOf(folder: string): string {
  const at = folder.lastIndexOf('/');
  return at <= 0 ? '/' : folder.slice(0, at);
}
