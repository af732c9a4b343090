import {readPlain} from './front-matter-value.js';

/** A value of a table: a text, a number, a truth, a list of texts, or a table. */
export type TableValue = string | number | boolean | readonly string[] | HeadTable;
export interface HeadTable {
  readonly [name: string]: TableValue;
}

interface Line {
  readonly indent: number;
  readonly text: string;
}

const DEEPEST = 8;

/**
 * Reads the table below a key of a head, or behind it as JSON; or says what is wrong with it, as a sentence without its
 * subject. Undefined where the head has no such key.
 */
export function readHeadTable(text: string, key: string): HeadTable | string | undefined {
  const [, head = ''] = /^\uFEFF?\s*---[ \t]*\r?\n([\s\S]*?)\r?\n---/.exec(text) ?? [];
  const lines = head.split(/\r?\n/);
  const at = lines.findIndex((line) => line.startsWith(`${key}:`));
  if (at < 0) return undefined;
  const behind = (lines[at] ?? '').slice(key.length + 1).trim();
  const end = lines.findIndex((line, index) => index > at && line !== '' && !/^[\s#]/.test(line));
  const below = lines.slice(at + 1, end < 0 ? undefined : end);
  if (behind.startsWith('{')) return readJson([behind, ...below].join('\n'), key);
  const used = below.filter((line) => !/^\s*(#.*)?$/.test(line));
  const read = used.map((line): Line => ({indent: line.length - line.trimStart().length, text: line.trim()}));
  try {
    const table = readTable(read, key, DEEPEST);
    return behind === '' || behind.startsWith('#') ? table : `has ${key} that is not a table`;
  } catch (error) {
    if (error instanceof TableFault) return error.message;
    throw error;
  }
}

class TableFault extends Error {
  override readonly name = 'TableFault';
}

function readJson(text: string, key: string): HeadTable | string {
  try {
    return JSON.parse(text) as HeadTable;
  } catch (error) {
    if (error instanceof SyntaxError) return `has ${key} that is not JSON`;
    throw error;
  }
}

function readTable(lines: readonly Line[], key: string, depth: number): HeadTable {
  if (depth === 0) throw new TableFault(`has ${key} with too many levels`);
  const entries = new Map<string, TableValue>();
  const indent = lines[0]?.indent ?? 0;
  for (let at = 0; at < lines.length;) {
    const {indent: own, text} = lines[at] ?? {indent: 0, text: ''};
    const {name, rest} = readPair(text);
    if (name === undefined || own !== indent)
      throw new TableFault(`has ${key} with the line ${JSON.stringify(text.slice(0, 60))}, which is no "name: value"`);
    if (entries.has(name)) throw new TableFault(`has ${key} that sets ${name} twice`);
    at += 1;
    const from = at;
    // A list may stand below its name without being indented.
    while (at < lines.length && isBelow(lines[at], indent, rest)) at += 1;
    entries.set(name, readValue(rest, lines.slice(from, at), key, depth));
  }
  return Object.fromEntries(entries);
}

function readPair(text: string): {readonly name: string | undefined; readonly rest: string} {
  const [, quoted, plain, rest = ''] = /^(?:"([^"]+)"|([^\s"':#-][^:]*?))\s*:(?:\s+(.*))?$/.exec(text) ?? [];
  return {name: quoted ?? plain, rest};
}

function isBelow(line: Line | undefined, indent: number, rest: string): boolean {
  return (
    line !== undefined && (line.indent > indent || (rest === '' && line.indent === indent && /^-\s/.test(line.text)))
  );
}

function readValue(rest: string, below: readonly Line[], key: string, depth: number): TableValue {
  const all = [rest, ...below.map(({text}) => text)].join(' ').trim();
  if (/^[[{]/.test(rest)) return readFlow(all, key);
  if (rest !== '' && !rest.startsWith('#')) return readScalar(all);
  if (below.length === 0) return '';
  if (below.every(({text}) => /^-\s/.test(text))) return below.map(({text}) => readPlain([text.replace(/^-\s+/, '')]));
  return readTable(below, key, depth - 1);
}

function readFlow(text: string, key: string): TableValue {
  const [, list] = /^\[(.*)\]\s*(?:#.*)?$/.exec(text) ?? [];
  if (list !== undefined) {
    const items = list.match(/(?:"(?:\\.|[^"\\])*"|'(?:''|[^'])*'|[^,])+/g) ?? [];
    return items.map((item) => readPlain([item])).filter((item) => item !== '');
  }
  const read = readJson(text, key);
  if (typeof read === 'string') throw new TableFault(read);
  return read;
}

function readScalar(text: string): string | number | boolean {
  if (/^["']/.test(text)) return readPlain([text]);
  const plain = readPlain([text]);
  if (plain === 'true' || plain === 'false') return plain === 'true';
  return /^-?\d+(?:\.\d+)?$/.test(plain) ? Number(plain) : plain;
}
