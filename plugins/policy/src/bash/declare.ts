import {expandText} from './expand-word.js';
import {keysOf, noteOrigin} from './flow.js';
import {noteUnknownName} from './note-name.js';
import {cutWord} from './source.js';
import type {ShellWord} from './syntax.js';
import {fixVariable, setVariable} from './variable-values.js';
import {noteAssignment, noteComputed} from './variables.js';
import {doubt, joinWords, type Handler, type Position, type Walk} from './walk.js';

/** How a command declares variables. */
interface Declaring {
  readonly position: Position;
  /** All its options, joined. */
  readonly flags: string;
  readonly isExport: boolean;
  /** They keep what is set, or change it. */
  readonly isChanging: boolean;
}

/** `declare` and its like; arrays are noted where they are read. */
export const declare: Handler = (walk, words, position) => {
  const name = words[0]?.value;
  const flags = words
    .slice(1)
    .filter(({value}) => /^[-+]./.test(value ?? ''))
    .map(({value}) => value)
    .join('');
  if (flags.includes('n') && name !== 'export' && name !== 'readonly')
    doubt(walk, 'Which variable a name means is decided while it runs.', joinWords(words));
  const isChanging = name === 'readonly' || /[^-+aAxgp]/.test(flags);
  const declaring: Declaring = {position, flags, isExport: name === 'export', isChanging};
  for (const word of words.slice(1)) if (!/^[-+]/.test(word.lead)) declareOne(walk, word, declaring);
};

/** The name, brackets included, up to and with `=` or `+=`. */
const ASSIGNED = /^([A-Za-z_]\w*)(\[[^]*?\])?\+?=/;

function declareOne(walk: Walk, word: ShellWord, declaring: Declaring): void {
  const bare = /^[A-Za-z_]\w*/.exec(word.lead)?.[0];
  if (bare !== undefined) declareBare(walk, word, {...declaring, name: bare});
  if (declaring.flags.includes('A')) noteOrigin(walk.flow, keysOf(word.lead.replace(/[[=+][^]*/, '')));
  const assigned = ASSIGNED.exec(word.lead);
  if (assigned) assign(walk, word, {...declaring, assigned});
  else noteWithoutValue(walk, word, declaring);
}

function declareBare(
  walk: Walk,
  {lead}: ShellWord,
  {name, isChanging, isExport}: Declaring & {readonly name: string},
): void {
  if (isChanging) fixVariable(walk, name);
  else if (!/[[=+]/.test(lead) && !isExport) setVariable(walk, name);
}

function noteWithoutValue(walk: Walk, word: ShellWord, {flags}: Declaring): void {
  if (word.value === undefined) noteUnknownName(walk, word);
  else if (/[`$]/.test(word.value)) doubt(walk, 'What is between the brackets is run.', word.raw);
  else if (flags.includes('i')) noteComputed(walk, word.value, word.raw);
}

function assign(
  walk: Walk,
  word: ShellWord,
  {assigned, flags, isChanging, position}: Declaring & {readonly assigned: RegExpExecArray},
): void {
  const [head, name = '', subscript] = assigned;
  if (subscript !== undefined && /[`$]/.test(subscript)) doubt(walk, 'What is between the brackets is run.', word.raw);
  const value: ShellWord = {...cutWord(word, head.length), raw: word.raw.slice(head.length)};
  noteAssignment(walk, {name, value, raw: word.raw, prefixOf: undefined}, position);
  if (isChanging) fixVariable(walk, name);
  else if (subscript === undefined && !head.endsWith('+=')) setVariable(walk, name, expandText(walk, value, position));
  const isNumber = /^\d*$/.test(value.value ?? 'x') || /^"?\$\(\([^]*\)\)"?$/.test(value.raw);
  noteOrigin(walk.flow, name, {...value, isNumber});
  if (flags.includes('i')) noteComputed(walk, name, word.raw);
}
