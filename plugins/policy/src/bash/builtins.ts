import {readBuiltinOptions} from './builtin-options.js';
import {declare} from './declare.js';
import {set, shopt} from './shell-options.js';
import {test} from './test-builtin.js';
import {walkApart} from './variable-values.js';
import {compute, getOptions, mapFile, print, read, unset, wait} from './variable-builtins.js';
import {doubt, joinWords, NOWHERE_KNOWN, runWordAsText, type Handler} from './walk.js';

const trap: Handler = (walk, words, position) => {
  const {operands, options} = readBuiltinOptions(words, '');
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
  const path = readBuiltinOptions(words, 'p').options.get('p');
  if (!path) return;
  walk.run([path], {...position, via: [...position.via, 'hash -p']}, path.raw);
  doubt(walk, 'It changes what a name runs.', joinWords(words));
};

const complete: Handler = (walk, words, position) => {
  const {options} = readBuiltinOptions(words, 'oAGWFCXPS');
  const command = options.get('C');
  if (command) runWordAsText(walk, command, {...position, via: [...position.via, `${words[0]?.raw ?? ''} -C`]});
  const isStatic = words.every(({value}) => value !== undefined && !/[`$]/.test(value));
  if (!isStatic || options.has('F') || options.has('C'))
    doubt(walk, 'It runs or expands what it completes with.', joinWords(words));
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
