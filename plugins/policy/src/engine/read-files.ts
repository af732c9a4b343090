import type {Doubt, FileUse} from '../bash/analysis.js';
import {ANY, isOpen, isUnknown, leadOf, NAME} from '../bash/shape.js';
import type {Disk, DiskEntry} from './disk.js';
import {findFiles, type Found} from './find-files.js';
import {gitPathOf} from './git-folder.js';
import type {World} from './judge-part.js';
import type {FileSubject, FolderSubject, GitFileSubject, LineSubject} from './line-subject.js';

/** What of a line names files. */
interface Naming {
  readonly files: readonly FileUse[];
  readonly doubts: readonly Doubt[];
}

/** Finds on disk the files that a line names, and those that it may name. */
export async function readFiles(world: World, {files, doubts}: Naming): Promise<readonly LineSubject[]> {
  const uses = withoutTwins([...files, ...doubts.filter(hidesFiles).flatMap(({text}) => hiddenUses(text))]);
  if (uses.length === 0) return [];
  const subjects: LineSubject[] = [...(await readKnown(world, uses.filter(isKnown)))];
  for (const use of uses) {
    if (use.from) subjects.push(...(await readNamedAfter(world, use, use.from)));
    else if (isOpen(use.path)) subjects.push(...(await readOpen(world, use)));
  }
  return subjects;
}

function withoutTwins(uses: readonly FileUse[]): readonly FileUse[] {
  const keyOf = ({access, by, path, from}: FileUse): string => `${access} ${by} ${path} ${from?.shape} ${from?.folder}`;
  return [...new Map(uses.map((use) => [keyOf(use), use])).values()];
}

function isKnown({path, from}: FileUse): boolean {
  return !isOpen(path) && !from;
}

function hidesFiles({kind, showsFiles}: Doubt): boolean {
  return kind !== 'unread' && !showsFiles;
}

/** What cannot be read may read and write anything. */
function hiddenUses(text: string): readonly FileUse[] {
  const use = {raw: text, path: ANY, by: 'argument', isSplit: false, isLate: true} as const;
  return [
    {...use, access: 'read'},
    {...use, access: 'write'},
  ];
}

async function readKnown(world: World, uses: readonly FileUse[]): Promise<readonly LineSubject[]> {
  const paths = await realOf(
    world,
    uses.map(({path}) => path),
  );
  const files = uses.map((use, index): FileSubject => ({kind: 'file', use, path: paths[index] ?? use.path}));
  const written = files.filter(({use}) => use.access === 'write').map(({path}) => path);
  return [...files, ...(await readGitFiles(world, written))];
}

/**
 * What a line writes into a folder that git would take for a repository, or makes one, counts as written into `.git`.
 */
async function readGitFiles({disk}: World, written: readonly string[]): Promise<readonly GitFileSubject[]> {
  const subjects: GitFileSubject[] = [];
  for (const what of written) {
    const path = await gitPathOf(disk, what, written);
    if (path !== undefined) subjects.push({kind: 'git file', what, path});
  }
  return subjects;
}

async function realOf(world: World, paths: readonly string[]): Promise<readonly string[]> {
  if (paths.length === 0) return paths;
  const real = await world.realPaths(paths);
  return paths.map((path, index) => real[index] ?? path);
}

const UNLISTED: Found = {paths: [], isComplete: false, isOdd: false, isDashed: false};

/**
 * A file of which the line leaves something open: those that are there, and what could be there where it is unknown.
 */
async function readOpen(world: World, use: FileUse): Promise<readonly LineSubject[]> {
  if (use.by === 'name') return [await readFolder(world, use)];
  const shape = await narrowShape(world, use);
  if (shape === undefined) return [];
  const isListed = !shape.includes(ANY);
  const found = isListed ? await findFiles(shape, world.disk) : UNLISTED;
  const paths = await realOf(world, found.paths);
  const there = {kind: 'files', use, paths, counts: 'strictest', isLikely: isUnknown(shape)} as const;
  if ((use.isSplit && found.isOdd) || found.isDashed) return [there, {kind: 'file', use, path: ANY}];
  if (isListed && found.isComplete && !mayBeMade(use, shape)) return [there];
  return [there, {kind: 'file', use, path: await realShape(world, shape)}];
}

/** Whether the line itself may make a file of such a name, which is not there yet. */
function mayBeMade({isLate, access}: FileUse, shape: string): boolean {
  return isLate || (access === 'write' && /[\uE005\uE007]/.test(shape));
}

/** Files that get their names from others, which are looked up. */
async function readNamedAfter(
  world: World,
  use: FileUse,
  {shape, folder}: NonNullable<FileUse['from']>,
): Promise<readonly LineSubject[]> {
  const found = await findFiles(shape, world.disk);
  if (!found.isComplete || use.isLate || use.path.includes(ANY))
    return readOpen(world, {...use, path: `${use.path}/${ANY}`, isLate: true});
  const paths = found.paths.map((path) => `${use.path}${path.slice(folder.length)}`);
  return [{kind: 'files', use, paths: await realOf(world, paths), counts: 'objection', isLikely: false}];
}

async function readFolder(world: World, use: FileUse): Promise<FolderSubject> {
  const lead = leadOf(use.path);
  const folder = lead.slice(0, lead.lastIndexOf('/')) || '/';
  const path = lead === '' ? folder : ((await world.realPaths([folder]))[0] ?? folder);
  return {kind: 'folder', use, path, isNamed: lead !== ''};
}

/**
 * Narrows a shape by what is on disk: of names that begin as it does, none, or none that is a folder, leads elsewhere.
 * Undefined when there can be no such file; the hole for anything, when what it stands for can climb out of its folder.
 */
async function narrowShape({disk}: World, use: FileUse): Promise<string | undefined> {
  const {path, access, isLate} = use;
  const at = path.indexOf(ANY);
  if (at < 0) return path;
  const lead = path.slice(0, at);
  const tail = path.slice(path.lastIndexOf(ANY));
  if (lead === '' || isOpen(lead) || isLate) return tail;
  const begun = lead.slice(lead.lastIndexOf('/') + 1);
  const matching = await listLike(disk, lead.slice(0, lead.length - begun.length - 1), begun);
  if (!matching) return access === 'read' ? undefined : narrowNew(use, begun === '');
  if (begun === '' || matching.some(mayBeFolder)) return tail;
  if (access === 'write') return narrowNew(use, false);
  return matching.length === 0 || path.includes('/', at) ? undefined : path.replaceAll(ANY, NAME);
}

/** What a folder holds that begins like a name, in any case; undefined when it cannot be listed. */
async function listLike(disk: Disk, folder: string, begun: string): Promise<readonly DiskEntry[] | undefined> {
  const start = begun.toLowerCase();
  return (await disk.list(folder || '/'))?.filter(({name}) => name.toLowerCase().startsWith(start));
}

/** The same of a file that is written, when nothing on disk begins like it and leads elsewhere. */
function narrowNew({path}: FileUse, isAnyName: boolean): string {
  const isOneName = !isAnyName && !path.includes('/', path.indexOf(ANY));
  return isOneName ? path.replaceAll(ANY, NAME) : path.slice(path.lastIndexOf(ANY));
}

function mayBeFolder({kind}: DiskEntry): boolean {
  return kind !== 'file' && kind !== 'other';
}

/** A shape whose folder is real, as far as it is known. */
async function realShape({realPaths}: World, shape: string): Promise<string> {
  const lead = leadOf(shape);
  const at = lead.lastIndexOf('/');
  if (at < 0) return shape;
  const [real] = await realPaths([lead.slice(0, at) || '/']);
  return `${real === '/' ? '' : (real ?? lead.slice(0, at))}${shape.slice(at)}`;
}
