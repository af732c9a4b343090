import {keysOf, noteOrigin, noteUse} from './flow.js';
import {noteAssignment, noteComputed, noteComputedSettings} from './variables.js';
import {expandText} from './expand-word.js';
import {shapeOf} from './shape.js';
import {cutWord} from './source.js';
import type {ShellWord} from './syntax.js';
import {fixVariable, forgetVariables, setVariable, walkApart} from './variable-values.js';
import {doubt, joinWords, NOWHERE_KNOWN, runWordAsText, type Handler, type Position, type Walk} from './walk.js';

/** Bash looks into the brackets of a name, and runs substitutions that it finds there. */
const RUNS_INSIDE = /[[`]|\$\(/;

/** Notes that a builtin sets the variable that a word names. */
function noteName(walk: Walk, word: ShellWord, position: Position): void {
  if (word.value === undefined) return noteUnknownName(walk, word);
  if (RUNS_INSIDE.test(word.value) && /[`$]/.test(word.value))
    return doubt(walk, 'What is between the brackets is run.', word.raw);
  const name = word.value.replace(/\[[^]*/, '');
  noteAssignment(walk, {name, value: undefined, raw: word.raw, prefixOf: undefined}, position);
  noteOrigin(walk.flow, name);
}

function noteUnknownName(walk: Walk, {raw}: ShellWord): void {
  forgetVariables(walk, true);
  doubt(walk, 'Which variable it sets is decided while it runs.', raw);
}

/** The words that are no options; letters in `values` take the next word along. */
function operandsOf(
  words: readonly ShellWord[],
  values: string,
): {operands: readonly ShellWord[]; options: ReadonlyMap<string, ShellWord | undefined>} {
  const options = new Map<string, ShellWord | undefined>();
  let at = 1;
  for (; at < words.length; at += 1) {
    const {value} = words[at] as ShellWord;
    if (value === '--') {
      at += 1;
      break;
    }
    if (value === undefined || !/^-./.test(value)) break;
    for (let letter = 1; letter < value.length; letter += 1) {
      const option = value[letter] as string;
      if (!values.includes(option)) {
        options.set(option, undefined);
        continue;
      }
      const word = words[at] as ShellWord;
      const isAttached = letter < value.length - 1;
      options.set(
        option,
        isAttached ? {...word, value: value.slice(letter + 1), lead: value.slice(letter + 1)} : words[(at += 1)],
      );
      break;
    }
  }
  return {operands: words.slice(at), options};
}

const read: Handler = (walk, words, position) => {
  const {operands, options} = operandsOf(words, 'adinNptu');
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

const mapFile: Handler = (walk, words, position) => {
  const {operands, options} = operandsOf(words, 'dnOsuCc');
  if (options.has('C')) {
    const callback = options.get('C');
    if (callback) runWordAsText(walk, callback, {...position, via: [...position.via, 'mapfile -C']});
    doubt(walk, 'It adds words to the command that it runs.', joinWords(words));
  }
  for (const name of operands) noteName(walk, name, position);
  noteOrigin(walk.flow, 'MAPFILE');
  setVariable(walk, 'MAPFILE');
};

const print: Handler = (walk, words, position) => {
  const {options, operands} = operandsOf(words, 'v');
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

const getOptions: Handler = (walk, words, position) => {
  const [, , name] = words;
  if (name) noteName(walk, name, position);
  noteOrigin(walk.flow, 'OPTARG');
};

const unset: Handler = (walk, words, position) => {
  for (const word of words.slice(1)) {
    if (word.value !== undefined && /^[A-Za-z_]\w*$/.test(word.value))
      noteAssignment(walk, {name: word.value, value: undefined, raw: word.raw, prefixOf: 'unset'}, position);
    if (word.value === undefined)
      noteUse(walk.flow, 'number', word, {
        kind: 'dynamic',
        reason: 'Which variable it forgets is decided while it runs.',
        text: joinWords(words),
      });
    else if (RUNS_INSIDE.test(word.value) && /[`$]/.test(word.value))
      doubt(walk, 'What is between the brackets is run.', word.raw);
  }
};

const compute: Handler = (walk, words, position) => {
  for (const word of words.slice(1)) {
    const text = word.value ?? word.raw;
    const isOpen = word.isOpen || /[`[]|\$\(|\w\$|\}\w/.test(text);
    noteComputedSettings(walk, text, position);
    for (const name of text.match(/[A-Za-z_]\w*/g) ?? []) fixVariable(walk, name);
    if (isOpen) forgetVariables(walk, true);
    noteUse(
      walk.flow,
      'number',
      {names: text.match(/[A-Za-z_]\w*/g) ?? [], isOpen, scripts: word.scripts},
      {
        kind: 'dynamic',
        reason: 'It computes with a value from elsewhere, which could hold a command.',
        text: joinWords(words),
      },
    );
  }
};

const wait: Handler = (walk, words, position) => {
  const name = operandsOf(words, 'p').options.get('p');
  if (name) noteName(walk, name, position);
};

/** `declare` and its like; arrays are noted where they are read. */
const declare: Handler = (walk, words, position) => {
  const isExport = words[0]?.value === 'export' || words[0]?.value === 'readonly';
  const flags = words
    .slice(1)
    .filter(({value}) => /^[-+]./.test(value ?? ''))
    .map(({value}) => value)
    .join('');
  if (flags.includes('n') && !isExport)
    doubt(walk, 'Which variable a name means is decided while it runs.', joinWords(words));
  // They keep what is set, or change it.
  const isChanging = words[0]?.value === 'readonly' || /[^-+aAxgp]/.test(flags);
  for (const word of words.slice(1)) {
    if (/^[-+]/.test(word.lead)) continue;
    const bare = /^[A-Za-z_]\w*/.exec(word.lead)?.[0];
    if (bare !== undefined && isChanging) fixVariable(walk, bare);
    else if (bare !== undefined && !/[[=+]/.test(word.lead) && words[0]?.value !== 'export') setVariable(walk, bare);
    if (flags.includes('A')) noteOrigin(walk.flow, keysOf(word.lead.replace(/[[=+][^]*/, '')));
    const [head, name = '', subscript] = /^([A-Za-z_]\w*)(\[[^]*?\])?\+?=/.exec(word.lead) ?? [];
    if (head === undefined) {
      if (word.value === undefined) noteUnknownName(walk, word);
      else if (/[`$]/.test(word.value)) doubt(walk, 'What is between the brackets is run.', word.raw);
      else if (flags.includes('i')) noteComputed(walk, word.value, word.raw);
      continue;
    }
    if (subscript !== undefined && /[`$]/.test(subscript))
      doubt(walk, 'What is between the brackets is run.', word.raw);
    const value: ShellWord = {...cutWord(word, head.length), raw: word.raw.slice(head.length)};
    noteAssignment(walk, {name, value, raw: word.raw, prefixOf: undefined}, position);
    if (isChanging) fixVariable(walk, name);
    else if (subscript === undefined && !head.endsWith('+='))
      setVariable(walk, name, expandText(walk, value, position));
    const isNumber = /^\d*$/.test(value.value ?? 'x') || /^"?\$\(\([^]*\)\)"?$/.test(value.raw);
    noteOrigin(walk.flow, name, {...value, isNumber});
    if (flags.includes('i')) noteComputed(walk, name, word.raw);
  }
};

const UNARY = /^-[a-uw-zGLNOS]$/;
const BINARY = /^(?:=|==|!=|=~|<|>|-(?:eq|ne|lt|le|gt|ge|nt|ot|ef))$/;

/** `test` and `[`: `-v` looks into brackets, and a word that nobody knows could be `-v`. */
const test: Handler = (walk, words) => {
  const operands = words.slice(1, words[0]?.value === '[' ? -1 : undefined);
  operands.forEach((word, index) => {
    const [before, after] = [operands[index - 1]?.value ?? '', operands[index + 1]?.value ?? ''];
    if (/^-[vR]$/.test(before) && (word.value === undefined || RUNS_INSIDE.test(word.value))) {
      noteUse(
        walk.flow,
        'number',
        {...word, isOpen: word.isOpen || RUNS_INSIDE.test(word.raw)},
        {kind: 'dynamic', reason: 'What is between the brackets is run.', text: joinWords(words)},
      );
    }
    if (word.value !== undefined) return;
    const isPlaced = operands.length === 1 || BINARY.test(before) || BINARY.test(after) || UNARY.test(before);
    if (!isPlaced || word.splits)
      noteUse(walk.flow, 'plain', word, {
        kind: 'dynamic',
        reason: 'Whether a word is an operator is decided while it runs.',
        text: joinWords(words),
        showsFiles: true,
      });
  });
};

const trap: Handler = (walk, words, position) => {
  const {operands, options} = operandsOf(words, '');
  const [action] = operands;
  if (!action || options.size > 0 || operands.length === 1 || action.value === '-' || action.value === '') return;
  walkApart(
    walk,
    () =>
      void runWordAsText(walk, action, {
        ...position,
        via: [...position.via, 'trap'],
        directories: NOWHERE_KNOWN,
        input: {kind: 'open'},
      }),
  );
};

const alias: Handler = (walk, words, position) => {
  for (const word of words.slice(1)) {
    if (word.value === undefined) doubt(walk, 'What an alias stands for is decided while it runs.', word.raw);
    const [, name = '', text] = /^([^=]+)=([^]*)$/.exec(word.value ?? '') ?? [];
    if (text === undefined) continue;
    walkApart(
      walk,
      () => void walk.runText(text, {...position, via: [...position.via, `alias ${name}`], directories: NOWHERE_KNOWN}),
    );
    if (position.isForeign) doubt(walk, 'Aliases change what other names run.', word.raw);
  }
};

const hash: Handler = (walk, words, position) => {
  const path = operandsOf(words, 'p').options.get('p');
  if (!path) return;
  walk.run([path], {...position, via: [...position.via, 'hash -p']}, path.raw);
  doubt(walk, 'It changes what a name runs.', joinWords(words));
};

const complete: Handler = (walk, words, position) => {
  const {options} = operandsOf(words, 'oAGWFCXPS');
  const command = options.get('C');
  if (command) runWordAsText(walk, command, {...position, via: [...position.via, `${words[0]?.raw ?? ''} -C`]});
  const isStatic = words.every(({value}) => value !== undefined && !/[`$]/.test(value));
  if (!isStatic || options.has('F') || options.has('C'))
    doubt(walk, 'It runs or expands what it completes with.', joinWords(words));
};

const HARMLESS_SETTINGS =
  /^(?:allexport|braceexpand|errexit|errtrace|functrace|hashall|ignoreeof|monitor|noclobber|noexec|noglob|nolog|notify|nounset|onecmd|pipefail|verbose|xtrace)$/;

const set: Handler = (walk, words) => {
  for (let at = 1; at < words.length; at += 1) {
    const {value, lead} = words[at] as ShellWord;
    if (value === '--' || value === '-' || (value !== undefined && !/^[-+]/.test(value))) return;
    const setting = /^[-+]\w*o$/.test(value ?? '') ? words[at + 1] : undefined;
    const isHarmless =
      /^[-+][abefhmntuvxBCETo]+$/.test(value ?? '') && (!setting || HARMLESS_SETTINGS.test(setting.value ?? ''));
    if (!isHarmless && (value !== undefined || lead === '' || /^[-+]/.test(lead)))
      return doubt(walk, 'It changes how the shell reads what follows.', joinWords(words));
    if (setting) at += 1;
  }
};

const HARMLESS_SHOPTS =
  /^(?:-[spuq]+|nullglob|dotglob|globstar|failglob|nocaseglob|nocasematch|inherit_errexit|checkwinsize|histappend|cmdhist|autocd|globasciiranges)$/;

const shopt: Handler = (walk, words) => {
  if (words.some(({value}) => /^(?:dotglob|globstar)$/.test(value ?? '')) && walk.globs === 'plain')
    walk.globs = 'deep';
  if (words.some(({value}) => value === undefined || /^(?:nocaseglob|nocasematch|extglob)$/.test(value)))
    walk.globs = 'any';
  if (!words.slice(1).every(({value}) => value !== undefined && HARMLESS_SHOPTS.test(value)))
    doubt(walk, 'It changes how the shell reads what follows.', joinWords(words));
};

/** Builtins whose use with options changes what runs, or runs it again. */
const unread: Handler = (walk, words) => {
  if (words.length > 1) doubt(walk, `What ${words[0]?.raw ?? ''} does here is not read.`, joinWords(words));
};

const jobs: Handler = (walk, words, position) => {
  const [, option, ...rest] = words;
  if (option?.value === '-x' && rest.length > 0)
    walk.run(rest, {...position, via: [...position.via, 'jobs -x']}, joinWords(rest));
  else if (option && option.value === undefined)
    doubt(walk, 'What it runs is decided while it runs.', joinWords(words));
};

/** Builtins of bash that set variables, change what names mean, or run what they are handed. */
export const BUILTINS: readonly (readonly [string, Handler])[] = [
  ['read', read],
  ['mapfile', mapFile],
  ['readarray', mapFile],
  ['printf', print],
  ['getopts', getOptions],
  ['unset', unset],
  ['let', compute],
  ['wait', wait],
  ['declare', declare],
  ['typeset', declare],
  ['local', declare],
  ['export', declare],
  ['readonly', declare],
  ['test', test],
  ['[', test],
  ['trap', trap],
  ['alias', alias],
  ['hash', hash],
  ['complete', complete],
  ['compgen', complete],
  ['set', set],
  ['shopt', shopt],
  ['jobs', jobs],
  ['enable', unread],
  ['bind', unread],
  ['fc', unread],
  ['history', unread],
];
