import type {Node} from 'web-tree-sitter';
import type {Language} from '../languages/language.js';
import type {Reader} from '../parse/parsers.js';
import {spellPattern} from './spell-pattern.js';

/** What is looked for in one file. */
export interface Wanted {
  readonly name: string;
  /** Offsets of the name where it is defined in this file. */
  readonly definedAt: ReadonlySet<number>;
  /** The symbols that are meant are members of something: only `a.name` can be one of them. */
  readonly isMember: boolean;
  /** The symbols that are meant are no members: `a.name` counts only if `a` is a module. */
  readonly isFree: boolean;
}

/** Around the `b` of `a.b`, in all languages, and the field that `a` has. */
const ACCESS: Readonly<Record<string, string>> = {
  member_expression: 'object',
  attribute: 'object',
  field_access: 'object',
  field_expression: 'argument',
  selector_expression: 'operand',
  member_access_expression: 'expression',
  method_invocation: 'object',
  nested_identifier: 'object',
  nested_type_identifier: 'module',
};
/** A member that is named where an object is made or taken apart. */
const KEYS = ['pair', 'pair_pattern', 'keyword_argument', 'jsx_attribute'];
const SHORTHAND = ['shorthand_property_identifier', 'shorthand_property_identifier_pattern', 'keyed_element'];

/** Where a name is used, and whether as `{name}` for `{name: name}`. */
export interface Use {
  readonly at: number;
  readonly isShorthand: boolean;
}

/** Where a name is used in a text, without where it is defined. */
export function referencesIn(root: Node, text: string, {reader, wanted}: Parts): readonly Use[] {
  const hidden = wanted.isMember ? [] : hiddenParts(root, reader, wanted);
  const found: Use[] = [];
  for (const at of placesOf(text, wanted.name)) {
    if (wanted.definedAt.has(at)) continue;
    const node = root.descendantForIndex(at, at + wanted.name.length);
    if (!node || node.startIndex !== at || !reader.language.names.includes(node.type)) continue;
    if (node.endIndex !== at + wanted.name.length) continue;
    if (isMeant(node, text, {wanted, language: reader.language}) && !hidden.some((part) => isIn(at, part)))
      found.push({at, isShorthand: node.type === 'shorthand_property_identifier'});
  }
  return found;
}

interface Parts {
  readonly reader: Reader;
  readonly wanted: Wanted;
}

type Span = readonly [start: number, end: number];

function isIn(at: number, [start, end]: Span): boolean {
  return start <= at && at < end;
}

function* placesOf(text: string, name: string): Generator<number> {
  const part = /[\w$\u0080-\uffff]/;
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + name.length)) {
    const [before, after] = [text[at - 1] ?? ' ', text[at + name.length] ?? ' '];
    if (!part.test(before) && !part.test(after)) yield at;
  }
}

function isMeant(
  node: Node,
  text: string,
  {wanted, language}: {readonly wanted: Wanted; readonly language: Language},
): boolean {
  if (wanted.isMember === wanted.isFree) return true;
  const owner = accessOf(node);
  const isKey = node.parent !== null && KEYS.includes(node.parent.type) && isFirst(node);
  const isMember = owner !== undefined || isKey || (language.members?.includes(node.type) ?? false);
  if (wanted.isMember) return isMember || SHORTHAND.includes(node.type);
  if (!isMember) return true;
  return owner !== undefined && isModule(owner, text);
}

/** Of `a.b`, the text of `a` for the node of `b`. */
function accessOf(node: Node): string | undefined {
  const {parent} = node;
  const field = parent ? ACCESS[parent.type] : undefined;
  if (!parent || field === undefined) return undefined;
  const owner = parent.childForFieldName(field);
  return owner && owner.id !== node.id ? owner.text : undefined;
}

function isFirst(node: Node): boolean {
  return node.parent?.firstNamedChild?.id === node.id;
}

/** Whether a name stands for a module in a text. */
function isModule(name: string, text: string): boolean {
  if (!/^[\w$.]+$/.test(name)) return false;
  const spelled = spellPattern(name);
  return new RegExp(
    `^[^\\n]{0,200}\\b(?:import|require|use|using)\\b[^\\n]{0,300}(?<![\\w$])${spelled}(?![\\w$])`,
    'm',
  ).test(text);
}

/** Where the name stands for something that only a part of the file knows. */
function hiddenParts(root: Node, reader: Reader, {name, definedAt}: Wanted): readonly Span[] {
  const {locals} = reader.language;
  if (!locals) return [];
  const parts: Span[] = [];
  for (const {node} of reader.captures(locals.query, root)) {
    if (node.endIndex - node.startIndex !== name.length || node.text !== name || definedAt.has(node.startIndex))
      continue;
    let scope = node.parent;
    while (scope && !locals.scopes.includes(scope.type)) scope = scope.parent;
    if (scope) parts.push([scope.startIndex, scope.endIndex]);
  }
  return parts;
}
