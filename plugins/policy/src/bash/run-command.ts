import {baseOf} from '../engine/command-match.js';
import type {Word} from './analysis.js';
import {BUILTINS} from './builtins.js';
import {afterCall, changeDirectory, runFile} from './directories.js';
import {expandWord} from './expand-word.js';
import {find} from './find.js';
import {git} from './git.js';
import {isListed, noteOperands} from './operands.js';
import {programHandlers} from './program-options.js';
import {evaluate, runShell, SHELLS} from './shells.js';
import type {ShellWord} from './syntax.js';
import {awk, sed} from './text-programs.js';
import {isFamiliar, noteUnlisted} from './unlisted-operands.js';
import {unwrap} from './unwrap.js';
import {doubt, doubtProgram, LOST, stay, type Handler, type Outcome, type Position, type Walk} from './walk.js';
import {WRAPPERS} from './wrappers.js';

/** Goes through one command; see `Walk.run`. */
export type RunCommand = Walk['run'];

const MAX_NESTING = 24;
/** They open no file that their words name, or it is noted where they are read. */
const HANDLED_WITH_FILES = new Set(['git', 'cd', 'pushd', 'popd', 'find', 'source', '.', 'eval']);

interface Known {
  readonly programs: ReadonlyMap<string, Handler>;
  readonly handlers: ReadonlyMap<string, Handler>;
}

/** Knows the commands that run others, and how. */
export function createRunCommand(): (
  walk: Walk,
  words: readonly ShellWord[],
  position: Position,
  text: string,
) => Outcome {
  const programs = new Map<string, Handler>(programHandlers());
  const handlers = new Map<string, Handler>([
    ...BUILTINS,
    ...SHELLS.map((name) => [name, runShell] as const),
    ['eval', evaluate],
    ['cd', changeDirectory],
    ['pushd', changeDirectory],
    ['popd', changeDirectory],
    ['source', runFile],
    ['.', runFile],
    ['find', find],
    ['git', git],
    ['sed', sed],
    ['awk', awk],
    ['mawk', awk],
    ['nawk', awk],
  ]);
  return (walk, words, position, text) => {
    const [first] = words;
    if (!first) return stay(position);
    walk.steps -= 1;
    if (first.value === undefined || position.via.length > MAX_NESTING || walk.steps < 0)
      return runUnknown(walk, words, {position, text});
    return runKnown(walk, words, {name: first.value, position, text}, {programs, handlers});
  };
}

/** A command whose name only running could tell, or that is too deep or too far in a line. */
function runUnknown(
  walk: Walk,
  words: readonly ShellWord[],
  {position, text}: {position: Position; text: string},
): Outcome {
  const [first] = words;
  walk.commands.push({
    words: words.map((word) => toWord(walk, word, position)),
    text,
    via: position.via,
    directories: position.directories,
    isStrange: true,
  });
  if (walk.steps < 0 || !first || first.value !== undefined)
    doubt(walk, 'It nests too deep, or is too long, to be read.', text);
  else {
    const {shapes, isMany} = expandWord(walk, first, position);
    const isPlain = !isMany && shapes.every((shape) => /^[\w./+-]+$/.test(shape));
    (isPlain ? doubtProgram : doubt)(walk, 'Which command runs is decided while it runs.', text);
    noteUnlisted(walk, words, {name: '', position});
  }
  return LOST;
}

interface Named {
  readonly name: string;
  readonly position: Position;
  readonly text: string;
}

function runKnown(
  walk: Walk,
  words: readonly ShellWord[],
  {name: given, position, text}: Named,
  known: Known,
): Outcome {
  const {programs, handlers} = known;
  const name = withoutPrefix(baseOf(given), (one) => isKnown(one, known));
  const at =
    walk.commands.push({
      words: words.map((word) => toWord(walk, word, position)),
      text,
      via: position.via,
      directories: position.directories,
      isStrange: !isKnown(name, known) && !isFamiliar(name),
    }) - 1;
  programs.get(name)?.(walk, words, position);
  const wrapped = runWrapped(walk, words, {name, position});
  if (wrapped) return wrapped;
  const handle = handlers.get(name);
  if (HANDLED_WITH_FILES.has(name) || SHELLS.includes(name)) return handle?.(walk, words, position) ?? stay(position);
  noteUnclear(walk, words, {name, position, at});
  const outcome = handle?.(walk, words, position);
  if (outcome) return outcome;
  return walk.functions.has(given) ? afterCall(walk, position) : stay(position);
}

/** Whether it is known of a program what it does with its words. */
function isKnown(name: string, {programs, handlers}: Known): boolean {
  return programs.has(name) || handlers.has(name) || Object.hasOwn(WRAPPERS, name) || isListed(name);
}

/** Notes what a command is handed, and with the command at its place among all why that is not clear. */
function noteUnclear(
  walk: Walk,
  words: readonly ShellWord[],
  {name, position, at}: {name: string; position: Position; at: number},
): void {
  const {variables} = walk;
  const unclear = noteOperands(walk, words, {name, position});
  const command = walk.commands[at];
  if (unclear !== undefined && command) walk.commands[at] = {...command, unclear};
  // What a builtin sets holds for what follows, and not for its own words.
  walk.variables = variables;
}

function toWord(walk: Walk, word: ShellWord, position: Position): Word {
  const {raw, value} = word;
  return value === undefined ? {raw, value, shapes: expandWord(walk, word, position).shapes} : {raw, value};
}

/** GNU's programs have a `g` in front where the system brings its own. */
function withoutPrefix(name: string, isKnown: (name: string) => boolean): string {
  return !isKnown(name) && name.startsWith('g') && isKnown(name.slice(1)) ? name.slice(1) : name;
}

/** Goes through what a wrapper runs, should this be one. */
function runWrapped(
  walk: Walk,
  words: readonly ShellWord[],
  {name, position}: {name: string; position: Position},
): Outcome | undefined {
  const plain = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined;
  if (plain) return unwrap(walk, words.slice(1), {wrapper: plain, name, position});
  let hasOption = true;
  for (let at = 1; at < words.length && hasOption; at += 1) {
    const key = `${name} ${words[at]?.value ?? ''}`;
    const wrapper = Object.hasOwn(WRAPPERS, key) ? WRAPPERS[key] : undefined;
    if (wrapper) return unwrap(walk, words.slice(at + 1), {wrapper, name: key, position});
    // Behind an option the subcommand may stand anywhere.
    hasOption = words.slice(1, at + 1).some(({lead}) => lead.startsWith('-'));
  }
  return undefined;
}
