import {readBlock, readPlain} from './front-matter-value.js';

/** A value of the head: a text, a list of texts, or texts by name. */
export type HeadValue = string | readonly string[] | Readonly<Record<string, string>>;

/** A Markdown file with a head. */
export interface FrontMatter {
  readonly head: ReadonlyMap<string, HeadValue>;
  readonly body: string;
}

/** Splits Markdown into head and body; or says what is wrong with it, as a sentence without its subject. */
export function splitFrontMatter(text: string): FrontMatter | string {
  const unmarked = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const whole = unmarked.includes('\n') ? unmarked : unmarked.replaceAll('\r', '\n');
  const before: string[] = [];
  const lines: string[] = [];
  // The body, which is most of the text, is not split.
  for (let at = 0; at < whole.length;) {
    const end = whole.indexOf('\n', at);
    const line = whole.slice(at, end < 0 ? whole.length : end).trimEnd();
    at = end < 0 ? whole.length : end + 1;
    const isOpen = before.at(-1) === '---';
    if (!isOpen) before.push(line);
    else if (line !== '---') lines.push(line);
    else return finish(lines, before.length + 1, whole.slice(at));
    if (!isOpen && line !== '' && line !== '---') break;
  }
  return before.at(-1) === '---'
    ? `opens a head in line ${before.length} that no other line "---" closes`
    : 'does not begin with a line "---"';
}

function finish(lines: readonly string[], first: number, body: string): FrontMatter | string {
  const head = readHead(lines, first);
  return typeof head === 'string' ? head : {head, body: body.replaceAll('\r\n', '\n').trim()};
}

/**
 * A plain name and a text that begins with a letter or digit and has no "#". Most lines are that. Each expression is
 * compiled in every start that uses it, so one decides about them.
 */
const USUAL = /^(\w[\w-]*): +(\w[^#\r\u2028\u2029]*)$/;

/**
 * Reads the part of YAML that heads use: texts of every style, lists, and one level of names below a key. What is
 * beyond that, such as an anchor, is taken as text, so that one odd key does not hide a file.
 */
function readHead(lines: readonly string[], offset: number): ReadonlyMap<string, HeadValue> | string {
  const head = new Map<string, HeadValue>();
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? '';
    at += 1;
    const read = readUsual(line, lines[at]) ?? readLine(line);
    if (read === 'nothing') continue;
    if (read === undefined)
      return `has no "name: value" in line ${offset + at - 1}: ${JSON.stringify(line.slice(0, 60))}`;
    const {key, rest, text} = read;
    if (head.has(key)) return `sets ${key} a second time in line ${offset + at - 1}`;
    const from = at;
    while (text === undefined && at < lines.length && belongsTo(lines[at] ?? '', rest)) at += 1;
    head.set(key, text ?? readValue(rest.trim(), lines.slice(from, at)));
  }
  return head;
}

interface ReadLine {
  readonly key: string;
  /** What stands behind the key; lines below can belong to it. */
  readonly rest: string;
  /** The whole value. */
  readonly text?: string;
}

function readUsual(line: string, next: string | undefined): ReadLine | undefined {
  if (!endsBefore(next)) return undefined;
  const [, key, text] = USUAL.exec(line) ?? [];
  return key === undefined || text === undefined ? undefined : {key, rest: '', text};
}

function readLine(line: string): ReadLine | 'nothing' | undefined {
  if (/^\s*(#.*)?$/.test(line)) return 'nothing';
  const [, quoted, plain, rest = ''] = /^(?:["']([^"']+)["']|([^\s:#"'-][^:]*?))\s*:(?:\s+(.*))?$/.exec(line) ?? [];
  const key = quoted ?? plain;
  return key === undefined ? undefined : {key, rest};
}

/** Whether no value with text continues in this line, told by its first character. */
function endsBefore(line: string | undefined): boolean {
  if (line === undefined) return true;
  const first = line.charCodeAt(0);
  return first > 32 && first < 127;
}

/** Whether a line continues the value of the key above it. */
function belongsTo(line: string, rest: string): boolean {
  return /^\s/.test(line) || line === '' || (rest.trim() === '' && /^-\s/.test(line));
}

function readValue(rest: string, below: readonly string[]): HeadValue {
  if (/^[|>][+-]?\d?[+-]?(\s+#.*)?$/.test(rest)) return readBlock(rest, below);
  const [, flow] = /^\[(.*)\]\s*(?:#.*)?$/s.exec([rest, ...below].join(' ').trim()) ?? [];
  if (flow !== undefined && rest.startsWith('[')) return splitFlow(flow);
  if (rest === '' || rest.startsWith('#')) return readNested(below);
  return readPlain([rest, ...below]);
}

function splitFlow(text: string): readonly string[] {
  const items = text.match(/(?:"(?:\\.|[^"\\])*"|'(?:''|[^'])*'|[^,])+/g) ?? [];
  return items.map((item) => readPlain([item])).filter((item) => item !== '');
}

function readNested(below: readonly string[]): HeadValue {
  const used = below.filter((line) => !/^\s*(#.*)?$/.test(line));
  if (used.length > 0 && used.every((line) => /^\s*-\s/.test(line)))
    return used.map((line) => readPlain([line.replace(/^\s*-\s+/, '')]));
  const pairs = used.map((line) => /^\s+["']?([^\s:"'][^:"']*)["']?\s*:(?:\s+(.*))?$/.exec(line));
  if (used.length > 0 && pairs.every((pair) => pair !== null))
    return Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, readPlain([value])]));
  return readPlain(below);
}
