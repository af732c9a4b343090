import {basename} from 'node:path';
import {messageOf} from '@gemini-kernel/kernel';
import type {CommandFault, CustomCommand, ShellKind} from '../contract.js';
import {parseTemplate} from '../template/parse-template.js';
import {TemplateFault} from '../template/template-fault.js';

/** What a file says of a command. */
export type Described = Pick<CustomCommand, 'description' | 'argumentHint' | 'parts'>;

const MOST_LETTERS = 100;

interface Place {
  readonly line: number;
  readonly column: number;
}

/** A file that is being read. */
interface Source {
  readonly file: string;
  readonly text: string;
  readonly shell: ShellKind;
}

type Table = Readonly<Record<string, unknown>>;

/** Reads the text of a TOML file. */
export async function parseFile(file: string, text: string, shell: ShellKind): Promise<Described | CommandFault> {
  const source = {file, text: text.replace(/^\uFEFF/, ''), shell};
  const {parse} = await import('smol-toml');
  let table: Table;
  try {
    table = parse(source.text);
  } catch (error) {
    const {line, column} = error as Partial<Place>;
    if (line === undefined || column === undefined) throw error;
    const [message = ''] = messageOf(error).split('\n');
    return faultAt(file, {line, column}, message.replace(/^Invalid TOML document: /, ''));
  }
  return describeTable(table, source);
}

function describeTable({prompt, ...table}: Table, source: Source): Described | CommandFault {
  const {file, text} = source;
  if (prompt === undefined) return faultAt(file, {line: 1, column: 1}, 'it has no prompt');
  if (typeof prompt !== 'string' || prompt.trim() === '')
    return faultAt(file, placeOfKey(text, 'prompt'), 'prompt must be a text that is not empty');
  const odd = ['description', 'argument-hint'].find((key) => !['string', 'undefined'].includes(typeof table[key]));
  if (odd !== undefined) return faultAt(file, placeOfKey(text, odd), `${odd} must be a text`);
  const [description, hint] = [table['description'], table['argument-hint']].map((one) => cut(String(one ?? '')));
  try {
    const parts = parseTemplate(prompt, source.shell);
    return {
      description: description || `Custom command from ${basename(file)}`,
      ...(hint ? {argumentHint: hint} : {}),
      parts,
    };
  } catch (error) {
    if (!(error instanceof TemplateFault)) throw error;
    return faultAt(file, placeInPrompt(text, prompt, error.offset), error.message);
  }
}

/** Where a character of the prompt is in the file: the text before it is looked for, line by line. */
function placeInPrompt(text: string, prompt: string, offset: number): Place {
  const before = prompt.slice(0, offset).split('\n');
  const line = prompt.split('\n')[before.length - 1] ?? '';
  const start = text.search(/^\s*(?:prompt|"prompt"|'prompt')\s*=/m);
  const found = line.trim() === '' ? -1 : findLine(text, line, {start: Math.max(0, start), skip: before});
  if (found < 0) return placeOfKey(text, 'prompt');
  return placeAt(text, found + (before.at(-1)?.length ?? 0));
}

/** The n-th time that a line is in a text, if the lines before it are the same n - 1 times. */
function findLine(
  text: string,
  line: string,
  {start, skip}: {readonly start: number; readonly skip: readonly string[]},
): number {
  let at = text.indexOf(line, start);
  for (const earlier of skip.slice(0, -1)) if (earlier.includes(line)) at = text.indexOf(line, at + 1);
  return at;
}

function placeOfKey(text: string, key: string): Place {
  const at = text.search(new RegExp(`^[ \\t]*["']?${key}["']?[ \\t]*=`, 'm'));
  return placeAt(text, Math.max(0, at));
}

function placeAt(text: string, at: number): Place {
  const lines = text.slice(0, at).split('\n');
  return {line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1};
}

function faultAt(file: string, {line, column}: Place, why: string): CommandFault {
  const reason = `${file}, line ${line}, column ${column}: ${why.replace(/\.$/, '')}.`;
  return {file, kind: 'broken', line, column, reason};
}

/** On one line, without control characters. */
function cut(text: string): string {
  const clean = text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
  return clean.length > MOST_LETTERS ? `${clean.slice(0, MOST_LETTERS - 3)}...` : clean;
}
