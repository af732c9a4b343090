import {baseOf} from '../engine/command-match.js';
import {BUILTINS} from './builtins.js';
import {afterCall, changeDirectory, runFile} from './directories.js';
import {find} from './find.js';
import {git} from './git.js';
import {noteOperands} from './operands.js';
import {programHandlers} from './program-options.js';
import {evaluate, runShell, SHELLS} from './shells.js';
import type {ShellWord} from './syntax.js';
import {awk, sed} from './text-programs.js';
import {unwrap} from './unwrap.js';
import {doubt, toWord, type Handler, type Outcome, type Position, type Walk} from './walk.js';
import {WRAPPERS} from './wrappers.js';

/** Goes through one command; see `Walk.run`. */
export type RunCommand = Walk['run'];

const MAX_NESTING = 24;
const LOST: Outcome = {success: undefined, failure: undefined};
/** They open no file that their words name, or it is noted where they are read. */
const HANDLED_WITH_FILES = new Set(['cd', 'pushd', 'popd', 'find', 'source', '.', 'eval']);

/** Knows the commands that run others, and how. */
export function createRunCommand(): (walk: Walk, words: readonly ShellWord[], position: Position, text: string) => Outcome {
  const programs = new Map<string, Handler>(programHandlers());
  const handlers = new Map<string, Handler>([
    ...BUILTINS, ...SHELLS.map((name) => [name, runShell] as const), ['eval', evaluate], ['cd', changeDirectory], ['pushd', changeDirectory], ['popd', changeDirectory], ['source', runFile], ['.', runFile],
    ['find', find], ['git', git], ['sed', sed], ['awk', awk], ['mawk', awk], ['nawk', awk],
  ]);
  return (walk, words, position, text) => {
    const [first] = words;
    if (!first) return {success: position.directory, failure: position.directory};
    walk.commands.push({words: words.map(toWord), text, via: position.via, directory: position.directory ?? undefined});
    if (first.value === undefined || position.via.length > MAX_NESTING) {
      doubt(walk, first.value === undefined ? 'Which command runs is decided while it runs.' : 'It nests too deep to be read.', text);
      return LOST;
    }
    const name = withoutPrefix(baseOf(first.value), (known) => programs.has(known) || handlers.has(known) || Object.hasOwn(WRAPPERS, known));
    programs.get(name)?.(walk, words, position);
    const wrapped = runWrapped(walk, words, {name, position});
    if (wrapped) return wrapped;
    const outcome = handlers.get(name)?.(walk, words, position);
    if (!HANDLED_WITH_FILES.has(name) && !SHELLS.includes(name)) noteOperands(walk, words, {name, position});
    if (outcome) return outcome;
    return walk.functions.has(first.value) ? afterCall(walk, position) : {success: position.directory, failure: position.directory};
  };
}

/** GNU's programs have a `g` in front where the system brings its own. */
function withoutPrefix(name: string, isKnown: (name: string) => boolean): string {
  return !isKnown(name) && name.startsWith('g') && isKnown(name.slice(1)) ? name.slice(1) : name;
}

/** Goes through what a wrapper runs, should this be one. */
function runWrapped(walk: Walk, words: readonly ShellWord[], {name, position}: {name: string; position: Position}): Outcome | undefined {
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
