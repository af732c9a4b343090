import {noteOrigin} from './flow.js';
import type {ShellWord} from './syntax.js';
import {forgetVariables} from './variable-values.js';
import {noteAssignment} from './variables.js';
import {doubt, type Position, type Walk} from './walk.js';

/** Bash looks into the brackets of a name, and runs substitutions that it finds there. */
const LOOKS_INSIDE = /[[`]|\$\(/;

/** Whether bash looks for substitutions in what a word names. */
export function looksInside(name: string): boolean {
  return LOOKS_INSIDE.test(name);
}

/** Whether a word that names a variable holds, as it is written, something that bash runs. */
export function runsInside(name: string): boolean {
  return LOOKS_INSIDE.test(name) && /[`$]/.test(name);
}

/** Notes that a builtin sets the variable that a word names. */
export function noteName(walk: Walk, word: ShellWord, position: Position): void {
  if (word.value === undefined) return noteUnknownName(walk, word);
  if (runsInside(word.value)) return doubt(walk, 'What is between the brackets is run.', word.raw);
  const name = word.value.replace(/\[[^]*/, '');
  noteAssignment(walk, {name, value: undefined, raw: word.raw, prefixOf: undefined}, position);
  noteOrigin(walk.flow, name);
}

/** Notes that a builtin sets a variable of which only running could tell the name. */
export function noteUnknownName(walk: Walk, {raw}: ShellWord): void {
  forgetVariables(walk, true);
  doubt(walk, 'Which variable it sets is decided while it runs.', raw);
}
