import {readBuiltinOptions} from './builtin-options.js';
import {noteOrigin, noteUse} from './flow.js';
import {noteName, runsInside} from './note-name.js';
import {shapeOf} from './shape.js';
import type {ShellWord} from './syntax.js';
import {fixVariable, forgetVariables, setVariable} from './variable-values.js';
import {noteAssignment, noteComputedSettings} from './variables.js';
import {doubt, joinWords, runWordAsText, type Handler, type Position, type Walk} from './walk.js';

/** `read`: it sets variables to what it is handed, which is known when it keeps lines whole. */
export const read: Handler = (walk, words, position) => {
  const {operands, options} = readBuiltinOptions(words, 'adinNptu');
  const array = options.get('a');
  for (const name of array ? [array, ...operands] : operands) noteName(walk, name, position);
  noteOrigin(walk.flow, 'REPLY');
  const [only, ...more] = operands;
  const isWhole =
    walk.readsWhole !== false && !walk.hasOddSplits && [...options.keys()].every((option) => option === 'r');
  if (only?.value !== undefined && more.length === 0 && isWhole) setVariable(walk, only.value, linesOf(position));
  walk.readsWhole = undefined;
};

function linesOf({input}: Position): readonly string[] | undefined {
  if (input.kind === 'text') return input.text.split('\n').map(shapeOf);
  return input.kind === 'open' ? input.lines : undefined;
}

/** `mapfile` and `readarray`: they fill an array, and may run a command for each line. */
export const mapFile: Handler = (walk, words, position) => {
  const {operands, options} = readBuiltinOptions(words, 'dnOsuCc');
  if (options.has('C')) {
    const callback = options.get('C');
    if (callback) runWordAsText(walk, callback, {...position, via: [...position.via, 'mapfile -C']});
    doubt(walk, 'It adds words to the command that it runs.', joinWords(words));
  }
  for (const name of operands) noteName(walk, name, position);
  noteOrigin(walk.flow, 'MAPFILE');
  setVariable(walk, 'MAPFILE');
};

/** `printf`: with `-v` it sets a variable. */
export const print: Handler = (walk, words, position) => {
  const {options, operands} = readBuiltinOptions(words, 'v');
  const name = options.get('v');
  if (name) noteName(walk, name, position);
  const [first] = operands;
  if (first && first.value === undefined) noteOptionUse(walk, first, words);
};

function noteOptionUse(walk: Walk, word: ShellWord, words: readonly ShellWord[]): void {
  if (word.lead !== '' && !word.lead.startsWith('-')) return;
  noteUse(walk.flow, 'plain', word, {
    kind: 'dynamic',
    reason: 'Whether a word is an option is decided while it runs.',
    text: joinWords(words),
    showsFiles: true,
  });
}

/** `getopts`: it sets the variable that it is given, and `OPTARG`. */
export const getOptions: Handler = (walk, words, position) => {
  const [, , name] = words;
  if (name) noteName(walk, name, position);
  noteOrigin(walk.flow, 'OPTARG');
};

/** `unset`: it forgets variables, some of which decide what other commands run. */
export const unset: Handler = (walk, words, position) => {
  for (const word of words.slice(1)) {
    if (word.value !== undefined && /^[A-Za-z_]\w*$/.test(word.value))
      noteAssignment(walk, {name: word.value, value: undefined, raw: word.raw, prefixOf: 'unset'}, position);
    if (word.value === undefined)
      noteUse(walk.flow, 'number', word, {
        kind: 'dynamic',
        reason: 'Which variable it forgets is decided while it runs.',
        text: joinWords(words),
      });
    else if (runsInside(word.value)) doubt(walk, 'What is between the brackets is run.', word.raw);
  }
};

/** `let`: it computes, and may set each variable that it names. */
export const compute: Handler = (walk, words, position) => {
  for (const word of words.slice(1)) {
    const text = word.value ?? word.raw;
    const names = text.match(/[A-Za-z_]\w*/g) ?? [];
    const isOpen = word.isOpen || /[`[]|\$\(|\w\$|\}\w/.test(text);
    noteComputedSettings(walk, text, position);
    for (const name of names) fixVariable(walk, name);
    if (isOpen) forgetVariables(walk, true);
    noteUse(
      walk.flow,
      'number',
      {names, isOpen, scripts: word.scripts},
      {
        kind: 'dynamic',
        reason: 'It computes with a value from elsewhere, which could hold a command.',
        text: joinWords(words),
      },
    );
  }
};

/** `wait`: with `-p` it sets a variable. */
export const wait: Handler = (walk, words, position) => {
  const name = readBuiltinOptions(words, 'p').options.get('p');
  if (name) noteName(walk, name, position);
};
