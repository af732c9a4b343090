import {noteAssignment} from './variables.js';
import {noteUse} from './flow.js';
import {enter} from './directories.js';
import {shapeOf, unique} from './shape.js';
import {cutWord, plainWord} from './source.js';
import type {ShellWord} from './syntax.js';
import {
  doubt,
  joinWords,
  openWord,
  runWordAsText,
  stay,
  NOWHERE_KNOWN,
  type Directories,
  type Outcome,
  type Position,
  type Walk,
} from './walk.js';
import type {Wrapper} from './wrappers.js';

interface Options {
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

function linesOf({input}: Position): readonly string[] | undefined {
  return input.kind === 'open' ? input.lines : input.kind === 'text' ? input.text.split('\n').map(shapeOf) : undefined;
}

/** Goes through what a command that runs others runs. `name` is what it is called, with its subcommand. */
export function unwrap(
  walk: Walk,
  words: readonly ShellWord[],
  {wrapper, name, position}: {wrapper: Wrapper; name: string; position: Position},
): Outcome {
  const inner: Position = {
    ...position,
    via: [...position.via, name],
    input: wrapper.adds ? {kind: 'open'} : position.input,
  };
  const options = readOptions(walk, words, {wrapper, name, position: inner});
  if (!options) return stay(position);
  const {directories, scripts, isIdle} = options;
  const there = {...inner, directories};
  for (const script of scripts) runWordAsText(walk, script, there);
  if (isIdle) return stay(position);
  const rest = scripts.length > 0 ? [] : wrapper.assigns ? skipAssignments(walk, options.rest, there) : options.rest;
  const operands = rest.slice(wrapper.operands ?? 0);
  if (wrapper.isOptional && operands.length === 0 && rest.length > 0) return walk.run(rest, there, joinWords(rest));
  // A word before the command that splits hides where the command begins.
  if (rest.slice(0, wrapper.operands ?? 0).some(({splits}) => splits))
    doubt(walk, `Which command ${name} runs is decided while it runs.`, joinWords(rest));
  if (operands.length === 0) {
    if (wrapper.bare === 'shell' && scripts.length === 0) startShell(walk, name, there);
    if (wrapper.bare === 'echo') walk.run([plainWord('echo'), openWord('…')], there, 'echo …');
    return stay(position);
  }
  // The word that may be left out may be the command.
  if (wrapper.isOptional && rest.length > operands.length) walk.run(rest, there, joinWords(rest));
  if (operands[0]?.lead.startsWith('-'))
    doubt(walk, `What ${name} makes of ${operands[0].raw} cannot be told.`, joinWords(rest));
  const outcome = runOperands(walk, operands, {
    wrapper,
    position: there,
    slot: options.slot,
    lines: options.isOdd ? undefined : linesOf(position),
  });
  return wrapper.isBuiltin ? outcome : stay(position);
}

function startShell(walk: Walk, name: string, position: Position): void {
  if (position.input.kind === 'text') walk.runText(position.input.text, position);
  else doubt(walk, `${name} starts a shell, which runs what it is handed.`, name);
}

interface Run {
  readonly wrapper: Wrapper;
  readonly position: Position;
  readonly slot: string | undefined;
  /** What it is handed, as far as that is known. */
  readonly lines: readonly string[] | undefined;
}

function runOperands(walk: Walk, operands: readonly ShellWord[], {wrapper, position, slot, lines}: Run): Outcome {
  if (wrapper.adds && wrapper.joins) return runTemplate(walk, operands, position);
  if (wrapper.each) for (const word of operands) runWordAsText(walk, word, position);
  else if (wrapper.joins) joinAndRun(walk, operands, position);
  else {
    const words = wrapper.adds ? addWords(operands, {slot, lines}) : operands;
    return walk.run(words, position, joinWords(words));
  }
  return stay(position);
}

/** Goes through words that are joined and handed to a shell. */
export function joinAndRun(walk: Walk, words: readonly ShellWord[], position: Position): Outcome {
  if (words.every(({value}) => value !== undefined))
    return walk.runText(words.map(({value}) => value).join(' '), position);
  doubt(walk, 'What it hands to a shell is decided while it runs.', joinWords(words));
  return walk.run(words, position, joinWords(words));
}

/** GNU parallel: a command to which words are added, or whole commands after `:::`. */
function runTemplate(walk: Walk, words: readonly ShellWord[], position: Position): Outcome {
  const separator = words.findIndex(({value}) => /^:::/.test(value ?? ''));
  const template = separator < 0 ? words : words.slice(0, separator);
  if (separator === 0)
    for (const word of words) if (!/^:::\+?$/.test(word.value ?? '')) runWordAsText(walk, word, position);
  if (separator === 0 || template.length === 0) return stay(position);
  if (template.some(({value}) => value === undefined || /[^\w\s./:@%+,={}-]/.test(value)))
    doubt(walk, 'A shell reads what it puts together.', joinWords(words));
  return walk.run([...template, openWord('…')], position, joinWords(words));
}

function addWords(operands: readonly ShellWord[], {slot, lines}: Pick<Run, 'slot' | 'lines'>): readonly ShellWord[] {
  // The words of a line are words of their own; quotes and backslashes are taken away.
  const isPlain = lines?.every((line) => !/['"\\]/.test(line));
  const words = isPlain
    ? unique(lines?.flatMap((line) => [...line.split(/[ \t]+/), line]).filter(Boolean) ?? [])
    : undefined;
  if (slot === undefined || slot === '') {
    const added = openWord('…', '', words);
    return [...operands, {...added, expansions: added.expansions.map((one) => ({...one, isQuoted: false}))}];
  }
  return operands.map((word) => {
    if (!word.value?.includes(slot)) return word;
    const text = shapeOf(word.value);
    return openWord(
      word.raw,
      word.value.slice(0, word.value.indexOf(slot)),
      words?.map((one) => text.replaceAll(slot, () => one)),
    );
  });
}

function skipAssignments(walk: Walk, words: readonly ShellWord[], position: Position): readonly ShellWord[] {
  let at = 0;
  for (const word of words) {
    const [head, name = ''] = /^([^=]*)=/.exec(word.lead) ?? [];
    if (head === undefined) break;
    noteAssignment(walk, {name, value: cutWord(word, head.length), raw: word.raw, prefixOf: undefined}, position);
    at += 1;
  }
  return words.slice(at);
}

/** Reads the options of a wrapper; undefined, and a doubt, when where they end cannot be told. */
function readOptions(
  walk: Walk,
  words: readonly ShellWord[],
  {wrapper, name, position}: {wrapper: Wrapper; name: string; position: Position},
): Options | undefined {
  const found = {
    directories: position.directories,
    scripts: [] as ShellWord[],
    slot: undefined as string | undefined,
    isIdle: false,
    isOdd: false,
  };
  const queue = [...words];
  const operands: ShellWord[] = [];
  const unclear = (word: ShellWord): undefined => {
    doubt(walk, `Which command ${name} runs cannot be told behind ${word.raw}.`, joinWords(words));
    for (let at = 1; at <= queue.length; at += 1)
      if (queue[at - 1]?.lead.startsWith('-') === false)
        return void walk.run(queue.slice(at - 1), position, joinWords(queue.slice(at - 1)));
    return undefined;
  };
  for (let word = queue.shift(); word; word = queue.shift()) {
    if (word.value === undefined && word.lead === '' && !mayStandFirst(walk, word, name)) return unclear(word);
    if (!word.lead.startsWith('-') || (word.value === '-' && name !== 'env')) {
      if (wrapper.permutes && operands.length < (wrapper.operands ?? 0)) {
        operands.push(word);
        continue;
      }
      queue.unshift(word);
      break;
    }
    if (word.value === '--') break;
    if (word.value === '-' || (wrapper.numeric && /^--?\d+$/.test(word.value ?? ''))) continue;
    const options =
      word.value === undefined && !/^--?\w[\w-]*=?/.test(word.lead) ? undefined : splitOption(word, wrapper);
    if (!options) return unclear(word);
    for (const {option, takes, attached} of options) {
      const value = takes === 'value' ? (attached ?? queue.shift()) : attached;
      if (value?.splits) return unclear(value);
      applyOption(walk, {option, value}, {wrapper, found, queue, position});
    }
  }
  return {...found, rest: [...operands, ...queue]};
}

/** Whether a word that nobody knows is surely no option, or made only of what the person set. */
function mayStandFirst(walk: Walk, word: ShellWord, name: string): boolean {
  if (word.splits || word.isOpen) return false;
  noteUse(walk.flow, 'plain', word, {
    kind: 'dynamic',
    reason: `Which command ${name} runs is decided while it runs.`,
    text: word.raw,
  });
  return true;
}

interface Found {
  directories: Directories;
  readonly scripts: ShellWord[];
  slot: string | undefined;
  isIdle: boolean;
  isOdd: boolean;
}

interface Applied {
  readonly wrapper: Wrapper;
  readonly found: Found;
  readonly queue: ShellWord[];
  readonly position: Position;
}

type GivenOption = Pick<Option, 'option'> & {readonly value: ShellWord | undefined};

function applyOption(walk: Walk, {option, value}: GivenOption, {wrapper, found, queue, position}: Applied): void {
  if (wrapper.scripts?.includes(option) && value) found.scripts.push(value);
  if (wrapper.directory?.includes(option)) {
    found.directories = value ? enter(walk, value, {...position, directories: found.directories}) : NOWHERE_KNOWN;
  }
  if (wrapper.idle?.split(' ').includes(option)) found.isIdle = true;
  if (wrapper.adds && /^(?:a|arg-file|d|delimiter|E|e|eof|L|s)$/.test(option)) found.isOdd = true;
  if (wrapper.adds && /^(?:I|i|replace|J)$/.test(option)) found.slot = value ? (value.value ?? '') : '{}';
  if (wrapper.split?.includes(option)) {
    if (value?.value !== undefined && /^[\w\s./:@%+,=-]*$/.test(value.value))
      queue.unshift(
        ...value.value
          .split(/\s+/)
          .filter(Boolean)
          .map((part) => plainWord(part)),
      );
    else doubt(walk, 'What it splits into words is decided while it runs.', value?.raw ?? option);
  }
}

interface Option {
  readonly option: string;
  readonly takes: 'value' | 'nothing';
  readonly attached: ShellWord | undefined;
}

/** The options that one word holds; undefined when one is not known. */
function splitOption(word: ShellWord, wrapper: Wrapper): readonly Option[] | undefined {
  const part = (from: number): ShellWord => cutWord(word, from);
  if (word.lead.startsWith('--')) {
    const [, option = '', equals] = /^--([\w-]+)(=?)/.exec(word.lead) ?? [];
    const takesValue = isListed(wrapper, `${option}=`);
    if (!takesValue && !isListed(wrapper, option)) return undefined;
    if (equals === '=') return [{option, takes: 'value', attached: part(option.length + 3)}];
    return word.value === undefined
      ? undefined
      : [{option, takes: takesValue && !isListed(wrapper, option) ? 'value' : 'nothing', attached: undefined}];
  }
  const options: Option[] = [];
  for (let at = 1; at < word.lead.length; at += 1) {
    const option = word.lead[at] as string;
    const isLast = at === word.lead.length - 1 && word.value !== undefined;
    const takesValue =
      wrapper.values?.includes(option) ||
      [wrapper.scripts, wrapper.directory, wrapper.split].some((list) => list?.includes(option));
    if (takesValue || wrapper.attached?.includes(option))
      return [
        ...options,
        {option, takes: takesValue ? 'value' : 'nothing', attached: isLast ? undefined : part(at + 1)},
      ];
    if (!wrapper.flags?.includes(option) && !wrapper.idle?.split(' ').includes(option)) return undefined;
    options.push({option, takes: 'nothing', attached: undefined});
  }
  return word.value === undefined ? undefined : options;
}

function isListed({long, scripts, directory, split, idle}: Wrapper, option: string): boolean {
  if (long?.split(' ').includes(option) || idle?.split(' ').includes(option)) return true;
  const name = option.endsWith('=') ? option.slice(0, -1) : undefined;
  return name !== undefined && [scripts, directory, split].some((list) => list?.includes(name));
}
