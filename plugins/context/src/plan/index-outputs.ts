import {join} from 'node:path';
import type {Entry, Piece} from '@gemini-kernel/plugin-agent/contract';
import type {OutputFile, OutputFiles} from '../store/output-files.js';
import {textOf} from './stand-in.js';

/** Shorter output is part of what a summary can say. */
const LEAST_CHARACTERS = 200;
/** What is kept of one compression, the newest first. */
const MOST_FILES = 2000;
const MOST_CHARACTERS = 64 * 1024 * 1024;
/** Lines in the summary itself; the others are in the index. */
const MOST_LINES = 20;
const WIDEST = 160;

interface Indexed {
  /** What to add to the summary; undefined when there is nothing to keep. */
  readonly text?: string;
  readonly kept: readonly OutputFile[];
}

/** Keeps the outputs that a summary replaces, and lists them: the newest in the summary, all of them in a file. */
export function indexOf(entries: readonly Entry[], files: OutputFiles): Indexed {
  const calls = new Map<string, Extract<Piece, {kind: 'call'}>>();
  const kept: OutputFile[] = [];
  const lines: string[] = [];
  for (const {message} of entries)
    for (const piece of message.pieces) if (piece.kind === 'call') calls.set(piece.id, piece);
  const results = entries.flatMap(({message}) => message.pieces.filter((piece) => piece.kind === 'result'));
  let characters = 0;
  for (const {id, name, output} of results.reverse()) {
    if (textOf(output).length < LEAST_CHARACTERS && output.every((part) => 'text' in part)) continue;
    const planned = files.plan(name, output);
    characters += planned.reduce((sum, {content}) => sum + content.length, 0);
    if (characters > MOST_CHARACTERS || kept.length > MOST_FILES) break;
    kept.push(...planned);
    const input = JSON.stringify(calls.get(id)?.input ?? {});
    lines.push(...planned.map(({path}) => `${path}  ${name} ${input.slice(0, WIDEST)}`));
  }
  if (lines.length === 0) return {kept: []};
  const index = files.planText('index', `${[...earlierOf(entries), ...lines].join('\n')}\n`);
  const text = [
    '<earlier_tool_output>',
    'The tool output of that part is kept in files. Read or search them before you do the same again.',
    `All of them are listed in ${index.path}; to search them all, search the folder ${join(files.folder)}.`,
    ...lines.slice(0, MOST_LINES),
    '</earlier_tool_output>',
  ].join('\n');
  return {text, kept: [...kept, index]};
}

const INDEX = /^All of them are listed in (.+); to search/m;

/** The index of the summary before this one. */
function earlierOf(entries: readonly Entry[]): readonly string[] {
  return entries.slice(0, 3).flatMap(({origin, message}) => {
    const [first] = message.pieces;
    const found = origin === 'agent' && first?.kind === 'text' ? INDEX.exec(first.text)?.[1] : undefined;
    return found === undefined ? [] : [`${found}  what came before these`];
  });
}
