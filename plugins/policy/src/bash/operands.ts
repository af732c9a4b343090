import {resolvePath} from './directories.js';
import type {ShellWord} from './syntax.js';
import type {Position, Walk} from './walk.js';

interface Writer {
  /** Which operands it writes; others it reads. */
  readonly operands?: 'all' | 'last';
  /** How many operands in front are no files: the mode of chmod. */
  readonly skips?: number;
  /** Options whose value is a file that it writes, or a directory that it writes to. */
  readonly options?: readonly string[];
  /** It writes its operands only with such an option. */
  readonly only?: RegExp;
  /** Operands that name what they are: `of=…`. */
  readonly key?: string;
}

const ALL: Writer = {operands: 'all'};
const LAST: Writer = {operands: 'last', options: ['-t', '--target-directory']};
const OUTPUT: Writer = {options: ['-o', '--output']};

const WRITERS: Readonly<Record<string, Writer>> = {
  rm: ALL, rmdir: ALL, unlink: ALL, mkdir: ALL, touch: ALL, truncate: ALL, shred: ALL, tee: ALL, mkfifo: ALL, mknod: ALL,
  gzip: ALL, gunzip: ALL, bzip2: ALL, xz: ALL, zstd: OUTPUT, sponge: ALL, trash: ALL,
  mv: {operands: 'all', options: ['-t', '--target-directory']}, cp: LAST, ln: LAST, install: LAST, rsync: LAST, scp: LAST, ditto: LAST, dd: {key: 'of'},
  chmod: {operands: 'all', skips: 1}, chown: {operands: 'all', skips: 1}, chgrp: {operands: 'all', skips: 1}, chattr: {operands: 'all', skips: 1}, setfacl: {operands: 'all', skips: 1},
  sed: {operands: 'all', only: /^(?:-[nErsuz]*i|--in-place)/}, gsed: {operands: 'all', only: /^(?:-[nErsuz]*i|--in-place)/}, perl: {operands: 'all', only: /^-\w*i/}, ruby: {operands: 'all', only: /^-\w*i/},
  sort: OUTPUT, curl: {options: ['-o', '--output', '--output-dir', '-D', '--dump-header', '-c', '--cookie-jar']}, wget: {options: ['-O', '--output-document', '-P', '--directory-prefix', '-o', '--output-file', '-a']},
  tar: {options: ['-C', '--directory', '-f', '--file']}, unzip: {options: ['-d']}, zip: {operands: 'all'}, patch: {operands: 'all', options: ['-o', '--output']}, split: {operands: 'last'}, csplit: {options: ['-f', '--prefix']},
  gcc: OUTPUT, cc: OUTPUT, clang: OUTPUT, 'g++': OUTPUT, ld: OUTPUT, pandoc: OUTPUT, tsc: {options: ['--outDir', '--outFile']}, script: {operands: 'all'},
  'ssh-keygen': {options: ['-f']}, openssl: {options: ['-out']}, base64: OUTPUT, iconv: OUTPUT, tree: {options: ['-o']}, yq: {operands: 'all', only: /^(?:-\w*i|--inplace)/}, prettier: {operands: 'all', only: /^(?:-w|--write)/},
};

/** Commands whose words name no files that they open. */
const SILENT = new Set('echo printf true false : test [ export declare typeset local readonly unset set shopt exit return break continue shift read wait kill sleep seq date expr type which command hash alias unalias trap ulimit umask getopts let'.split(' '));
/** Commands whose first word is what they do. */
const WITH_VERB = new Set('git gh glab npm pnpm yarn bun deno docker podman kubectl helm cargo go pip pip3 poetry uv brew apt apt-get dotnet systemctl terraform make gradle mvn rustup conda'.split(' '));
const MESSAGE = /^(?:-m|--message|--title|--body|--grep|--author)$/;
/** Commands whose first operand is a pattern or a program, unless an option gives it. */
const WITH_PATTERN = new Set('grep egrep fgrep zgrep rg ag ack sed gsed awk gawk mawk nawk jq yq tr'.split(' '));
const GIVES_PATTERN = /^-\w*[ef]|^--(?:regexp|file|expression|from-file)/;
/** Options whose value is a pattern or a program. */
const PATTERN = /^(?:-\w*e|--regexp|--expression)$/;
const PROGRAM_TEXT: Readonly<Record<string, RegExp>> = {perl: /^-\w*[eE]$/, ruby: /^-\w*e$/, node: /^(?:-\w*[ep]|--eval|--print)$/, python: /^-\w*c$/, python3: /^-\w*c$/, php: /^-\w*r$/, bun: /^-\w*e$/, osascript: /^-e$/};
const MAX_LENGTH = 1_024;

/** Notes the files that a command is handed. */
export function noteOperands(walk: Walk, words: readonly ShellWord[], {name, position}: {name: string; position: Position}): void {
  if (SILENT.has(name)) return;
  const writer = WRITERS[name] ?? {};
  const isActive = writer.only === undefined || words.some(({value}) => writer.only?.test(value ?? ''));
  const hasPattern = WITH_PATTERN.has(name) && !words.some(({value}) => GIVES_PATTERN.test(value ?? ''));
  const operands: ShellWord[] = [];
  let onlyOperands = false;
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at] as ShellWord;
    const before = words[at - 1]?.value ?? '';
    if (word.value === '--') onlyOperands = true;
    else if (!onlyOperands && isWrittenOption(writer, before)) note(walk, word, {access: 'write', position});
    else if (!onlyOperands && word.lead.startsWith('-') && word.lead !== '-') noteOption(walk, word, {writer, position});
    else if (!isText(name, before) && !(at === 1 && WITH_VERB.has(name))) operands.push(word);
  }
  operands.forEach((word, index) => {
    if (index < (hasPattern ? 1 : (writer.skips ?? 0))) return;
    const isWritten = isActive && (writer.operands === 'all' || (writer.operands === 'last' && index === operands.length - 1 && (index > 0 || word.splits)));
    const [, key, rest] = /^(\w+)=([^]+)$/.exec(word.value ?? '') ?? [];
    if (writer.key !== undefined && key !== undefined) note(walk, part(word, rest), {access: key === writer.key ? 'write' : 'read', position});
    else note(walk, word, {access: isWritten ? 'write' : 'read', position});
  });
}

/** Whether what follows an option is text, and no file. */
function isText(name: string, option: string): boolean {
  if (WITH_VERB.has(name)) return MESSAGE.test(option);
  return WITH_PATTERN.has(name) ? PATTERN.test(option) : PROGRAM_TEXT[name]?.test(option) === true;
}

function isWrittenOption({options}: Writer, before: string): boolean {
  return options?.includes(before) === true || (/^-\w+$/.test(before) && options?.some((option) => option.length === 2 && before.endsWith(option.slice(1))) === true);
}

/** `--output=x`, `-ox`. */
function noteOption(walk: Walk, word: ShellWord, {writer, position}: {writer: Writer; position: Position}): void {
  const {value} = word;
  if (value === undefined) return;
  const [, long, file] = /^(--?[\w-]+)=([^]+)$/.exec(value) ?? [];
  if (long !== undefined) return note(walk, part(word, file), {access: writer.options?.includes(long) ? 'write' : 'read', position});
  const letter = writer.options?.find((option) => option.length === 2 && value.startsWith(option) && value.length > 2);
  if (letter !== undefined) note(walk, part(word, value.slice(2)), {access: 'write', position});
}

function part(word: ShellWord, value: string | undefined): ShellWord {
  return {...word, value};
}

function note(walk: Walk, {raw, value}: ShellWord, {access, position}: {access: 'read' | 'write'; position: Position}): void {
  if (value === undefined) {
    if (access === 'write') walk.files.push({raw, path: undefined, access, by: 'argument'});
    return;
  }
  // `@name` is how some are told to read a file.
  const name = access === 'read' && /^@[^/]/.test(value) ? value.slice(1) : value;
  if (name === '' || name === '-' || name.length > MAX_LENGTH || name.includes('\n') || /^[a-z][\w+.-]*:\/\//.test(name)) return;
  walk.files.push({raw, path: resolvePath(name, position.directory, walk.place), access, by: 'argument'});
}
