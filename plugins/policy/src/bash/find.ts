import {expandWord} from './expand-word.js';
import {noteUse} from './flow.js';
import {noteArgument, noteFiles} from './note-files.js';
import {foundPaths} from './found-paths.js';
import {baseOfShape, shapeOf} from './shape.js';
import type {ShellWord} from './syntax.js';
import {joinWords, NOWHERE_KNOWN, openWord, type Handler, type Position, type Walk} from './walk.js';

const RUNNING = /^-(?:exec|execdir|ok|okdir)$/;
const WRITING = /^-f(?:print0?|printf|ls)$/;
const BEFORE_STARTS = /^-(?:[HLPEXdsx]+|O\d?|D)$/;

/** `find`: what it runs for each file, and what it deletes or writes. */
export const find: Handler = (walk, words, position) => {
  const starts = startsOf(words);
  const args = words.slice(1).map((word) => expandWord(walk, word, position));
  const found = foundPaths(words.slice(1), args);
  noteUnclear(walk, words);
  noteStarts(walk, words, {starts, found, position});
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at] as ShellWord;
    if (RUNNING.test(word.value ?? '')) at = runForEach(walk, {words, at, lead: leadOf(starts), found}, position);
    else if (WRITING.test(word.value ?? '')) noteWritten(walk, words[(at += 1)], position);
    else if (mayRun(word, words[at - 1]))
      noteUse(walk.flow, 'plain', word, {
        kind: 'dynamic',
        reason: 'Whether find runs something is decided while it runs.',
        text: joinWords(words),
      });
  }
};

/** Notes where it starts, and all that it comes by when it deletes. */
function noteStarts(
  walk: Walk,
  words: readonly ShellWord[],
  {starts, found, position}: {starts: readonly ShellWord[]; found: readonly string[]; position: Position},
): void {
  const isDeleting = words.some(({value}) => value === '-delete');
  const how = isDeleting ? ({access: 'write', by: 'argument'} as const) : ({access: 'read', by: 'name'} as const);
  for (const start of starts) noteFiles(walk, start, {position, ...how});
  if (isDeleting)
    noteArgument(walk, joinWords(words), {shapes: found, isMany: true, isSplit: false}, {position, ...how});
}

/** Whether an unknown word could be a test that runs something. */
function mayRun(word: ShellWord, before: ShellWord | undefined): boolean {
  if (word.value !== undefined || (word.lead !== '' && !word.lead.startsWith('-'))) return false;
  return word.splits || !isValue(before);
}

const LOOKING =
  /^-(?:i?name|i?path|i?wholename|i?regex|regextype|type|xtype|size|perm|user|group|newer|[acm](?:time|min)|(?:max|min)depth|empty|executable|readable|writable|prune|print0?|not|o|or|a|and|xdev|mount|depth|quit|[HLP])$/;

/** The product lets it pass with tests that only look. */
function noteUnclear(walk: Walk, words: readonly ShellWord[]): void {
  const at = walk.commands.length - 1;
  const command = walk.commands[at];
  const odd = words
    .slice(1)
    .find(({value, lead}) => (lead.startsWith('-') || value === undefined) && !LOOKING.test(value ?? ''));
  const isKnown = odd === undefined || (odd.value === undefined && /^[^-]/.test(odd.lead));
  if (command && !isKnown)
    walk.commands[at] = {...command, unclear: `${odd.raw} is not on the list of what find does when it only looks.`};
}

function startsOf(words: readonly ShellWord[]): readonly ShellWord[] {
  const given = words.slice(1);
  const first = given.findIndex(({value}) => !BEFORE_STARTS.test(value ?? ''));
  const rest = first < 0 ? [] : given.slice(first);
  const end = rest.findIndex(({lead}) => /^[-(!,]/.test(lead));
  return end < 0 ? rest : rest.slice(0, end);
}

function leadOf([start, ...more]: readonly ShellWord[]): string {
  return start === undefined ? './' : more.length === 0 ? start.lead : '';
}

/** Whether a word is a test that takes the next one as its value. */
function isValue(before: ShellWord | undefined): boolean {
  return /^-(?:i?name|i?path|i?wholename|i?regex|i?lname|newer\w*|type|x?type|size|perm|user|group|[acm](?:time|min)|(?:max|min)depth|regextype|fstype|samefile|links|inum|printf)$/.test(
    before?.value ?? '',
  );
}

function runForEach(walk: Walk, {words, at, lead, found}: Each, position: Position): number {
  const option = words[at]?.value ?? '';
  const end = words.findIndex(
    ({value}, index) => index > at && (value === ';' || (value === '+' && words[index - 1]?.value === '{}')),
  );
  const last = end < 0 ? words.length : end;
  const isInPlace = option.endsWith('dir');
  const names = isInPlace ? found.map((shape) => `./${baseOfShape(shape)}`) : found;
  const inner = words.slice(at + 1, last).map((word) => fill(word, {lead: isInPlace ? './' : lead, names}));
  const there: Position = {
    ...position,
    via: [...position.via, `find ${option}`],
    input: {kind: 'open'},
    directories: isInPlace ? NOWHERE_KNOWN : position.directories,
  };
  if (inner.length > 0) walk.run(inner, there, joinWords(inner));
  return last;
}

function noteWritten(walk: Walk, word: ShellWord | undefined, position: Position): void {
  if (!word) return;
  noteFiles(walk, word, {position, access: 'write', by: 'argument'});
}

interface Each {
  readonly words: readonly ShellWord[];
  readonly at: number;
  readonly lead: string;
  /** The paths that it comes by. */
  readonly found: readonly string[];
}

/** A word with `{}` in it, which stands for each path. */
function fill(word: ShellWord, {lead, names}: {lead: string; names: readonly string[]}): ShellWord {
  const at = word.value?.indexOf('{}') ?? -1;
  if (word.value === undefined || at < 0) return word;
  const shapes = names.map((name) => shapeOf(word.value ?? '').replaceAll('{}', () => name));
  return openWord(word.raw, at === 0 ? (word.value === '{}' ? lead : '') : word.value.slice(0, at), shapes);
}
