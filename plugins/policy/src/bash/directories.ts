import {posix} from 'node:path';
import type {ShellPlace} from './analysis.js';
import {expandWord, type Argument} from './expand-word.js';
import {noteFiles} from './note-files.js';
import {ANY, isOpen, unique} from './shape.js';
import type {Formed, ShellWord} from './syntax.js';
import {forgetVariables} from './variable-values.js';
import {
  doubtProgram,
  joinWords,
  NOWHERE_KNOWN,
  stay,
  type Directories,
  type Handler,
  type Outcome,
  type Position,
  type Walk,
} from './walk.js';

/**
 * The absolute paths that a name means, one for each directory. A `..` behind a name stays in it, for that name may be
 * a link: only looking would tell where it leads.
 */
export function resolveShapes(
  name: string,
  directories: Directories,
  {directory: start}: Pick<ShellPlace, 'directory'>,
): readonly string[] {
  if (name.startsWith('/') || /^[\uE000]/.test(name)) return [tidy(name)];
  return unique(directories.map((directory) => tidy(climb(directory, {name, start}))));
}

/**
 * Joins a name to a directory. Where the line starts is real, and so are the folders above: there, `..` takes one name
 * away.
 */
function climb(directory: string, {name, start}: {name: string; start: string}): string {
  let [base, rest] = [directory, name];
  while (base === start || base === '/' || start.startsWith(`${base}/`)) {
    const up = /^(?:\.\/+)*\.\.(?:\/+|$)/.exec(rest);
    if (!up) break;
    [base, rest] = [posix.dirname(base), rest.slice(up[0].length)];
  }
  return `${base}/${rest}`;
}

/** Without empty names and `.`; behind a hole, `..` leads anywhere. */
function tidy(name: string): string {
  const parts = name.split('/').filter((part) => part !== '' && part !== '.');
  const up = parts.lastIndexOf('..');
  const known = up >= 0 && parts.slice(0, up).some(isOpen) ? [ANY, ...parts.slice(up + 1)] : parts;
  return known[0]?.startsWith(ANY) && !name.startsWith('/') ? known.join('/') : `/${known.join('/')}`;
}

/** The path that `cd` makes of a name: `..` takes back the name before it, link or not. */
function logical(path: string): string {
  if (!path.includes('..')) return path;
  return isOpen(path) ? ANY : posix.normalize(path).replace(/(?<=.)\/$/, '');
}

/** The directories that an option like `-C` leads to. */
export function enter(walk: Walk, word: Formed, position: Position): Directories {
  const {shapes} = expandWord(walk, word, position);
  return unique(
    shapes.flatMap((shape) =>
      shape === '' ? position.directories : resolveShapes(shape, position.directories, walk.place),
    ),
  );
}

/** `cd`, `pushd` and `popd`: where the shell is afterwards. */
export const changeDirectory: Handler = (walk, words, position) => {
  const [name, ...given] = words;
  const isPhysical = given.some(({value}) => /^-\w*[Pe]/.test(value ?? ''));
  const operands = given.filter((_, index) => !isOption(given, index));
  const [target] = operands;
  if (walk.movesInFunction === false && position.via.some((step) => step.startsWith('function ')))
    walk.movesInFunction = true;
  for (const directory of position.directories) walk.visited.add(directory);
  if (name?.value !== 'cd' && turnsStack(name, target)) return move(walk, position, [...walk.visited]);
  if (!target) return move(walk, position, homeOf(walk, position));
  if (operands.length > 1 || target.value === '-' || walk.everSet.has('CDPATH'))
    return move(walk, position, NOWHERE_KNOWN);
  noteFiles(walk, target, {position, access: 'read', by: 'cd'});
  return move(walk, position, goalsOf(walk, expandWord(walk, target, position), {position, isPhysical}));
};

function homeOf({everSet, place}: Walk, {isHomeKnown}: Position): Directories {
  return isHomeKnown && !everSet.has('HOME') ? [place.home] : NOWHERE_KNOWN;
}

function isOption(given: readonly ShellWord[], index: number): boolean {
  const value = given[index]?.value;
  if (value === undefined) return false;
  if (/^-[LPe@]+$/.test(value)) return true;
  return value === '--' && given.slice(0, index).every((one) => one.value?.startsWith('-'));
}

/** Whether `pushd` or `popd` goes to a directory that was visited before. */
function turnsStack(name: ShellWord | undefined, target: ShellWord | undefined): boolean {
  return !target || name?.value === 'popd' || /^[-+]/.test(target.lead);
}

function goalsOf(
  {place}: Walk,
  {shapes}: Argument,
  {position, isPhysical}: {position: Position; isPhysical: boolean},
): Directories {
  const goals = shapes.flatMap((shape) =>
    shape === '' ? position.directories : resolveShapes(shape, position.directories, place),
  );
  return unique(isPhysical ? goals : goals.flatMap((goal) => (goal.includes('..') ? [goal, logical(goal)] : [goal])));
}

function move(walk: Walk, {directories}: Position, goals: Directories): Outcome {
  for (const goal of goals) walk.visited.add(goal);
  return {success: unique(goals), failure: directories};
}

/** After a call of a function, which may have gone elsewhere and set variables. */
export function afterCall(walk: Walk, position: Position): Outcome {
  forgetVariables(walk);
  walk.changes = true;
  return walk.movesInFunction ? {success: NOWHERE_KNOWN, failure: NOWHERE_KNOWN} : stay(position);
}

/** `source` and `.`: they run what a file holds. */
export const runFile: Handler = (walk, words, position) => {
  const [, file] = words;
  if (file) noteFiles(walk, file, {position, access: 'read', by: 'argument'});
  forgetVariables(walk, true);
  walk.changes = true;
  if (file?.value === undefined || /^\/(?:dev|proc)\//.test(file.value))
    walk.doubts.push({kind: 'dynamic', reason: 'What it runs is decided while it runs.', text: joinWords(words)});
  else doubtProgram(walk, 'What it runs is written in a file.', joinWords(words));
  // What a script can do by going elsewhere, it can do itself.
  return stay(position);
};
