import type {Arguments} from './argument-tables.js';
import {expandWord, type Argument} from './expand-word.js';
import {ANY, shapeOf} from './shape.js';
import type {ShellWord} from './syntax.js';
import type {Position, Walk} from './walk.js';

/** An operand: as it is written, and what it becomes. */
export interface Operand {
  readonly word: ShellWord;
  readonly argument: Argument;
}

/** The arguments of a program whose every option is known. */
export interface ReadArguments {
  readonly operands: readonly Operand[];
  /** The options as they are written, without values. */
  readonly options: readonly string[];
  /** Programs and patterns that an option gives. */
  readonly given: readonly ShellWord[];
  /** The globs that `--include` names. */
  readonly includes: readonly string[];
  /** Why it is not sure what the command does. */
  readonly unclear: string | undefined;
}

/** Reads the words behind the name of a program. */
export function readArguments(
  walk: Walk,
  words: readonly ShellWord[],
  {table, position}: {table: Arguments; position: Position},
): ReadArguments {
  const reading: Reading = {table, operands: [], options: [], given: [], includes: [], unclear: undefined, open: 'all'};
  for (const word of words) takeWord(reading, {word, argument: expandWord(walk, word, position)});
  const {operands, options, given, includes, unclear} = reading;
  return {operands, options, given, includes, unclear};
}

interface Reading {
  readonly table: Arguments;
  readonly operands: Operand[];
  readonly options: string[];
  readonly given: ShellWord[];
  readonly includes: string[];
  unclear: string | undefined;
  /** What the next word can be: anything, only the value of the last option, or only an operand. */
  open: 'all' | 'value' | 'operands';
}

function takeWord(reading: Reading, operand: Operand): void {
  const {table, operands, options} = reading;
  const {word, argument} = operand;
  if (reading.open === 'value') return takeValue(reading, operand);
  if (reading.open === 'operands') return void operands.push(operand);
  if (word.value === '--') reading.open = 'operands';
  else if (!argument.shapes.some(mayBeOption)) operands.push(operand);
  else if (word.value !== undefined) takeOption(reading, word, word.value);
  else if (isAssigned(word, argument, table)) {
    const at = word.lead.indexOf('=') + 1;
    options.push(word.lead.slice(0, at - 1));
    if (word.lead.startsWith('--include=')) reading.includes.push(...argument.shapes.map((shape) => shape.slice(at)));
  } else {
    operands.push(operand);
    reading.unclear ??= `Whether ${word.raw} is an option is decided while it runs.`;
  }
}

function takeValue(reading: Reading, {word, argument}: Operand): void {
  reading.open = 'all';
  if (reading.table.pattern?.test(reading.options.at(-1) ?? '')) reading.given.push(word);
  else if (argument.isMany) reading.unclear ??= `Whether ${word.raw} is one word is decided while it runs.`;
}

/** Whether a text begins with a dash, or may. */
function mayBeOption(shape: string): boolean {
  return /^-./.test(shape) || /^[\uE000\uE004-\uE007]/.test(shape);
}

function takeOption(reading: Reading, word: ShellWord, text: string): void {
  const {table, options, given, includes} = reading;
  if (table.numeric && /^[-+]\d+$/.test(text)) return void options.push('-0');
  const option = readOption(text, table);
  options.push(option?.name ?? text);
  if (!option) {
    reading.unclear ??= `The option ${word.raw} is not on the list of those that only look.`;
    return;
  }
  const {name, value, takesNext} = option;
  if (takesNext) reading.open = 'value';
  if (value === undefined) return;
  if (name === '--include') includes.push(shapeOf(value));
  if (table.pattern?.test(name)) given.push({...word, value});
}

/** `--include=*.ts`: whatever it becomes, it is one option and its value. */
function isAssigned({lead}: ShellWord, {isMany, shapes}: Argument, {long = ''}: Arguments): boolean {
  const [, name] = /^--([\w-]+)=/.exec(lead) ?? [];
  return name !== undefined && hasName(long, `${name}=`) && (!isMany || shapes.every((shape) => !shape.includes(ANY)));
}

/** Whether a list of names, with blanks between them, has one. */
function hasName(names: string, name: string): boolean {
  for (let at = names.indexOf(name); at >= 0; at = names.indexOf(name, at + 1)) {
    const end = names[at + name.length];
    if ((at === 0 || names[at - 1] === ' ') && (end === undefined || end === ' ')) return true;
  }
  return false;
}

interface Option {
  readonly name: string;
  readonly value?: string;
  readonly takesNext?: boolean;
}

/** An option of the table, or undefined. */
function readOption(text: string, table: Arguments): Option | undefined {
  return text.startsWith('--') ? readLong(text, table) : readLetters(text, table);
}

function readLong(text: string, {long = ''}: Arguments): Option | undefined {
  const [, name, value] = /^--([\w-]+)(?:=([^]*))?$/.exec(text) ?? [];
  if (name === undefined) return undefined;
  if (value !== undefined) return hasName(long, `${name}=`) ? {name: `--${name}`, value} : undefined;
  if (hasName(long, name)) return {name: `--${name}`};
  return hasName(long, `${name}=`) ? {name: `--${name}`, takesNext: true} : undefined;
}

function readLetters(text: string, {flags = '', values = ''}: Arguments): Option | undefined {
  for (let at = 1; at < text.length; at += 1) {
    const letter = text[at] as string;
    if (values.includes(letter)) {
      const name = text.slice(0, at + 1);
      return at === text.length - 1 ? {name, takesNext: true} : {name, value: text.slice(at + 1)};
    }
    if (!flags.includes(letter)) return undefined;
  }
  return {name: text};
}
