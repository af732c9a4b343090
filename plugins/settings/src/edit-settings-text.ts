import {nest} from './key-path.js';
import {readTree, type TreeNode} from './settings-tree.js';

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A text with its tree, and how it is laid out. */
interface Draft {
  readonly text: string;
  readonly root: TreeNode;
  readonly eol: string;
  /** One step of indentation. */
  readonly unit: string;
}

/** A property or an element as text, on the line of what is before it or on one of its own at `indent`. */
type Render = (indent: string | undefined) => string;

const BLANK = /^\s*$/;
// Comments that begin on the line of what is before them.
const TRAILER = /^(?:[ \t]*\/\*[^]*?\*\/)*(?:[ \t]*\/\/[^\r\n]*)?/;

/**
 * The text of a settings file with one key set, or removed when `value` is undefined; every other byte and every
 * comment stays. Returns undefined when something on the way to the key is not an object. The text must parse.
 */
export function editSettingsText(text: string, path: readonly string[], value: unknown): string | undefined {
  let edited = text;
  for (;;) {
    const edits = findEdits(createDraft(edited, readTree(edited)), path, value);
    if (!edits) return undefined;
    if (edits.length === 0) return edited;
    edited = applyEdits(edited, edits);
    // A key that is written twice is removed twice.
    if (value !== undefined) return edited;
  }
}

/**
 * The text with values added at the end of a list, which is made when it is not there; as `editSettingsText` otherwise.
 * Undefined when it is no list.
 */
export function appendSettingsText(
  text: string,
  path: readonly string[],
  values: readonly unknown[],
): string | undefined {
  const list = findValue(readTree(text), path);
  if (!list) return editSettingsText(text, path, values);
  if (list.type !== 'array') return undefined;
  return values.reduce<string>((edited, value) => {
    const draft = createDraft(edited, readTree(edited));
    // What was found above is still there.
    const node = findValue(draft.root, path)!;
    return applyEdits(
      edited,
      insertLast(draft, node, (indent) => renderValue(draft, value, indent)),
    );
  }, text);
}

/**
 * The text without the texts of a list that are meant; a single text is a list of one. Undefined when it is no list.
 */
export function removeSettingsText(
  text: string,
  path: readonly string[],
  isMeant: (element: string) => boolean,
): string | undefined {
  let edited = text;
  for (;;) {
    const draft = createDraft(edited, readTree(edited));
    const list = findValue(draft.root, path);
    if (!list) return edited;
    if (list.type === 'string') return isMeant(list.value ?? '') ? editSettingsText(edited, path, undefined) : edited;
    if (list.type !== 'array') return undefined;
    const element = list.children.find(({type, value}) => type === 'string' && isMeant(value ?? ''));
    if (!element) return edited;
    edited = applyEdits(edited, removeProperty(draft, element));
  }
}

function findValue(root: TreeNode, path: readonly string[]): TreeNode | undefined {
  let node: TreeNode | undefined = root;
  for (const key of path)
    node = node?.type === 'object' ? propertiesOf(node).findLast(([name]) => name.value === key)?.[1] : undefined;
  return node;
}

function applyEdits(text: string, edits: readonly Edit[]): string {
  const lastFirst = [...edits].sort((a, b) => b.start - a.start);
  return lastFirst.reduce(
    (edited, {start, end, text: inserted}) => edited.slice(0, start) + inserted + edited.slice(end),
    text,
  );
}

function findEdits(draft: Draft, path: readonly string[], value: unknown): readonly Edit[] | undefined {
  let object = draft.root;
  for (const [depth, key] of path.entries()) {
    if (object.type !== 'object') return value === undefined ? [] : undefined;
    // Of a key that is written twice, the last one counts.
    const property = propertiesOf(object).findLast(([name]) => name.value === key);
    if (!property) {
      const rest = nest(path.slice(depth + 1), value);
      return value === undefined
        ? []
        : insertLast(draft, object, (indent) => `${JSON.stringify(key)}: ${renderValue(draft, rest, indent)}`);
    }
    object = property[1];
  }
  // The path is not empty, so `object` is the value of a property by now.
  const property = object.parent!;
  if (value === undefined) return removeProperty(draft, property);
  const [start, end] = [object.offset, endOf(object)];
  const wasInline = /^[[{].*[\]}]$/.test(draft.text.slice(start, end));
  return [
    {start, end, text: wasInline ? JSON.stringify(value) : format(draft, value, indentAt(draft.text, property.offset))},
  ];
}

function propertiesOf(object: TreeNode): (readonly [TreeNode, TreeNode])[] {
  // The text parses, so every property has a name and a value.
  return object.children.map(({children}) => [children[0]!, children[1]!] as const);
}

/** Adds a property or an element behind the last one of an object or a list. */
function insertLast(draft: Draft, container: TreeNode, render: Render): readonly Edit[] {
  const {text, eol} = draft;
  const last = container.children.at(-1);
  if (!last) return insertFirst(draft, container, render);
  const behind = endOfTrailer(text, endOf(last));
  const indent = indentAt(text, last.offset);
  const canShareLine = isInline(text, container) && !/[\r\n]/.test(text[behind] ?? '');
  const line = canShareLine ? ` ${render(undefined)}` : `${eol}${indent}${render(indent)}`;
  return behind === endOf(last)
    ? [insertion(behind, `,${line}`)]
    : [insertion(endOf(last), ','), insertion(behind, line)];
}

function insertFirst(draft: Draft, container: TreeNode, render: Render): readonly Edit[] {
  const {text, eol, unit} = draft;
  const [start, end] = [container.offset + 1, endOf(container) - 1];
  const inside = text.slice(start, end);
  if (inside === '' && isInline(text, container)) return [insertion(start, render(undefined))];
  const outer = indentAt(text, container.offset);
  const line = `${eol}${outer}${unit}${render(outer + unit)}`;
  const behind = start + inside.trimEnd().length;
  const isClosedBelow = !BLANK.test(inside) && text.slice(behind, end).includes('\n');
  return isClosedBelow ? [insertion(behind, line)] : [{start: behind, end, text: `${line}${eol}${outer}`}];
}

function renderValue(draft: Draft, value: unknown, indent: string | undefined): string {
  return indent === undefined ? JSON.stringify(value) : format(draft, value, indent);
}

function insertion(at: number, text: string): Edit {
  return {start: at, end: at, text};
}

/** Whether what an object or a list holds stands on the line of its bracket; an empty one is like the one around it. */
function isInline(text: string, container: TreeNode): boolean {
  const first = container.children[0];
  if (first) return !text.slice(container.offset, first.offset).includes('\n');
  const around = container.parent?.parent;
  return around !== undefined && isInline(text, around);
}

function removeProperty(draft: Draft, property: TreeNode): readonly Edit[] {
  const {text} = draft;
  // Every property lies in an object, among its children.
  const siblings = property.parent!.children;
  const index = siblings.indexOf(property);
  const [previous, next] = [siblings[index - 1], siblings[index + 1]];
  const end = endOf(property);
  if (next) {
    const comma = findComma(text, end);
    const gap = text.slice(comma + 1, next.offset);
    if (comma === end && BLANK.test(gap) && !gap.includes('\n'))
      return [{start: property.offset, end: next.offset, text: ''}];
    return comma === end
      ? [lineOf(text, property.offset, comma + 1)]
      : [lineOf(text, property.offset, end), {start: comma, end: comma + 1, text: ''}];
  }
  if (!previous) return removeOnly(draft, property);
  const comma = findComma(text, endOf(previous));
  const isLastOnLine = endOfTrailer(text, end) === end;
  if (isLastOnLine && BLANK.test(text.slice(comma + 1, property.offset))) return [{start: comma, end, text: ''}];
  return [{start: comma, end: comma + 1, text: ''}, lineOf(text, property.offset, end)];
}

// An object that is left empty goes too, unless a comment stands in it or before it.
function removeOnly(draft: Draft, property: TreeNode): readonly Edit[] {
  const {text, root} = draft;
  const object = property.parent!;
  const [start, end] = [object.offset + 1, endOf(object) - 1];
  const isBare = BLANK.test(text.slice(start, property.offset)) && BLANK.test(text.slice(endOf(property), end));
  if (!isBare) return [lineOf(text, property.offset, endOf(property))];
  const [name] = object.parent?.children ?? [];
  const isCommented = name !== undefined && !/^\s*:\s*$/.test(text.slice(endOf(name), object.offset));
  return object === root || isCommented ? [{start, end, text: ''}] : removeProperty(draft, object.parent!);
}

/** The removal of a stretch, together with its line when nothing else stands there. */
function lineOf(text: string, start: number, end: number): Edit {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const newline = text.indexOf('\n', end);
  const isFirst = BLANK.test(text.slice(lineStart, start));
  if (isFirst && newline >= 0 && BLANK.test(text.slice(end, newline)))
    return {start: lineStart, end: newline + 1, text: ''};
  // One of two blanks goes too, so that a comment that stays moves to where the property began.
  if (isFirst) return {start, end: text[end] === ' ' ? end + 1 : end, text: ''};
  return {start: text[start - 1] === ' ' ? start - 1 : start, end, text: ''};
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

function endOf({offset, length}: TreeNode): number {
  return offset + length;
}

function indentAt(text: string, offset: number): string {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(lineStart, offset))?.[0] ?? '';
}

function createDraft(text: string, root: TreeNode): Draft {
  const first = root.children[0];
  const indent = first ? indentAt(text, first.offset) : '';
  return {text, root, eol: text.includes('\r\n') ? '\r\n' : '\n', unit: indent === '' ? '  ' : indent};
}

function format({eol, unit}: Draft, value: unknown, indent: string): string {
  return JSON.stringify(value, null, unit).replaceAll('\n', eol + indent);
}
