import {resolvePath} from './directories.js';
import {noteUse} from './flow.js';
import type {ShellWord} from './syntax.js';
import {joinWords, openWord, type Handler, type Position, type Walk} from './walk.js';

const RUNNING = /^-(?:exec|execdir|ok|okdir)$/;
const WRITING = /^-f(?:print0?|printf|ls)$/;
const BEFORE_STARTS = /^-(?:[HLPEXdsx]+|O\d?|D)$/;

/** `find`: what it runs for each file, and what it deletes or writes. */
export const find: Handler = (walk, words, position) => {
  const starts = startsOf(words);
  const isDeleting = words.some(({value}) => value === '-delete');
  for (const start of starts) {
    if (start.value !== undefined) walk.files.push({raw: start.raw, path: resolvePath(start.value, position.directory, walk.place), access: isDeleting ? 'write' : 'read', by: 'argument'});
  }
  if (isDeleting && starts.length === 0) walk.files.push({raw: '.', path: resolvePath('.', position.directory, walk.place), access: 'write', by: 'argument'});
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at] as ShellWord;
    if (RUNNING.test(word.value ?? '')) at = runForEach(walk, {words, at, lead: leadOf(starts)}, position);
    else if (WRITING.test(word.value ?? '')) noteWritten(walk, words[(at += 1)], position);
    else if (word.value === undefined && (word.lead === '' || word.lead.startsWith('-')) && (word.splits || !isValue(words[at - 1]))) {
      noteUse(walk.flow, 'plain', word, {kind: 'dynamic', reason: 'Whether find runs something is decided while it runs.', text: joinWords(words)});
    }
  }
};

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
  return /^-(?:i?name|i?path|i?wholename|i?regex|i?lname|newer\w*|type|x?type|size|perm|user|group|[acm](?:time|min)|(?:max|min)depth|regextype|fstype|samefile|links|inum|printf)$/.test(before?.value ?? '');
}

function runForEach(walk: Walk, {words, at, lead}: {words: readonly ShellWord[]; at: number; lead: string}, position: Position): number {
  const option = words[at]?.value ?? '';
  const end = words.findIndex(({value}, index) => index > at && (value === ';' || (value === '+' && words[index - 1]?.value === '{}')));
  const last = end < 0 ? words.length : end;
  const isInPlace = option.endsWith('dir');
  const inner = words.slice(at + 1, last).map((word) => (word.value?.includes('{}') ? openWord(word.raw, word.value === '{}' ? (isInPlace ? './' : lead) : word.value.slice(0, word.value.indexOf('{}'))) : word));
  const there: Position = {...position, via: [...position.via, `find ${option}`], input: {kind: 'open'}, directory: isInPlace ? undefined : position.directory};
  if (inner.length > 0) walk.run(inner, there, joinWords(inner));
  return last;
}

function noteWritten(walk: Walk, word: ShellWord | undefined, position: Position): void {
  if (!word) return;
  const path = word.value === undefined ? undefined : resolvePath(word.value, position.directory, walk.place);
  walk.files.push({raw: word.raw, path, access: 'write', by: 'argument'});
}
