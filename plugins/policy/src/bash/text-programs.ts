import {noteUse} from './flow.js';
import type {ShellWord} from './syntax.js';
import {doubt, doubtProgram, joinWords, type Handler, type Walk} from './walk.js';

interface Programs {
  readonly found: readonly ShellWord[];
  /** A file holds one more. */
  readonly hasFile: boolean;
}

/** Options that name a file with a program: with the file as the next word, and in the same one. */
const NAMES_FILE = {next: /^(?:-[nErsuz]*f|--file)$/, same: /^(?:-[nErsuz]*f.|--fi)/};

/** The texts that sed or awk is handed as its program: behind some options, else the first word that is no option. */
function programsOf(words: readonly ShellWord[], {programs, values}: {programs: RegExp; values: RegExp}): Programs {
  const found: ShellWord[] = [];
  let hasFile = false;
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at] as ShellWord;
    const option = programs.exec(word.lead)?.[0];
    if (option !== undefined) {
      const program = behind(word, option) ?? words[(at += 1)];
      if (program) found.push(program);
      continue;
    }
    if (isOperand(word)) return orElse({found, hasFile}, word);
    const text = word.value ?? '';
    const takesNext = values.test(text);
    hasFile ||= takesNext ? NAMES_FILE.next.test(text) : NAMES_FILE.same.test(word.lead);
    if (takesNext) at += 1;
  }
  return {found, hasFile};
}

function isOperand({value, lead}: ShellWord): boolean {
  return !lead.startsWith('-') || value === '-';
}

/** The first operand is the program when no option gives one. */
function orElse({found, hasFile}: Programs, operand: ShellWord): Programs {
  return {found: found.length === 0 && !hasFile ? [operand] : found, hasFile};
}

/** What stands behind an option in the same word; undefined when nothing does. */
function behind(word: ShellWord, {length}: string): ShellWord | undefined {
  if (word.lead.length === length && word.value !== undefined) return undefined;
  return {...word, value: word.value?.slice(length), lead: word.lead.slice(length)};
}

function judge(
  walk: Walk,
  words: readonly ShellWord[],
  {found, hasFile, runs}: Programs & {readonly runs: (text: string) => boolean},
): void {
  const text = joinWords(words);
  if (hasFile) doubtProgram(walk, 'Its program is written in a file.', text);
  for (const word of found) {
    // Of a text with expansions in it, what surrounds them is looked at all the same.
    if (runs(word.value ?? word.raw.slice(1, -1)))
      doubt(walk, 'Its program runs or writes what only running it could tell.', text);
    else if (word.value === undefined)
      noteUse(walk.flow, 'plain', word, {kind: 'dynamic', reason: 'Its program is decided while it runs.', text});
  }
}

/** `sed`: its scripts may run commands (`e`) and write files (`w`). */
export const sed: Handler = (walk, words) => {
  judge(walk, words, {
    ...programsOf(words, {
      programs: /^(?:-[nErsuz]*e|--expression=?)/,
      values: /^(?:-l|-[nErsuz]*f|--file|--line-length)$/,
    }),
    runs: runsInSed,
  });
};

/** Whether a script of sed has, outside its patterns, what could be `e` or `w`. */
export function runsInSed(script: string): boolean {
  let rest = script;
  let plain = '';
  while (rest !== '') {
    const substitution = /^([sy])([^\\\n\w\s])/.exec(rest);
    const isCommand = substitution && /(?:^|[\s;{}!,\d$/])$/.test(plain);
    const address = isCommand ? null : /^\/(?:[^/\\\n]|\\.)*\//.exec(rest);
    if (isCommand) {
      const mark = (substitution[2] as string).replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
      const all = new RegExp(
        `^.${mark}((?:[^${mark}\\\\]|\\\\[^])*)${mark}((?:[^${mark}\\\\]|\\\\[^])*)${mark}([\\w]*)`,
      ).exec(rest);
      if (!all) return true;
      if (/[eEwW]/.test(all[3] ?? '')) return true;
      plain += ';';
      rest = rest.slice(all[0].length);
    } else {
      plain += address ? '/' : (rest[0] as string);
      rest = rest.slice(address?.[0].length ?? 1);
    }
  }
  // The text of a, i, c and the names of labels and files are no commands.
  const commands = plain
    .replaceAll(/(^|[;{}\s\d$/!])([aic])(?:\\\n|\s*\\?)[^\n]*/g, '$1')
    .replaceAll(/(^|[;{}\s])[bt:]\s*\w+/g, '$1')
    .replaceAll(/(^|[;{}\s\d$/!])r\s+\S+/g, '$1');
  return /[eEwW]/.test(commands);
}

/** `awk`: its programs may run commands. */
export const awk: Handler = (walk, words) => {
  judge(walk, words, {
    ...programsOf(words, {
      programs: /^(?:-e|--source=?)/,
      values: /^(?:-F|-v|-f|--file|--assign|--field-separator|-i|--include|-l|--load)$/,
    }),
    runs: runsInAwk,
  });
  if (words.some(({value}) => /^(?:-l|--load|-i|--include)/.test(value ?? '')))
    doubt(walk, 'It loads more than the line shows.', joinWords(words));
};

/** Whether a program of awk has a pipe, a call of `system`, a call by name, or loads a library. */
export function runsInAwk(program: string): boolean {
  const bare = program
    .replaceAll(/"(?:[^"\\\n]|\\[^])*"/g, '""')
    .replaceAll(/(^|[(,~!{};&|]|\n)(\s*)\/(?:[^/\\\n"]|\\.)*\//g, '$1$2R')
    .replaceAll('||', ' ');
  return /\bsystem\b|\||@/.test(bare);
}
