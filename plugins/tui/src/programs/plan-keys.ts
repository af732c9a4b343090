import {isDeepStrictEqual} from 'node:util';
import {KernelError} from '@gemini-kernel/kernel';
import type {ParseError} from 'jsonc-parser';

/** An entry of keybindings.json. */
interface KeyEntry {
  readonly key?: unknown;
  readonly command?: unknown;
  readonly when?: unknown;
  readonly args?: unknown;
}

/** What is to be done about the key: nothing, nothing because something else has it, or a new text of the file. */
export type KeyPlan =
  | {readonly kind: 'there'}
  | {readonly kind: 'taken'; readonly entry: string}
  | {readonly kind: 'add'; readonly after: string};

const SEND = 'workbench.action.terminal.sendSequence';

/** Escape and Enter, as Alt+Enter is sent: other agents take it for a new line too, and a shell for nothing. */
export const NEWLINE_KEY = {key: 'shift+enter', command: SEND, when: 'terminalFocus', args: {text: '\u001b\r'}};

/** Texts that make a new line here: what other agents put into the file. */
const NEWLINES = ['\u001b\r', '\u001b\n', '\u001b[13;2u', '\u001b[27;2;13~', '\n', '\\\r', '\\\n', '\\\r\n'];
const EMPTY = '[]\n';
/** A comma, for the scanner of jsonc-parser. */
const COMMA = 5;

/**
 * How a file of keys gets one for a new line; undefined: there is no file. What stands in it stays as it is written.
 * Throws KernelError EDITOR_KEYS_BROKEN.
 */
export async function planKeys(path: string, text: string | undefined): Promise<KeyPlan> {
  const before = text === undefined || text.trim() === '' ? EMPTY : text;
  const entries = await readEntries(path, before);
  const own = entries.filter((entry) => isShiftEnter(entry) && reachesTerminal(entry));
  const other = own.find((entry) => !makesNewline(entry));
  if (other) return {kind: 'taken', entry: JSON.stringify(other)};
  if (own.length > 0) return {kind: 'there'};
  const after = await addEntry(before);
  // Whatever the file looks like, nothing of it may get lost.
  if (!isDeepStrictEqual(await readEntries(path, after), [...entries, NEWLINE_KEY]))
    throw broken(path, 'the key cannot be added to it');
  return {kind: 'add', after};
}

/** The text with the key as the last entry of its list; all else stays as it is written. */
async function addEntry(text: string): Promise<string> {
  const {createScanner, parseTree} = await import('jsonc-parser');
  const list = parseTree(text, [], {allowTrailingComma: true});
  if (!list) return text;
  const close = list.offset + list.length - 1;
  const last = list.children?.at(-1);
  const end = last ? last.offset + last.length : list.offset + 1;
  const scanner = createScanner(text.slice(end, close), true);
  // Nothing, or a comma, is between the last entry and the bracket.
  const hasComma = !last || scanner.scan() === COMMA;
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const indent = /(?<=\n)[ \t]+$/.exec(text.slice(0, list.children?.[0]?.offset ?? 0))?.[0] ?? '  ';
  const entry = JSON.stringify(NEWLINE_KEY, null, 2).replaceAll('\n', eol + indent);
  const between = text.slice(end, close).trimEnd();
  return `${text.slice(0, end)}${hasComma ? '' : ','}${between}${eol}${indent}${entry}${eol}${text.slice(close)}`;
}

async function readEntries(path: string, text: string): Promise<readonly KeyEntry[]> {
  const {parse, printParseErrorCode} = await import('jsonc-parser');
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, {allowTrailingComma: true, disallowComments: false});
  const [first] = errors;
  if (first) {
    const lines = text.slice(0, first.offset).split('\n');
    throw broken(path, `line ${lines.length} has a fault (${printParseErrorCode(first.error)})`);
  }
  if (!Array.isArray(value)) throw broken(path, 'it is not a list in [ ]');
  return value.map((entry: unknown) => (typeof entry === 'object' && entry !== null ? entry : {}));
}

function broken(path: string, reason: string): KernelError {
  return new KernelError('EDITOR_KEYS_BROKEN', `${path} was not changed: ${reason}.`, {
    hint: 'Correct the file in your editor, and run gemini terminal-setup again.',
  });
}

function isShiftEnter({key}: KeyEntry): boolean {
  return typeof key === 'string' && key.trim().toLowerCase() === NEWLINE_KEY.key;
}

/** Entries for other parts of the window, and those that take a key away, do not matter. */
function reachesTerminal({command, when}: KeyEntry): boolean {
  if (typeof command !== 'string' || command.startsWith('-')) return false;
  return command === SEND || typeof when !== 'string' || /(?<!!\s*)\bterminalFocus\b/.test(when);
}

function makesNewline({command, args}: KeyEntry): boolean {
  const text = typeof args === 'object' && args !== null ? (args as {text?: unknown}).text : undefined;
  return command === SEND && typeof text === 'string' && NEWLINES.includes(text);
}
