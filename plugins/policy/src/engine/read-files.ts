import type {Doubt, FileUse} from '../bash/analysis.js';
import {ANY, isOpen, isUnknown, leadOf, NAME} from '../bash/shape.js';
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

/** What nobody can read may read and write anything. */
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
 * A file of which the line leaves something open: those that are there, and what could be there where nobody can tell.
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
async function narrowShape({disk}: World, {path, access, isLate}: FileUse): Promise<string | undefined> {
  const at = path.indexOf(ANY);
  if (at < 0) return path;
  const lead = path.slice(0, at);
  const tail = path.slice(path.lastIndexOf(ANY));
  if (lead === '' || isOpen(lead) || isLate) return tail;
  const begun = lead.slice(lead.lastIndexOf('/') + 1);
  const entries = await disk.list(lead.slice(0, lead.length - begun.length - 1) || '/');
  const missing = access === 'read' ? undefined : tail;
  if (!entries && access === 'read') return undefined;
  const matching = entries?.filter(({name}) => name.toLowerCase().startsWith(begun.toLowerCase())) ?? [];
  if (begun === '' || matching.some(({kind}) => kind !== 'file' && kind !== 'other')) return tail;
  if (access === 'read' && matching.length === 0) return undefined;
  return path.includes('/', at) ? missing : path.replaceAll(ANY, NAME);
}

/** A shape whose folder is real, as far as it is known. */
async function realShape({realPaths}: World, shape: string): Promise<string> {
  const lead = leadOf(shape);
  const at = lead.lastIndexOf('/');
  if (at < 0) return shape;
  const [real] = await realPaths([lead.slice(0, at) || '/']);
  return `${real === '/' ? '' : (real ?? lead.slice(0, at))}${shape.slice(at)}`;
}
