import {ARGUMENTS, type Arguments} from './argument-tables.js';
import {expandWord} from './expand-word.js';
import {noteArgument, noteFiles} from './note-files.js';
import {noteUnlisted} from './unlisted-operands.js';
import {readArguments, type Operand, type ReadArguments} from './read-arguments.js';
import {NAME, openGlobs, TREE} from './shape.js';
import {plainWord} from './source.js';
import type {ShellWord} from './syntax.js';
import type {Position, Walk} from './walk.js';

/** Commands whose words name no files that they open, or none that they show. */
const SILENT = new Set(
  (
    'echo printf true false : export declare typeset local readonly unset set shopt exit return break continue ' +
    'shift read wait kill sleep seq date expr type which command hash alias unalias trap ' +
    'ulimit umask getopts let ps pgrep pkill killall uname whoami id hostname uptime free tty clear tput mktemp'
  ).split(' '),
);

/** What a command is handed, and what its name is. */
export interface Handed {
  readonly name: string;
  readonly position: Position;
}

/** Whether it is known of a program what its words are. */
export function isListed(name: string): boolean {
  return SILENT.has(name) || Object.hasOwn(ARGUMENTS, name) || name === 'test' || name === '[';
}

/**
 * Notes the files that a command is handed. Returns why it is not clear what it does with them; undefined also where
 * nothing is known of it.
 */
export function noteOperands(walk: Walk, words: readonly ShellWord[], handed: Handed): string | undefined {
  const {name, position} = handed;
  const table = Object.hasOwn(ARGUMENTS, name) ? ARGUMENTS[name] : undefined;
  if (name === 'test' || name === '[') return void noteTested(walk, words, position);
  if (!table) return SILENT.has(name) ? undefined : noteUnlisted(walk, words, handed);
  const read = readArguments(walk, words.slice(1), {table, position});
  if (name === 'echo' || name === 'printf' || name === 'cd') return undefined;
  if (read.unclear === undefined) return noteListed(walk, read, {table, position});
  // An option that is not known may have a file as its value.
  if (!SILENT.has(name) && table.operands !== 'text') noteUnlisted(walk, words, handed);
  return read.unclear;
}

interface Listed {
  readonly table: Arguments;
  readonly position: Position;
}

function noteListed(walk: Walk, read: ReadArguments, {table, position}: Listed): string | undefined {
  const {operands, options, given} = read;
  const hasProgram = table.pattern !== undefined && !options.some((option) => table.pattern?.test(option));
  const [first] = operands;
  // A word that may be several, or none, leaves open which one is the pattern.
  const program = hasProgram && first !== undefined && !first.argument.isMany ? first.word : undefined;
  noteLookedAt(walk, read, {table, position, files: operands.slice(program ? 1 : 0)});
  if (table.most !== undefined && (operands.length > table.most || operands.some(({argument}) => argument.isMany)))
    return 'One more operand is a file that it writes.';
  const programs = [...(program ? [program] : []), ...given];
  return table.program && !programs.every(({value}) => value !== undefined && table.program?.test(value))
    ? 'Its program is not one of those that only look.'
    : undefined;
}

/** Notes its files, and what lies below them where it goes there. */
function noteLookedAt(
  walk: Walk,
  {options, includes}: ReadArguments,
  {table, position, files}: Listed & {readonly files: readonly Operand[]},
): void {
  const descends = options.some((option) => table.descends?.test(option));
  const below = descends ? belowOf(includes) : [NAME];
  const by = table.operands === 'name' ? 'name' : 'argument';
  for (const {word, argument} of table.operands === 'text' ? [] : files) {
    noteArgument(walk, word.raw, argument, {position, access: 'read', by});
    if (table.operands === 'folders' || descends) noteBelow(walk, {word, argument}, {position, below});
  }
  if (!descends || files.length > 0) return;
  const here: Operand = {word: plainWord('.'), argument: {shapes: ['.'], isMany: false, isSplit: false}};
  noteBelow(walk, here, {position, below});
}

/** What is looked at below a folder, when globs say which names. */
function belowOf(includes: readonly string[]): readonly string[] {
  return includes.length === 0 ? [TREE] : includes.map((glob) => TREE + openGlobs(glob));
}

/** Notes what lies in a folder, or anywhere below it. */
export function noteBelow(
  walk: Walk,
  {word, argument}: Operand,
  {position, below, access = 'read'}: {position: Position; below: readonly string[]; access?: 'read' | 'write'},
): void {
  const shapes = argument.shapes.flatMap((shape) => below.map((name) => `${shape}/${name}`));
  noteArgument(walk, word.raw, {...argument, shapes}, {position, access, by: 'argument'});
}

/** `test`: it tells of a file that it is there, and what it is. */
function noteTested(walk: Walk, words: readonly ShellWord[], position: Position): void {
  words.slice(1).forEach((word, index) => {
    if (/^-[a-hkprsuwxGLNOS]$/.test(words[index]?.value ?? '') && expandWord(walk, word, position).shapes.length > 0)
      noteFiles(walk, word, {position, access: 'read', by: 'name'});
  });
}
