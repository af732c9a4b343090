import {noteUse} from './flow.js';
import type {ShellWord} from './syntax.js';
import {takeOption} from './take-option.js';
import {doubt, joinWords, openWord, runWordAsText, type Handler, type Position, type Walk} from './walk.js';

interface Program {
  /** Options whose value a shell reads, or is a program. */
  readonly scripts?: readonly string[];
  /** Options and words after which it is unknown what it runs. */
  readonly dynamic?: RegExp;
  /** The same for the word right behind the name. */
  readonly first?: RegExp;
  /** Options that are followed by a command, up to a `;`. */
  readonly commands?: RegExp;
}

const OF_SSH = /(?:proxy|local|knownhosts)command|pkcs11provider|securitykeyprovider/i;

/** Ordinary programs that run others when an option says so. */
const PROGRAMS: Readonly<Record<string, Program>> = {
  tar: {
    scripts: [
      '--to-command',
      '--use-compress-program',
      '--rsh-command',
      '--rmt-command',
      '--info-script',
      '--new-volume-script',
      '-I',
      '-F',
    ],
    dynamic: /^--checkpoint-ac/,
    first: /^[A-Za-z]*[IF]/,
  },
  bsdtar: {scripts: ['--use-compress-program']},
  rsync: {scripts: ['-e', '--rsh', '--rsync-path'], dynamic: /^--(?:config|daemon)/},
  sort: {scripts: ['--compress-program']},
  split: {scripts: ['--filter']},
  zip: {scripts: ['--unzip-command'], dynamic: /^-T?T$|^-\w*TT/},
  rg: {scripts: ['--pre', '--hostname-bin']},
  ag: {scripts: ['--pager']},
  ack: {scripts: ['--pager']},
  bat: {scripts: ['--pager']},
  batcat: {scripts: ['--pager']},
  fd: {commands: /^-(?:x|X|-exec|-exec-batch)$/, dynamic: /^-[xX].|^--exec(?:-batch)?=/},
  fdfind: {commands: /^-(?:x|X|-exec|-exec-batch)$/, dynamic: /^-[xX].|^--exec(?:-batch)?=/},
  man: {scripts: ['-P', '--pager', '-H', '--html'], dynamic: /^-C|^--config-file/},
  less: {dynamic: /^\+|^-\w*[kP]|^--lesskey/},
  more: {dynamic: /^\+/},
  vim: {dynamic: /^\+|^-[cSuUsW]|^--cmd/},
  vi: {dynamic: /^\+|^-[cSuUs]|^--cmd/},
  nvim: {dynamic: /^\+|^-[cSuUsl]|^--cmd/},
  view: {dynamic: /^\+|^-[cSuUs]|^--cmd/},
  ex: {dynamic: /^/},
  ed: {dynamic: /^/},
  emacs: {dynamic: /^-(?:l|f|-?eval|-?batch|-?load|-?funcall|-?script)/},
  ssh: {dynamic: OF_SSH},
  scp: {scripts: ['-S'], dynamic: OF_SSH},
  sftp: {scripts: ['-S', '-D'], dynamic: OF_SSH},
  'ssh-keygen': {dynamic: /^-D/},
  'ssh-add': {dynamic: /^-s/},
  nc: {dynamic: /^-\w*[ec]|^--(?:sh-)?exec/},
  ncat: {dynamic: /^-\w*[ec]|^--(?:sh-|lua-)?exec/},
  netcat: {dynamic: /^-\w*[ec]/},
  socat: {dynamic: /exec|system/i},
  tcpdump: {scripts: ['-z']},
  at: {dynamic: /^/},
  batch: {dynamic: /^/},
  crontab: {dynamic: /^(?!-l$)/},
  gdb: {dynamic: /^-(?:-?ex|-?command|x|-?eval|-?args|-?batch)/},
  lldb: {dynamic: /^-/},
  hg: {dynamic: /^--config/},
  svn: {dynamic: /^--(?:diff|merge|diff3|editor)-cmd|^--config-option/},
  wget: {scripts: ['--use-askpass'], dynamic: /^(?:-e|--execute)/},
  make: {dynamic: /^(?:--eval|-E)|^SHELL=|^-f?-?$|^--(?:file|makefile)=-$|^\/dev\//},
  npm: {dynamic: /^--(?:script-shell|node-options|git)/},
  pnpm: {dynamic: /^--(?:script-shell|shell-emulator)/},
  sqlite3: {dynamic: /^-cmd|^\s*\.(?:shell|system|import|output|once|load)/m},
  psql: {dynamic: /\\!|\\(?:copy|o|g|w|i|ir|setenv)\b/},
  mysql: {dynamic: /\\!|^--pager|^\s*(?:system|pager|source)\b/m},
  docker: {dynamic: /^--config/},
  go: {dynamic: /^-?-(?:toolexec|exec|vettool)/},
  cargo: {dynamic: /^--config/},
  openssl: {dynamic: /^-(?:engine|provider)/},
  gpg: {dynamic: /-program/},
  dpkg: {dynamic: /hook|^--(?:pre|post)-invoke/},
  apt: {dynamic: /^-\w*o|^--option|::/},
  'apt-get': {dynamic: /^-\w*o|^--option|::/},
  pip: {dynamic: /^--(?:global|config|build)-/},
};

/** A program at its place in a line. */
interface Called {
  readonly program: Program;
  readonly name: string;
  readonly position: Position;
  /** All its words. */
  readonly text: string;
}

/** Notes what a program's options run. */
function readProgram(walk: Walk, words: readonly ShellWord[], called: Called): void {
  noteElsewhere(walk, words, called);
  for (let at = 1; at < words.length; at += 1) {
    noteOption(walk, words[at] as ShellWord, {...called, next: words[at + 1]});
    if (called.program.commands?.test(words[at]?.value ?? '')) return runCommand(walk, words.slice(at + 1), called);
  }
}

/** Notes what runs whatever the options are. */
function noteElsewhere(walk: Walk, words: readonly ShellWord[], {program, name, position, text}: Called): void {
  const {dynamic, first} = program;
  if (words.length === 1 && dynamic?.test('')) doubt(walk, `What ${name} runs is decided elsewhere.`, text);
  if (first?.test(words[1]?.value ?? ''))
    doubt(walk, `With ${words[1]?.raw ?? ''}, what ${name} runs cannot be determined.`, text);
  if (readsCommands(program, position)) doubt(walk, `What ${name} makes of its input cannot be determined.`, text);
}

/** Some read commands of their own, which can run others. */
function readsCommands({dynamic}: Program, {input}: Position): boolean {
  return input.kind === 'text' && dynamic?.test(input.text) === true;
}

function noteOption(
  walk: Walk,
  word: ShellWord,
  {program, name, position, text, next}: Called & {readonly next: ShellWord | undefined},
): void {
  if (word.value === undefined && word.lead === '' && guards(program))
    noteUse(walk.flow, 'plain', word, {
      kind: 'dynamic',
      reason: `Whether a word is an option of ${name} is decided while it runs.`,
      text,
    });
  const script = takeOption(word, next, program.scripts);
  if (script) runWordAsText(walk, script, inside(name, position));
  if (script === null || program.dynamic?.test(word.value ?? word.lead))
    doubt(walk, `With ${word.raw}, what ${name} runs cannot be determined.`, text);
}

/** Whether an unknown word could be an option that runs something. */
function guards({scripts, commands, dynamic}: Program): boolean {
  return scripts !== undefined || commands !== undefined || dynamic?.test('+!') === true;
}

function inside(name: string, position: Position): Position {
  return {...position, via: [...position.via, name], input: {kind: 'open'}};
}

/** Goes through the command behind an option, up to a `;`. */
function runCommand(walk: Walk, words: readonly ShellWord[], {name, position}: Called): void {
  const end = words.findIndex(({value}) => value === ';');
  const inner = words
    .slice(0, end < 0 ? undefined : end)
    .map((one) => (/\{[^}]*\}/.test(one.value ?? '') ? openWord(one.raw) : one));
  if (inner.length > 0) walk.run([...inner, openWord('…')], inside(name, position), joinWords(inner));
}

/** A handler for each program that is known to run others. */
export function programHandlers(): readonly (readonly [string, Handler])[] {
  return Object.entries(PROGRAMS).map(([name, program]) => [
    name,
    (walk, words, position) => readProgram(walk, words, {program, name, position, text: joinWords(words)}),
  ]);
}
