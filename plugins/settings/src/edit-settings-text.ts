import type {Node} from 'jsonc-parser';
import {nest} from './key-path.js';

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

interface Style {
  readonly eol: string;
  readonly unit: string;
}

const BLANK = /^\s*$/;
// Comments that begin on the line of what is before them.
const TRAILER = /^(?:[ \t]*\/\*[^]*?\*\/)*(?:[ \t]*\/\/[^\r\n]*)?/;

/**
 * The text of a settings file with one key set, or removed when `value` is undefined; every other byte and every comment stays.
 * Returns undefined when something on the way to the key is not an object. The text must parse.
 */
export async function editSettingsText(text: string, path: readonly string[], value: unknown): Promise<string | undefined> {
  const {parseTree} = await import('jsonc-parser');
  let edited = text;
  for (;;) {
    const root = parseTree(edited.replace(/^\uFEFF/, ' '));
    const edits = root && findEdits(edited, root, path, value);
    if (!edits) return undefined;
    if (edits.length === 0) return edited;
    edited = applyEdits(edited, edits);
    // A key that is written twice is removed twice.
    if (value !== undefined) return edited;
  }
}

function applyEdits(text: string, edits: readonly Edit[]): string {
  const lastFirst = [...edits].sort((a, b) => b.start - a.start);
  return lastFirst.reduce((edited, {start, end, text: inserted}) => edited.slice(0, start) + inserted + edited.slice(end), text);
}

function findEdits(text: string, root: Node, path: readonly string[], value: unknown): readonly Edit[] | undefined {
  const style = styleOf(text, root);
  let object = root;
  for (const [depth, key] of path.entries()) {
    if (object.type !== 'object') return undefined;
    // Of a key that is written twice, the last one counts.
    const property = propertiesOf(object).findLast(([name]) => name.value === key);
    if (!property) {
      const inner = nest(path.slice(depth + 1), value);
      return value === undefined ? [] : insertProperty(text, object, `${JSON.stringify(key)}: `, inner, style);
    }
    object = property[1];
  }
  if (value === undefined) return removeProperty(text, object.parent!, root);
  return [{start: object.offset, end: endOf(object), text: format(value, indentAt(text, object.parent!.offset), style, text.slice(object.offset, endOf(object)))}];
}

function propertiesOf(object: Node): (readonly [Node, Node])[] {
  // The text parses, so every property has a name and a value.
  return (object.children ?? []).map(({children}) => [children![0]!, children![1]!] as const);
}

function insertProperty(text: string, object: Node, label: string, value: unknown, style: Style): readonly Edit[] {
  const last = object.children?.at(-1);
  const isInline = last !== undefined && !text.slice(object.offset, object.children?.[0]?.offset).includes('\n');
  if (last && isInline) return [{start: endOf(last), end: endOf(last), text: `, ${label}${JSON.stringify(value)}`}];
  const outer = indentAt(text, object.offset);
  const indent = last ? indentAt(text, last.offset) : outer + style.unit;
  const line = `${style.eol}${indent}${label}${format(value, indent, style)}`;
  if (last) {
    const behind = endOfTrailer(text, endOf(last));
    return behind === endOf(last) ? [{start: behind, end: behind, text: `,${line}`}] : [{start: endOf(last), end: endOf(last), text: ','}, {start: behind, end: behind, text: line}];
  }
  const inside = text.slice(object.offset + 1, endOf(object) - 1);
  const start = object.offset + 1 + inside.trimEnd().length;
  const rest = text.slice(start, endOf(object) - 1);
  return BLANK.test(inside) || !rest.includes('\n') ? [{start, end: endOf(object) - 1, text: `${line}${style.eol}${outer}`}] : [{start, end: start, text: line}];
}

function removeProperty(text: string, property: Node, root: Node): readonly Edit[] {
  const object = property.parent!;
  const siblings = object.children!;
  const index = siblings.indexOf(property);
  if (siblings.length === 1) return removeOnly(text, property, root);
  const next = siblings[index + 1];
  const end = endOf(property);
  if (next) {
    const comma = findComma(text, end);
    const gap = text.slice(comma + 1, next.offset);
    if (comma === end && BLANK.test(gap) && !gap.includes('\n')) return [{start: property.offset, end: next.offset, text: ''}];
    return comma === end ? [lineOf(text, property.offset, comma + 1)] : [lineOf(text, property.offset, end), {start: comma, end: comma + 1, text: ''}];
  }
  const comma = findComma(text, endOf(siblings[index - 1]!));
  const isLastOnLine = endOfTrailer(text, end) === end;
  if (isLastOnLine && BLANK.test(text.slice(comma + 1, property.offset))) return [{start: comma, end, text: ''}];
  return [{start: comma, end: comma + 1, text: ''}, lineOf(text, property.offset, end)];
}

// An object that is left empty goes too, unless a comment stands in it.
function removeOnly(text: string, property: Node, root: Node): readonly Edit[] {
  const object = property.parent!;
  const [start, end] = [object.offset + 1, endOf(object) - 1];
  const isBare = BLANK.test(text.slice(start, property.offset)) && BLANK.test(text.slice(endOf(property), end));
  if (!isBare) return [lineOf(text, property.offset, endOf(property))];
  return object === root ? [{start, end, text: ''}] : removeProperty(text, object.parent!, root);
}

/** The removal of a stretch, together with its line when nothing else stands there. */
function lineOf(text: string, start: number, end: number): Edit {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const newline = text.indexOf('\n', end);
  const isAlone = newline >= 0 && BLANK.test(text.slice(lineStart, start)) && BLANK.test(text.slice(end, newline));
  return isAlone ? {start: lineStart, end: newline + 1, text: ''} : {start, end, text: ''};
}

function findComma(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== ',') {
    const behind = endOfTrailer(text, at);
    at = behind > at ? behind : at + 1;
  }
  return at;
}

/** Behind the comments that begin on the line of `from`; `from` itself when none do. */
function endOfTrailer(text: string, from: number): number {
  return from + (TRAILER.exec(text.slice(from))?.[0].length ?? 0);
}

function endOf({offset, length}: Node): number {
  return offset + length;
}

function indentAt(text: string, offset: number): string {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(lineStart, offset))?.[0] ?? '';
}

function styleOf(text: string, root: Node): Style {
  const first = root.children?.[0];
  const indent = first ? indentAt(text, first.offset) : '';
  return {eol: text.includes('\r\n') ? '\r\n' : '\n', unit: indent === '' ? '  ' : indent};
}

function format(value: unknown, indent: string, {eol, unit}: Style, replaced = '\n'): string {
  const isObject = typeof value === 'object' && value !== null;
  if (!isObject) return JSON.stringify(value);
  return (/^[[{].*[\]}]$/.test(replaced) ? JSON.stringify(value) : JSON.stringify(value, null, unit)).replaceAll('\n', eol + indent);
}
