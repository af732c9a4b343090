import type {GitUse} from './analysis.js';
import {resolveShapes} from './directories.js';
import {GIT_READERS, type GitReader} from './git-tables.js';
import {noteArgument} from './note-files.js';
import {readArguments, type Operand, type ReadArguments} from './read-arguments.js';
import {ANY, isOpen, TREE, unique} from './shape.js';
import {plainWord} from './source.js';
import type {ShellWord} from './syntax.js';
import {noteUnlisted} from './unlisted-operands.js';
import type {Position, Walk} from './walk.js';

/** What a command of git does with files, and why it is not clear. */
export interface GitReading {
  readonly use: GitUse;
  readonly unclear: string | undefined;
}

const NOTHING: GitUse = {verb: '', directories: [], shows: false, isHistory: false, paths: [], names: []};

/** Any other command of git: its operands may be files, its messages are not. */
function noteOther(walk: Walk, words: readonly ShellWord[], position: Position): string {
  noteUnlisted(walk, [plainWord('git'), ...words], {name: 'git', position});
  return 'It is no command of git that only looks.';
}

/**
 * Reads the arguments of a command of git, and notes the files that it names. `words`: the command, and what follows.
 */
export function readGit(walk: Walk, words: readonly ShellWord[], position: Position): GitReading {
  const [verb, ...given] = words;
  const name = verb?.value ?? '';
  const {directories} = position;
  const table = Object.hasOwn(GIT_READERS, name) ? (GIT_READERS[name] as GitReader) : undefined;
  if (!table) return {use: {...NOTHING, verb: name, directories}, unclear: noteOther(walk, words, position)};
  const {read, after} = readSides(walk, given, {table, position});
  const shows = showsFiles(table, read.options);
  const isNamed = shows || name === 'blame';
  const [before, behind] = isNamed ? [read.operands, after] : [[], []];
  const paths = [
    ...before.flatMap((operand) => notePath(walk, operand, {position, isSure: false})),
    ...behind.flatMap((operand) => notePath(walk, operand, {position, isSure: true})),
  ];
  const names = unique(before.flatMap((operand) => noteVersion(walk, operand, position)));
  const isHistory =
    table.isHistory === true || read.options.some((option) => /^--(?:cached|staged|merge-base)$/.test(option));
  return {
    use: {verb: name, directories, shows, isHistory, paths, names},
    unclear: read.unclear ?? findOpen([...before, ...behind], shows),
  };
}

/** The words in front of `--`, where options may stand, and the operands behind it. */
function readSides(
  walk: Walk,
  given: readonly ShellWord[],
  {table, position}: {table: GitReader; position: Position},
): {readonly read: ReadArguments; readonly after: readonly Operand[]} {
  const dashes = given.findIndex(({value}) => value === '--');
  if (dashes < 0) return {read: readArguments(walk, given, {table, position}), after: []};
  const read = readArguments(walk, given.slice(0, dashes), {table, position});
  const {operands} = readArguments(walk, given.slice(dashes), {table: {operands: 'text'}, position});
  return {read, after: operands};
}

/** Why it is open which files it shows. */
function findOpen(operands: readonly Operand[], shows: boolean): string | undefined {
  if (operands.some(({argument}) => argument.isMany || argument.shapes.some(isOpen)))
    return 'Only running it would tell what it works on.';
  const isMagic = shows && operands.some(({word}) => /^:(?!\d?:)|[*?[\\]/.test(word.value ?? ''));
  return isMagic ? 'A pattern says which files it shows.' : undefined;
}

function showsFiles({shows, hides}: GitReader, options: readonly string[]): boolean {
  if (shows === 'never') return false;
  const isPatched = options.some((option) => /^-[a-zA-Z]*[pu]|^--(?:patch|unified|patch-with-stat)/.test(option));
  if (!isPatched && options.some((option) => hides?.test(option))) return false;
  return shows === 'always' || options.some((option) => shows.test(option));
}

/** A path, or a glob over paths; in front of `--` it may also be a revision. */
function notePath(
  walk: Walk,
  {word, argument}: Operand,
  {position, isSure}: {position: Position; isSure: boolean},
): GitUse['paths'] {
  const shapes = argument.shapes.map((shape) =>
    /^:[(!^/]/.test(shape) ? ANY : shape.replaceAll(/[*?[\uE001\uE002]+/g, TREE),
  );
  noteArgument(
    walk,
    word.raw,
    {...argument, shapes: shapes.filter((shape) => isSure || !/^[^/]*:/.test(shape))},
    {position, access: 'read', by: 'argument'},
  );
  return shapes
    .flatMap((shape) => resolveShapes(shape, position.directories, walk.place))
    .map((path) => ({path, isSure}));
}

/** `HEAD:src/a.ts`, `:0:src/a.ts`: a version of a file. */
function noteVersion(walk: Walk, {word, argument}: Operand, position: Position): readonly string[] {
  const names = argument.shapes.flatMap((shape) => {
    const name = /^[^:]*:(?:[0-3]:)?([^]+)$/.exec(shape)?.[1];
    return name === undefined ? [] : [name];
  });
  const starts = unique([...position.directories, walk.place.directory]);
  if (names.length > 0)
    noteArgument(
      walk,
      word.raw,
      {...argument, shapes: names},
      {position: {...position, directories: starts}, access: 'read', by: 'argument'},
    );
  return names;
}
