import {lstat, realpath, stat} from 'node:fs/promises';
import {dirname, join, relative, sep} from 'node:path';
import {findForeignWriter} from '@gemini-kernel/files';
import {findBoundary, chainOf} from './boundary.js';
import type {ContextFile, Tier} from './contract.js';
import {appendImports, placeImports, type Judge} from './imports.js';
import {readText, type ReadText} from './read-text.js';

const LEADS_OUT = 'it is a link that leads outside the project';

/** The settings for context files. */
export interface ContextSettings {
  readonly names: readonly string[];
  readonly markers: readonly string[];
  readonly flat: boolean;
}

/** A place where a context file may be. */
export interface Place {
  readonly tier: Tier;
  readonly path: string;
  /** Imports from outside it are refused. */
  readonly root: string;
}

/**
 * The folders above a root that may contain files of its project, outermost first; the product's own folder is
 * excluded.
 */
export async function projectPlaces(
  root: string,
  {names, markers}: ContextSettings,
  own: string,
): Promise<readonly Place[]> {
  const ceiling = (await findBoundary(root, markers)) ?? root;
  return placesIn(
    chainOf(root, ceiling).filter((folder) => folder !== own),
    {names, root: ceiling, tier: 'project'},
  );
}

/** The folders from a root, or from the boundary above it, down to a touched path. */
export async function folderPlaces(
  path: string,
  root: string,
  {names, markers}: ContextSettings,
): Promise<readonly Place[]> {
  const ceiling = (await findBoundary(root, markers)) ?? root;
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  const folder = isFolder ? path : dirname(path);
  const inner = relative(ceiling, folder);
  if (inner.startsWith('..')) return [];
  return placesIn(chainOf(folder, ceiling), {names, root: ceiling, tier: 'folder'});
}

function placesIn(
  folders: readonly string[],
  {names, root, tier}: {readonly names: readonly string[]; readonly root: string; readonly tier: Tier},
): readonly Place[] {
  return folders.flatMap((folder) => names.map((name) => ({tier, root, path: join(folder, name)})));
}

/** A file's real path and name; undefined when the file does not exist. */
export async function identityOf(path: string): Promise<string | undefined> {
  try {
    // A dangling link exists, and is reported when it is read.
    const {dev, ino} = await stat(path, {bigint: true}).catch(() => lstat(path, {bigint: true}));
    return `${dev}:${ino}`;
  } catch {
    // It does not exist or cannot be seen, so there is nothing to read.
    return undefined;
  }
}

interface Reading extends Pick<ContextSettings, 'flat'> {
  readonly judge: Judge;
  readonly home: string;
  /** Receives what cannot be read, and files that other users may have written. */
  tell(sentence: string): void;
}

/** Reads the file in a place; undefined when there is no file. */
export async function readPlace(place: Place, reading: Reading): Promise<ContextFile | undefined> {
  const {tier, path, root} = place;
  const {judge, home, tell} = reading;
  const isProject = tier === 'project' || tier === 'folder';
  const objection = isProject ? await findObjection(path, root, judge) : undefined;
  if (objection === LEADS_OUT) tell(`Ignoring ${path}: ${LEADS_OUT}.`);
  if (objection !== undefined) return leaveOut(place, objection);
  const given = await readText(path);
  if ('why' in given) return given.isMissing ? undefined : tellLeftOut(place, given.why, tell);
  const stranger = isProject ? undefined : findStranger(path, home);
  return stranger === undefined ? takeIn(place, given, reading) : tellLeftOut(place, stranger, tell);
}

function leaveOut({tier, path}: Place, why: string): ContextFile {
  return {tier, path, text: '', imports: [], faults: [`Cannot read the context file ${path}: ${why}.`]};
}

function tellLeftOut(place: Place, why: string, tell: Reading['tell']): ContextFile {
  const file = leaveOut(place, why);
  file.faults.forEach((fault) => tell(fault));
  return file;
}

async function takeIn({tier, path, root}: Place, given: ReadText, {flat, judge, tell}: Reading): Promise<ContextFile> {
  const read = flat && tier !== 'folder' ? appendImports : placeImports;
  const {cuts, faults, ...rest} = await read(given.text, {file: path, root, judge});
  const cut = [...(given.cut === undefined ? [] : [given.cut]), ...cuts];
  cut.forEach((sentence) => tell(sentence));
  return {tier, path, ...rest, faults: [...cut, ...faults]};
}

async function findObjection(path: string, root: string, judge: Judge): Promise<string | undefined> {
  return (await leadsOut(path, root)) ? LEADS_OUT : judge(path);
}

/** Why another user may have written a file of the user's, and what to do. */
function findStranger(path: string, home: string): string | undefined {
  const writer = findForeignWriter(path, {home});
  return writer && `${writer.reason.replace(/^it/, writer.path)}; to include it, run: ${writer.repair}`;
}

/** Whether a project's file is really a file outside the project. A dangling link cannot be read anyway. */
async function leadsOut(path: string, root: string): Promise<boolean> {
  const real = await realpath(path).catch(() => undefined);
  return real !== undefined && !isInside(real, await realpath(root));
}

/** Blocks in the form that the model gets. */
export function toBlocks(files: readonly ContextFile[]): string {
  return files
    .filter(({text}) => text.trim() !== '')
    .map(({path, text}) => `--- Context from: ${path} ---\n${text.trim()}\n--- End of Context from: ${path} ---`)
    .join('\n\n');
}

/** Whether a path is inside a folder, or the folder. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
