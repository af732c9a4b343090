import type {ArgumentCompletion, SlashCommand} from '../contract.js';
import {setTimeout as delay} from 'node:timers/promises';
import {listPaths, searchFiles, type FilePlaces, type FileSearch} from './find-files.js';

/** The possible replacements of the text from `from` up to the cursor. */
export interface Completion {
  readonly from: number;
  readonly typed: string;
  readonly candidates: readonly string[];
}

/** The slash commands, and the completion of their arguments. */
export interface CommandPlaces {
  list(): Promise<readonly SlashCommand[]>;
  complete(line: string, signal: AbortSignal): Promise<ArgumentCompletion | undefined>;
}

/** How long what is no file is waited for. */
const OTHERS_MS = 500;
/** Characters that end an `@path`, unless a backslash precedes them. */
const SPECIAL = /[\s,;!?()[\]{}\\"']/g;

/** Completes the text before the cursor. Rejects with the signal's reason. */
export async function findCompletion(
  before: string,
  commands: CommandPlaces,
  places: FilePlaces,
  search: FileSearch,
): Promise<Completion> {
  const at = /(?:^|[^\\])@((?:\\.|[^\s\\,;!?()[\]{}"'])*)$/.exec(before);
  const isSlash = /^\s*\/[^\s/]*(?:\s|$)/.test(before);
  if (at && !isSlash) {
    const typed = at[1] ?? '';
    const [others, found] = await Promise.all([
      orNone(completeOthers(before, typed, commands, search.signal)),
      searchFiles(unescape(typed), places, search),
    ]);
    const candidates = [...others, ...found.map(escapePath)];
    return {from: before.length - typed.length, typed, candidates};
  }
  if (!isSlash) return {from: before.length, typed: '', candidates: []};
  const known = await commands.list();
  search.signal.throwIfAborted();
  const argument = await commands.complete(before, search.signal);
  if (argument) return {from: before.length - argument.typed.length, ...argument};
  return completeCommand(before, known, places, search.signal);
}

/** What `@text` can name beside files. */
async function completeOthers(
  before: string,
  typed: string,
  commands: CommandPlaces,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const found = await commands.complete(before, signal).catch(() => undefined);
  return found?.typed === typed ? found.candidates : [];
}

/** Files do not wait for a server that is slow. */
function orNone(others: Promise<readonly string[]>): Promise<readonly string[]> {
  return Promise.race([others, delay(OTHERS_MS, [], {ref: false})]);
}

async function completeCommand(
  before: string,
  commands: readonly SlashCommand[],
  places: FilePlaces,
  signal: AbortSignal,
): Promise<Completion> {
  const [, lead = '', line = ''] = /^(\s*\/)(.*)$/s.exec(before) ?? [];
  const typed = /(?:\\.|\S)*$/.exec(line)?.[0] ?? '';
  const words = line
    .slice(0, line.length - typed.length)
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '');
  const next = commands
    .filter(
      (command) => command.words.length > words.length && words.every((word, index) => command.words[index] === word),
    )
    .map((command) => command.words[words.length] ?? '');
  const from = lead.length + line.length - typed.length;
  const matching = [...new Set(next)].filter((word) => word.startsWith(typed)).sort();
  if (matching.length > 0 || words.length === 0) return {from, typed, candidates: matching};
  // A comma separates names, unless a backslash precedes it.
  const name = /(?:\\.|[^\s\\,])*$/.exec(typed)?.[0] ?? '';
  const found = await listPaths(unescape(name), places, signal);
  return {from: from + typed.length - name.length, typed: name, candidates: found.map(escapePath)};
}

/** The inserted text: the candidate itself if there is one, otherwise the common beginning of all. */
export function chooseCompletion({typed, candidates}: Completion): string {
  const [first] = candidates;
  if (first === undefined) return typed;
  if (candidates.length === 1) return first.endsWith('/') ? first : `${first} `;
  const common = candidates.reduce(commonStart);
  return common.length > typed.length && common.startsWith(typed) ? common : typed;
}

function commonStart(a: string, b: string): string {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  // Not within a surrogate pair.
  return /[\ud800-\udbff]$/.test(a.slice(0, length)) ? a.slice(0, length - 1) : a.slice(0, length);
}

function escapePath(path: string): string {
  return path.replace(SPECIAL, '\\$&');
}

function unescape(text: string): string {
  return text.replace(/\\(.)/g, '$1');
}
