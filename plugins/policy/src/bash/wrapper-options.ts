import {enter} from './directories.js';
import {noteUse} from './flow.js';
import {cutWord, plainWord} from './source.js';
import type {ShellWord} from './syntax.js';
import {doubt, joinWords, NOWHERE_KNOWN, type Directories, type Position, type Walk} from './walk.js';
import type {Wrapper} from './wrapper.js';

/** What the options of a command that runs others say. */
export interface WrapperOptions {
  /** The words after them. */
  readonly rest: readonly ShellWord[];
  readonly directories: Directories;
  readonly scripts: readonly ShellWord[];
  /** What stands for the words that are added: `{}`. */
  readonly slot: string | undefined;
  readonly isIdle: boolean;
  /** It is handed words from elsewhere than its input, or splits them otherwise. */
  readonly isOdd: boolean;
}

interface Found {
  directories: Directories;
  readonly scripts: ShellWord[];
  slot: string | undefined;
  isIdle: boolean;
  isOdd: boolean;
}

/** The words of a wrapper while they are read. */
interface Reading {
  readonly walk: Walk;
  readonly wrapper: Wrapper;
  readonly name: string;
  readonly position: Position;
  /** All its words. */
  readonly words: readonly ShellWord[];
  /** Those that are still to be read. */
  readonly queue: ShellWord[];
  /** Words before the command, where options may follow them. */
  readonly operands: ShellWord[];
  readonly found: Found;
}

/** What comes after a word: the next one, the command, or nothing, for where the options end cannot be determined. */
type Step = 'next' | 'end' | 'unclear';

/** Reads the options of a wrapper; undefined, and a doubt, when where they end cannot be determined. */
export function readWrapperOptions(
  walk: Walk,
  words: readonly ShellWord[],
  {wrapper, name, position}: {wrapper: Wrapper; name: string; position: Position},
): WrapperOptions | undefined {
  const {directories} = position;
  const found: Found = {directories, scripts: [], slot: undefined, isIdle: false, isOdd: false};
  const queue = [...words];
  const operands: ShellWord[] = [];
  const reading: Reading = {walk, wrapper, name, position, words, queue, operands, found};
  for (let word = queue.shift(); word; word = queue.shift()) {
    const step = takeWord(reading, word);
    if (step === 'unclear') return undefined;
    if (step === 'end') break;
  }
  return {...found, rest: [...operands, ...queue]};
}

function takeWord(reading: Reading, word: ShellWord): Step {
  const {walk, wrapper, name} = reading;
  const {value, lead} = word;
  if (value === undefined && lead === '' && !mayStandFirst(walk, word, name)) return giveUp(reading, word);
  if (!lead.startsWith('-') || (value === '-' && name !== 'env')) return takeOperand(reading, word);
  if (value === '--') return 'end';
  if (isMark(word, wrapper)) return 'next';
  const options = splitOption(word, wrapper);
  return options ? takeOptions(reading, options) : giveUp(reading, word);
}

/** Says that it is unknown where the command begins, and goes through the first words that may be it. */
function giveUp({walk, name, position, words, queue}: Reading, word: ShellWord): Step {
  doubt(walk, `Which command ${name} runs cannot be determined behind ${word.raw}.`, joinWords(words));
  const first = queue.findIndex(({lead}) => !lead.startsWith('-'));
  if (first >= 0) walk.run(queue.slice(first), position, joinWords(queue.slice(first)));
  return 'unclear';
}

function takeOperand({wrapper, operands, queue}: Reading, word: ShellWord): Step {
  if (wrapper.permutes && operands.length < (wrapper.operands ?? 0)) {
    operands.push(word);
    return 'next';
  }
  queue.unshift(word);
  return 'end';
}

function takeOptions(reading: Reading, options: readonly Option[]): Step {
  for (const {option, takes, attached} of options) {
    const value = takes === 'value' ? (attached ?? reading.queue.shift()) : attached;
    if (value?.splits) return giveUp(reading, value);
    applyOption(reading, option, value);
  }
  return 'next';
}

/** Whether an unknown word is surely no option, or made only of what the person set. */
function mayStandFirst(walk: Walk, word: ShellWord, name: string): boolean {
  if (word.splits || word.isOpen) return false;
  noteUse(walk.flow, 'plain', word, {
    kind: 'dynamic',
    reason: `Which command ${name} runs is decided while it runs.`,
    text: word.raw,
  });
  return true;
}

function applyOption(reading: Reading, option: string, value: ShellWord | undefined): void {
  const {walk, wrapper, found, position} = reading;
  if (value && has(wrapper.scripts, option)) found.scripts.push(value);
  if (has(wrapper.directory, option))
    found.directories = value ? enter(walk, value, {...position, directories: found.directories}) : NOWHERE_KNOWN;
  if (has(wrapper.idle?.split(' '), option)) found.isIdle = true;
  if (wrapper.adds) applyAdding(found, option, value);
  if (has(wrapper.split, option)) splitWords(reading, option, value);
}

function has(list: readonly string[] | undefined, option: string): boolean {
  return list?.includes(option) === true;
}

/** Options of xargs and its like, which say where the words come from and where they go. */
function applyAdding(found: Found, option: string, value: ShellWord | undefined): void {
  if (/^(?:a|arg-file|d|delimiter|E|e|eof|L|s)$/.test(option)) found.isOdd = true;
  if (/^(?:I|i|replace|J)$/.test(option)) found.slot = value ? (value.value ?? '') : '{}';
}

/** Puts the words of a value in front of those that are still to be read. */
function splitWords({walk, queue}: Reading, option: string, value: ShellWord | undefined): void {
  const text = value?.value;
  if (text === undefined || !/^[\w\s./:@%+,=-]*$/.test(text))
    return doubt(walk, 'What it splits into words is decided while it runs.', value?.raw ?? option);
  const parts = text.split(/\s+/).filter(Boolean);
  queue.unshift(...parts.map((part) => plainWord(part)));
}

interface Option {
  readonly option: string;
  readonly takes: 'value' | 'nothing';
  readonly attached: ShellWord | undefined;
}

/** A word that is an option alone: `env -`, `nice -5`. */
function isMark({value = ''}: ShellWord, {numeric = false}: Wrapper): boolean {
  return value === '-' || (numeric && /^--?\d+$/.test(value));
}

/** The options that one word holds; undefined when one is not known. */
function splitOption(word: ShellWord, wrapper: Wrapper): readonly Option[] | undefined {
  if (word.value === undefined && !/^--?\w/.test(word.lead)) return undefined;
  return word.lead.startsWith('--') ? splitLong(word, wrapper) : splitLetters(word, wrapper);
}

function splitLong(word: ShellWord, wrapper: Wrapper): readonly Option[] | undefined {
  const [, option = '', equals] = /^--([\w-]+)(=?)/.exec(word.lead) ?? [];
  const [takesValue, standsAlone] = [isListed(wrapper, `${option}=`), isListed(wrapper, option)];
  if (!takesValue && !standsAlone) return undefined;
  if (equals === '=') return [{option, takes: 'value', attached: cutWord(word, option.length + 3)}];
  if (word.value === undefined) return undefined;
  return [{option, takes: standsAlone ? 'nothing' : 'value', attached: undefined}];
}

function splitLetters(word: ShellWord, wrapper: Wrapper): readonly Option[] | undefined {
  const options: Option[] = [];
  for (let at = 1; at < word.lead.length; at += 1) {
    const option = word.lead[at] as string;
    const takes = takesValue(wrapper, option) ? 'value' : 'nothing';
    if (takes === 'value' || wrapper.attached?.includes(option)) {
      const isLast = at === word.lead.length - 1 && word.value !== undefined;
      return [...options, {option, takes, attached: isLast ? undefined : cutWord(word, at + 1)}];
    }
    if (!isFlag(wrapper, option)) return undefined;
    options.push({option, takes: 'nothing', attached: undefined});
  }
  return word.value === undefined ? undefined : options;
}

function isFlag({flags, idle}: Wrapper, option: string): boolean {
  return flags?.includes(option) || has(idle?.split(' '), option);
}

function takesValue({values, scripts, directory, split}: Wrapper, option: string): boolean {
  return values?.includes(option) || [scripts, directory, split].some((list) => has(list, option));
}

function isListed({long, scripts, directory, split, idle}: Wrapper, option: string): boolean {
  if (long?.split(' ').includes(option) || idle?.split(' ').includes(option)) return true;
  const name = option.endsWith('=') ? option.slice(0, -1) : undefined;
  return name !== undefined && [scripts, directory, split].some((list) => list?.includes(name));
}
