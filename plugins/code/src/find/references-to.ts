import {setImmediate} from 'node:timers/promises';
import type {CodeSymbol, FindRequest, Found, Reference} from '../contract.js';
import {languageOf} from '../languages/languages.js';
import type {Readers} from '../parse/parsers.js';
import {readSource} from '../parse/source-file.js';
import type {FileEntry} from '../table/file-entry.js';
import type {FileTable} from '../table/file-table.js';
import {canMean, SCRIPT} from './import-source.js';
import {MEMBERS} from './members.js';
import {otherNamesOf} from './other-names-of.js';
import {referencesIn, type Use, type Wanted} from './references-in.js';
import {isMeant, readName} from './symbol-name.js';
import {isWithin} from './within.js';

const LONGEST_LINE = 200;

export interface Searched {
  readonly table: FileTable;
  readonly readers: Readers;
  readonly signal: AbortSignal;
}

type Target = {readonly file: FileEntry; readonly symbol: CodeSymbol};

/**
 * Where a symbol is used. A name that is no symbol's is looked for as a name. Members are found by their name alone;
 * for others, what hides the name in a file and where a file has it from counts, and in scripts also other names.
 */
export async function referencesTo(
  request: FindRequest & {readonly most: number},
  searched: Searched,
): Promise<Found<Reference>> {
  const items: Reference[] = [];
  const named = new Set<string>();
  for await (const one of allUses(request, searched)) {
    const line = `${one.path}:${one.line}`;
    if (one.as === undefined) named.add(line);
    // The line that gives the other name has the name itself.
    else if (named.has(line)) continue;
    items.push(one);
    if (items.length > request.most) break;
  }
  return {items: items.slice(0, request.most).sort(inOrder), isLimited: items.length > request.most};
}

async function* allUses(request: FindRequest, searched: Searched): AsyncGenerator<Reference> {
  const wanted = readName(request.name);
  const {table, signal} = searched;
  const targets = [...table.definitions(wanted.name)].filter(
    ({file, symbol}) => isMeant(symbol, wanted) && (request.definedIn === undefined || file.path === request.definedIn),
  );
  for (const file of [...table.filesWith(wanted.name)].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    if (!isWithin(file.path, request.path)) continue;
    await setImmediate();
    signal.throwIfAborted();
    yield* await inFile(file, wanted.name, {targets, searched});
  }
  const paths = new Set(targets.map(({file}) => file.path).filter((path) => SCRIPT.test(path)));
  if (paths.size === 0 || targets.some(({symbol}) => MEMBERS.includes(symbol.kind))) return;
  for await (const {file, name, text} of otherNamesOf(wanted.name, {targets: paths, searched})) {
    if (!isWithin(file.path, request.path) || hasOwn(file, name, table)) continue;
    const isIn = {name, definedAt: new Set<number>(), isMember: false, isFree: true};
    for (const use of await usesIn({path: file.path, text}, isIn, searched)) yield {...use, as: name};
  }
}

function inOrder(one: Reference, other: Reference): number {
  if (one.path !== other.path) return one.path < other.path ? -1 : 1;
  return one.line - other.line || one.column - other.column;
}

async function inFile(
  file: FileEntry,
  name: string,
  {targets, searched}: {readonly targets: readonly Target[]; readonly searched: Searched},
): Promise<readonly Reference[]> {
  const source = readSource(file.path);
  if ('fault' in source) return [];
  const {text} = source;
  const {table} = searched;
  const own = targets.filter((target) => target.file.path === file.path);
  const isMember = targets.length > 0 && targets.every(({symbol}) => MEMBERS.includes(symbol.kind));
  const isFree = targets.every(({symbol}) => !MEMBERS.includes(symbol.kind)) && targets.length > 0;
  if (isFree && own.length === 0) {
    const paths = new Set(targets.map((target) => target.file.path));
    if (hasOwn(file, name, table) || !canMean(name, text, {path: file.path, targets: paths, table})) return [];
  }
  const definedAt = new Set<number>();
  for (const {file: other, symbol} of table.definitions(name)) if (other === file) definedAt.add(symbol.nameAt);
  return usesIn({path: file.path, text}, {name, definedAt, isMember, isFree}, searched);
}

async function usesIn(
  {path, text}: {readonly path: string; readonly text: string},
  wanted: Wanted,
  {readers}: Searched,
): Promise<readonly Reference[]> {
  const language = languageOf(path);
  if (!language) return [];
  const reader = await readers.get(language);
  const places = reader.read(text, (root) => referencesIn(root, text, {reader, wanted})) ?? [];
  return places.map((use) => referenceAt(path, text, use));
}

/** Whether a file has a symbol of this name that is no member. */
function hasOwn(file: FileEntry, name: string, table: FileTable): boolean {
  for (const {file: other, symbol} of table.definitions(name))
    if (other === file && !MEMBERS.includes(symbol.kind)) return true;
  return false;
}

function referenceAt(path: string, text: string, {at, isShorthand}: Use): Reference {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  const end = text.indexOf('\n', at);
  let line = 1;
  for (let next = text.indexOf('\n'); next !== -1 && next < at; next = text.indexOf('\n', next + 1)) line += 1;
  const whole = text.slice(start, end === -1 ? undefined : end).trim();
  const shown = whole.length > LONGEST_LINE ? `${whole.slice(0, LONGEST_LINE)}…` : whole;
  return {path, line, column: at - start + 1, text: shown, ...(isShorthand ? {isShorthand} : {})};
}
