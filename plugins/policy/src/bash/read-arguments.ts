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
  const operands: Operand[] = [];
  const options: string[] = [];
  const given: ShellWord[] = [];
  const includes: string[] = [];
  let unclear: string | undefined;
  let [isOver, isValue] = [false, false];
  for (const word of words) {
    const argument = expandWord(walk, word, position);
    const isDashed =
      !isOver && argument.shapes.some((shape) => /^-./.test(shape) || /^[\uE000\uE004-\uE007]/.test(shape));
    if (isValue) {
      isValue = false;
      if (table.pattern?.test(options.at(-1) ?? '')) given.push(word);
      else if (argument.isMany) unclear ??= `Whether ${word.raw} is one word is decided while it runs.`;
    } else if (word.value === '--' && !isOver) isOver = true;
    else if (isDashed && word.value === undefined && isAssigned(word, argument, table)) {
      const at = word.lead.indexOf('=') + 1;
      options.push(word.lead.slice(0, at - 1));
      if (word.lead.startsWith('--include=')) includes.push(...argument.shapes.map((shape) => shape.slice(at)));
    } else if (!isDashed) operands.push({word, argument});
    else if (word.value === undefined) {
      operands.push({word, argument});
      unclear ??= `Whether ${word.raw} is an option is decided while it runs.`;
    } else if (table.numeric && /^[-+]\d+$/.test(word.value)) options.push('-0');
    else {
      const option = readOption(word.value, table);
      options.push(option?.name ?? word.value);
      isValue = option?.takesNext === true;
      unclear ??= option ? undefined : `The option ${word.raw} is not on the list of those that only look.`;
      if (option?.name === '--include' && option.value !== undefined) includes.push(shapeOf(option.value));
      if (option?.value !== undefined && table.pattern?.test(option.name)) given.push({...word, value: option.value});
    }
  }
  return {operands, options, given, includes, unclear};
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
function readOption(text: string, {flags = '', values = '', long = ''}: Arguments): Option | undefined {
  if (text.startsWith('--')) {
    const [, name, value] = /^--([\w-]+)(?:=([^]*))?$/.exec(text) ?? [];
    if (name === undefined) return undefined;
    if (value !== undefined) return hasName(long, `${name}=`) ? {name: `--${name}`, value} : undefined;
    if (hasName(long, name)) return {name: `--${name}`};
    return hasName(long, `${name}=`) ? {name: `--${name}`, takesNext: true} : undefined;
  }
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
