import {ToolError} from '@gemini-kernel/kernel';
import type {Code, Reference, SymbolKind} from '../contract.js';
import type {OneSymbol} from '../find-one.js';
import {readSource} from '../parse/source-file.js';
import type {TextEdit} from './text-edit.js';

const MEMBERS: readonly SymbolKind[] = ['member', 'method', 'property'];
/** More are for a program that knows types. */
const MOST_PLACES = 2000;

/** The edits of each file that has the name. */
export type FileEdits = ReadonlyMap<string, {readonly text: string; readonly edits: readonly TextEdit[]}>;

interface Options {
  readonly code: Code;
  readonly signal: AbortSignal;
}

/**
 * Renames a symbol where it is defined and used. Throws ToolError CODE_EDIT_BREAKS when names alone do not tell what is
 * meant, or a file has the new name already.
 */
export async function planRename(
  {outline, symbol}: OneSymbol,
  name: string,
  {code, signal}: Options,
): Promise<FileEdits> {
  const all = await code.definitions({name: symbol.name, most: MOST_PLACES, signal});
  if (MEMBERS.includes(symbol.kind) && all.items.length > 1)
    throw breaks(`${all.items.length} symbols are named ${symbol.name}, and members are found by their name alone.`);
  const definedIn = outline.path;
  const used = await code.references({name: symbol.name, definedIn, most: MOST_PLACES, signal});
  if (used.isLimited) throw breaks(`${symbol.name} is used in more than ${MOST_PLACES} places.`);
  const files = new Map<string, {text: string; edits: TextEdit[]}>();
  const add = (path: string, at: (text: string) => number, text: string): void => {
    const file = files.get(path) ?? {text: textOf(path), edits: []};
    files.set(path, file);
    const start = at(file.text);
    if (file.text.slice(start, start + symbol.name.length) !== symbol.name) throw changed(path);
    file.edits.push({start, end: start + symbol.name.length, text});
  };
  for (const one of all.items)
    if (one.path === definedIn && one.symbol.owner === symbol.owner) add(one.path, () => one.symbol.nameAt, name);
  for (const one of used.items.filter(({as}) => as === undefined))
    add(one.path, (text) => offsetOf(text, one), one.isShorthand === true ? `${symbol.name}: ${name}` : name);
  for (const [path, {text}] of files)
    if (new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`).test(text))
      throw breaks(`${path} has the name ${name} already.`);
  return files;
}

function textOf(path: string): string {
  const source = readSource(path);
  if ('fault' in source) throw changed(path);
  return source.text;
}

function offsetOf(text: string, {line, column}: Reference): number {
  let start = 0;
  for (let count = 1; count < line; count += 1) start = text.indexOf('\n', start) + 1;
  return start + column - 1;
}

function breaks(why: string): ToolError {
  return new ToolError('CODE_EDIT_BREAKS', `Nothing was renamed: ${why}`, {
    hint: 'Find the uses with code_find, and change those that are meant with replace.',
  });
}

function changed(path: string): ToolError {
  return new ToolError('CODE_EDIT_BREAKS', `Nothing was renamed: ${path} changed meanwhile.`, {hint: 'Try again.'});
}
