import {enter} from './directories.js';
import {noteUse} from './flow.js';
import {noteSetting} from './git-config.js';
import {readGit} from './git-operands.js';
import {GIT_READERS} from './git-tables.js';
import {noteFiles} from './note-files.js';
import {cutWord} from './source.js';
import {joinAndRun} from './unwrap.js';
import type {ShellWord} from './syntax.js';
import {takeOption} from './take-option.js';
import {doubt, joinWords, runWordAsText, type Handler, type Position, type Walk} from './walk.js';

interface Subcommand {
  /** Options whose value a shell reads. */
  readonly scripts?: readonly string[];
  /** Options that make git run what only running could tell. */
  readonly dynamic?: readonly string[];
  /** Options whose value is a file that it writes. */
  readonly writes?: readonly string[];
  /** Its operands name places that it writes. */
  readonly makes?: boolean;
  /** An unknown word would have to be an option to do harm. */
  readonly guards?: boolean;
}

const REMOTE = ['--upload-pack', '--receive-pack', '--exec'];

/** What subcommands can run or write. Those that are not here run only what the person's configuration names. */
const SUBCOMMANDS: Readonly<Record<string, Subcommand>> = {
  fetch: {scripts: REMOTE, guards: true},
  pull: {scripts: [...REMOTE, '-x'], guards: true},
  push: {scripts: REMOTE, guards: true},
  'ls-remote': {scripts: REMOTE, guards: true},
  'fetch-pack': {scripts: REMOTE, guards: true},
  'send-pack': {scripts: REMOTE, guards: true},
  clone: {scripts: [...REMOTE, '-u'], dynamic: ['--template', '--separate-git-dir'], makes: true, guards: true},
  init: {dynamic: ['--template', '--separate-git-dir'], makes: true, guards: true},
  archive: {scripts: ['--exec'], dynamic: ['--remote'], writes: ['--output', '-o'], guards: true},
  rebase: {scripts: ['-x', '--exec'], guards: true},
  difftool: {scripts: ['-x', '--extcmd'], guards: true},
  grep: {scripts: ['-O', '--open-files-in-pager'], guards: true},
  'filter-branch': {
    scripts: [
      '--setup',
      '--env-filter',
      '--tree-filter',
      '--index-filter',
      '--parent-filter',
      '--msg-filter',
      '--commit-filter',
      '--tag-name-filter',
    ],
    guards: true,
  },
  'send-email': {scripts: ['--smtp-server', '--sendmail-cmd', '--to-cmd', '--cc-cmd', '--header-cmd'], guards: true},
  instaweb: {scripts: ['-d', '--httpd', '-b', '--browser'], guards: true},
  'web--browse': {dynamic: ['-b', '--browser', '-t', '--tool', '-c', '--config'], guards: true},
  help: {dynamic: ['-w', '--web']},
  diff: {writes: ['--output']},
  log: {writes: ['--output']},
  show: {writes: ['--output']},
  'format-patch': {writes: ['--output', '-o', '--output-directory']},
  bundle: {makes: true},
  worktree: {makes: true},
  submodule: {makes: true, guards: true},
  bisect: {guards: true},
  config: {guards: true},
};
/** Subcommands that are made to run others, or to serve other programs. */
const RUNNING = new Set([
  'for-each-repo',
  'shell',
  'remote-ext',
  'remote-fd',
  'daemon',
  'upload-pack',
  'receive-pack',
  'upload-archive',
  'hook',
  'maintenance',
  'cvsserver',
  'sh-setup',
  'sh-i18n',
  'mergetool--lib',
  'credential-cache--daemon',
]);

const ALONE =
  /^(?:-p|-P|-h|-v|--(?:paginate|no-pager|no-replace-objects|bare|literal-pathspecs|glob-pathspecs|noglob-pathspecs|icase-pathspecs|no-optional-locks|no-lazy-fetch|no-advice|version|help|html-path|man-path|info-path|exec-path|list-cmds=\w+))$/;

/** `git`: what its options, its settings and its subcommands run besides. */
export const git: Handler = (walk, words, position) => {
  const text = joinWords(words);
  let there = position;
  const own = walk.commands.length - 1;
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at] as ShellWord;
    const {value, lead} = word;
    if (value === undefined && (lead === '' || lead.startsWith('-')))
      return doubt(walk, 'Which command of git it is, is decided while it runs.', text);
    if (!lead.startsWith('-'))
      return runSubcommand(walk, words.slice(at), {position: {...there, via: position.via}, at: own});
    if (ALONE.test(value ?? '')) continue;
    const next = words[at + 1];
    if (value === '-C') there = {...there, directories: next ? enter(walk, next, there) : there.directories};
    else if (value === '-c') readSetting(walk, next, {position, text});
    else return doubt(walk, `With ${word.raw}, what git runs cannot be determined.`, text);
    at += 1;
  }
};

function readSetting(walk: Walk, word: ShellWord | undefined, context: {position: Position; text: string}): void {
  const [head, key] = /^([^=]+)=/.exec(word?.lead ?? '') ?? [];
  if (!word || key === undefined || head === undefined) {
    const isSwitch = word?.value !== undefined && word.value !== '';
    return noteSetting(walk, isSwitch ? word.value : undefined, undefined, context);
  }
  noteSetting(walk, key, cutWord(word, head.length), context);
}

function runSubcommand(
  walk: Walk,
  words: readonly ShellWord[],
  {position, at}: {position: Position; at: number},
): void {
  const [name, ...given] = words;
  const command = name?.value;
  const text = `git ${joinWords(words)}`;
  if (command === undefined) return doubt(walk, 'Which command of git it is, is decided while it runs.', text);
  if (RUNNING.has(command)) return doubt(walk, `git ${command} runs what only running it could tell.`, text);
  if (given.some(({value, raw}) => /^(?:ext|fd)::/.test(value ?? '') || raw.includes('ext::')))
    doubt(walk, 'The address of a repository names a command.', text);
  noteReading(walk, words, {position, at});
  const rules = SUBCOMMANDS[command];
  if (!rules) return;
  const there = {...position, via: [...position.via, `git ${command}`]};
  if (command === 'bisect') runAfter(walk, given, {word: 'run', position: there, isJoined: false});
  if (command === 'submodule') runAfter(walk, given, {word: 'foreach', position: there, isJoined: true});
  if (command === 'config') readConfig(walk, given, {position, text});
  readOptions(walk, given, {rules, position: there, text, isClone: command === 'clone'});
}

/** Notes what it reads, with the command at its place among all. */
function noteReading(walk: Walk, words: readonly ShellWord[], {position, at}: {position: Position; at: number}): void {
  const {use, unclear} = readGit(walk, words, position);
  const command = walk.commands[at];
  if (command) walk.commands[at] = {...command, git: use, ...(unclear === undefined ? {} : {unclear})};
  if (!Object.hasOwn(GIT_READERS, use.verb)) walk.changes = true;
}

function runAfter(
  walk: Walk,
  words: readonly ShellWord[],
  {word, position, isJoined}: {word: string; position: Position; isJoined: boolean},
): void {
  const at = words.findIndex(({value}) => value === word);
  if (at < 0) return;
  const rest = words.slice(at + 1);
  while (isJoined && /^--?\w/.test(rest[0]?.value ?? '')) rest.shift();
  if (rest.length === 0) return;
  if (isJoined) joinAndRun(walk, rest, position);
  else walk.run(rest, position, joinWords(rest));
}

interface Rules {
  readonly rules: Subcommand;
  readonly position: Position;
  readonly text: string;
  readonly isClone: boolean;
}

function readOptions(walk: Walk, words: readonly ShellWord[], {rules, position, text, isClone}: Rules): void {
  const end = words.findIndex(({value}) => value === '--');
  const before = end < 0 ? words : words.slice(0, end);
  before.forEach((word, index) => {
    const next = words[index + 1];
    if (word.value === undefined && word.lead === '' && rules.guards)
      noteUse(walk.flow, 'plain', word, {
        kind: 'dynamic',
        reason: 'Whether a word is an option of git is decided while it runs.',
        text,
      });
    const script = takeOption(word, next, rules.scripts);
    if (script) runWordAsText(walk, script, position);
    if (script === null || takeOption(word, next, rules.dynamic) !== undefined)
      doubt(walk, `With ${word.raw}, what git runs cannot be determined.`, text);
    const written = takeOption(word, next, rules.writes);
    if (written) noteWritten(walk, written, position);
    const setting = isClone ? takeOption(word, next, ['-c', '--config']) : undefined;
    if (setting) readSetting(walk, setting, {position, text});
  });
  if (rules.makes)
    for (const word of words)
      if (!word.lead.startsWith('-') && !/^[\w-]+$|:/.test(word.value ?? '')) noteWritten(walk, word, position);
}

function noteWritten(walk: Walk, word: ShellWord, position: Position): void {
  noteFiles(walk, word, {position, access: 'write', by: 'argument'});
}

const READING =
  /^--(?:get|get-all|get-regexp|get-urlmatch|get-color|get-colorbool|list|show-origin|show-scope|name-only|unset|unset-all|remove-section)$|^-l$/;

function readConfig(walk: Walk, words: readonly ShellWord[], context: {position: Position; text: string}): void {
  if (words.some(({value}) => READING.test(value ?? ''))) return;
  const [verb] = words;
  if (/^(?:get|list|unset|remove-section)$/.test(verb?.value ?? '')) return;
  const given = verb?.value === 'set' || verb?.value === 'edit' ? words.slice(1) : words;
  const operands = given.filter(
    (word, index) =>
      !word.lead.startsWith('-') &&
      !/^(?:-f|--file|--blob|-t|--type|--default|--comment|--value)$/.test(given[index - 1]?.value ?? ''),
  );
  const [key, value] = operands;
  if (!key || (!value && key.value !== undefined)) return;
  noteSetting(walk, key.value, value, context);
}
