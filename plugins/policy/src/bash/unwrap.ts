import {shapeOf, unique} from './shape.js';
import {cutWord, plainWord} from './source.js';
import type {ShellWord} from './syntax.js';
import {noteAssignment} from './variables.js';
import {doubt, joinWords, openWord, runWordAsText, stay, type Outcome, type Position, type Walk} from './walk.js';
import {readWrapperOptions, type WrapperOptions} from './wrapper-options.js';
import type {Wrapper} from './wrapper.js';

/** A command that runs others, at its place in a line. */
interface Wrapping {
  readonly wrapper: Wrapper;
  /** What it is called, with its subcommand. */
  readonly name: string;
  readonly position: Position;
}

/** Goes through what a command that runs others runs. */
export function unwrap(walk: Walk, words: readonly ShellWord[], {wrapper, name, position}: Wrapping): Outcome {
  const inner: Position = {
    ...position,
    via: [...position.via, name],
    input: wrapper.adds ? {kind: 'open'} : position.input,
  };
  const options = readWrapperOptions(walk, words, {wrapper, name, position: inner});
  if (!options) return stay(position);
  const isHomeKnown = position.isHomeKnown && keepsHome(wrapper, words.length - options.rest.length);
  const there = {...inner, directories: options.directories, isHomeKnown};
  for (const script of options.scripts) runWordAsText(walk, script, there);
  if (options.isIdle) return stay(position);
  const rest = commandOf(walk, options, {wrapper, name, position: there});
  const outcome = runBehind(walk, rest, {...options, wrapper, name, position: there, outer: position});
  return outcome ?? stay(position);
}

/** Whether what it runs has the home of the line. */
function keepsHome({home}: Wrapper, options: number): boolean {
  return home === 'same' || (home === 'same without options' && options === 0);
}

/** Goes through the command behind the options. Returns an outcome when it runs where the line does. */
function runBehind(
  walk: Walk,
  rest: readonly ShellWord[],
  wrapping: Wrapping & WrapperOptions & {readonly outer: Position},
): Outcome | undefined {
  const {wrapper, name, position, slot, isOdd, outer} = wrapping;
  const operands = rest.slice(wrapper.operands ?? 0);
  const [first] = operands;
  if (wrapper.isOptional && !first && rest.length > 0) return walk.run(rest, position, joinWords(rest));
  noteHidden(walk, rest, wrapping);
  if (!first) return runBare(walk, wrapping);
  // The word that may be left out may be the command.
  if (wrapper.isOptional && rest.length > operands.length) walk.run(rest, position, joinWords(rest));
  if (first.lead.startsWith('-'))
    doubt(walk, `What ${name} makes of ${first.raw} cannot be determined.`, joinWords(rest));
  const lines = isOdd ? undefined : linesOf(outer);
  const outcome = runOperands(walk, operands, {wrapper, position, slot, lines});
  return wrapper.isBuiltin ? outcome : undefined;
}

/** The words behind the options and the variables; none when a script says what runs. */
function commandOf(walk: Walk, {scripts, rest}: WrapperOptions, {wrapper, position}: Wrapping): readonly ShellWord[] {
  if (scripts.length > 0) return [];
  return wrapper.assigns ? skipAssignments(walk, rest, position) : rest;
}

/** A word before the command that splits hides where the command begins. */
function noteHidden(walk: Walk, rest: readonly ShellWord[], {wrapper, name}: Wrapping): void {
  if (rest.slice(0, wrapper.operands ?? 0).some(({splits}) => splits))
    doubt(walk, `Which command ${name} runs is decided while it runs.`, joinWords(rest));
}

/** What it does when no command follows. */
function runBare(walk: Walk, {wrapper, name, position, scripts}: Wrapping & WrapperOptions): undefined {
  if (wrapper.bare === 'shell' && scripts.length === 0) startShell(walk, name, position);
  if (wrapper.bare === 'echo') walk.run([plainWord('echo'), openWord('…')], position, 'echo …');
  return undefined;
}

function linesOf({input}: Position): readonly string[] | undefined {
  if (input.kind === 'text') return input.text.split('\n').map(shapeOf);
  return input.kind === 'open' ? input.lines : undefined;
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
