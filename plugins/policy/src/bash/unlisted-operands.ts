import {expandWord} from './expand-word.js';
import {noteArchive, noteDescent, noteUnpacked} from './descend.js';
import {noteArgument, noteFiles} from './note-files.js';
import {notePlaced} from './note-placed.js';
import {isListed, type Handed} from './operands.js';
import {isUnknown, NAME} from './shape.js';
import {cutWord} from './source.js';
import type {ShellWord} from './syntax.js';
import type {Position, Walk} from './walk.js';
import {WRITERS, type Writer} from './writers.js';

/** What these write is what they name: they make no folder, no link, and nothing besides. */
const KEEPING = new Set(
  'tee touch truncate chmod rm rmdir sort tr gzip gunzip wget curl cp mv mkdir install dd sed'.split(' '),
);
/** Commands whose first word is what they do. */
const WITH_VERB = new Set(
  (
    'git gh glab npm pnpm yarn bun deno docker podman kubectl helm cargo go pip pip3 poetry uv brew apt apt-get ' +
    'dotnet systemctl terraform make gradle mvn rustup conda'
  ).split(' '),
);
/** Of these, what no option announces names no file whose content they show. */
const NAMING = new Set(
  (
    'git gh glab npm pnpm yarn kubectl helm brew apt apt-get systemctl terraform rustup conda ' +
    'docker podman cargo go'
  ).split(' '),
);
const MESSAGE =
  /^(?:-[a-zA-Z]*m|--message|--title|--body|-b|--grep|--author|-t|-H|--header|--head|--base|--label|--name|-n|--namespace|--format|--jq|-q|--json|--since|--until|--tag|-e|--env)$/;
/** Commands whose first operand is a pattern or a program, unless an option gives it. */
const WITH_PATTERN = new Set('grep egrep fgrep zgrep rg ag ack sed gsed awk gawk mawk nawk jq yq tr'.split(' '));
const GIVES_PATTERN = /^-\w*[ef]|^--(?:regexp|file|expression|from-file)/;
/** Options whose value is a pattern, a program or a text. */
const PATTERN = /^(?:-\w*e|--regexp|--expression|-v|--arg|--argjson|-F|-A|-B|-C|-m|-g|--glob|-t|--type)$/;
const PROGRAM_TEXT: Readonly<Record<string, RegExp>> = {
  perl: /^-\w*[eE]$/,
  ruby: /^-\w*e$/,
  node: /^(?:-\w*[ep]|--eval|--print)$/,
  python: /^-\w*c$/,
  python3: /^-\w*c$/,
  php: /^-\w*r$/,
  bun: /^-\w*e$/,
  osascript: /^-e$/,
  curl: /^(?:-[HAeuXw]|--header|--user-agent|--referer|--user|--request|--write-out|--max-time|--connect-timeout|--retry)$/,
};

/** A command at its place in a line, and what is known of its words. */
interface Called extends Handed {
  readonly writer: Writer;
}

/** Notes the files that a command is handed of which no more is known than what it writes. */
export function noteUnlisted(walk: Walk, words: readonly ShellWord[], {name, position}: Handed): undefined {
  const writer = Object.hasOwn(WRITERS, name) ? (WRITERS[name] as Writer) : {};
  const called: Called = {name, position, writer};
  if (name === 'tar') noteArchive(walk, words, position);
  const operands = takeOperands(walk, words, called);
  const files = operands.slice(hasPattern(words, called, operands) ? 1 : (writer.skips ?? 0));
  noteOperands(walk, words, {...called, files});
  const isPlaced = writer.places && !words.some(({value}) => isWrittenOption(writer, value ?? ''));
  noteDescent(walk, words, {name, position, files: isPlaced ? files.slice(0, -1) : files});
  noteUnpacked(walk, words, {name, position});
  if (!KEEPING.has(name) && !WITH_PATTERN.has(name) && !isListed(name)) walk.changes = true;
  if (name === 'ln') walk.makesLinks = true;
  if (/^(?:cp|mv|mkdir|install)$/.test(name)) walk.makesFolders = true;
  return undefined;
}

/** The words that are files, or may be. What options name is noted on the way. */
function takeOperands(walk: Walk, words: readonly ShellWord[], called: Called): readonly ShellWord[] {
  const operands: ShellWord[] = [];
  let onlyOperands = false;
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at] as ShellWord;
    const before = words[at - 1]?.value ?? '';
    if (word.value === '--') onlyOperands = true;
    else if ((onlyOperands || !takeOption(walk, word, {...called, before})) && mayBeFile(walk, words, {...called, at}))
      operands.push(word);
  }
  return operands;
}

/** Notes what a word is that is an option, or the value of one that names what is written; false for others. */
function takeOption(
  walk: Walk,
  word: ShellWord,
  {writer, position, before}: Called & {readonly before: string},
): boolean {
  if (isWrittenOption(writer, before)) noteWritten(walk, word, {writer, position});
  else if (word.lead.startsWith('-') && word.lead !== '-') noteOption(walk, word, {writer, position});
  else return false;
  return true;
}

function mayBeFile(
  walk: Walk,
  words: readonly ShellWord[],
  {name, position, at}: Called & {readonly at: number},
): boolean {
  const word = words[at] as ShellWord;
  const before = words[at - 1]?.value ?? '';
  if (isText(name, before) && !word.lead.startsWith('@')) return false;
  if (at === 1 && WITH_VERB.has(name)) return false;
  return takesFiles(words) || !isNamed(walk, word, {name, position, before});
}

/** Whether the first operand is surely a pattern: a word that may be several hides which one is. */
function hasPattern(words: readonly ShellWord[], {name}: Called, [first]: readonly ShellWord[]): boolean {
  return WITH_PATTERN.has(name) && !words.some(({value}) => GIVES_PATTERN.test(value ?? '')) && first?.splits !== true;
}

function noteOperands(
  walk: Walk,
  words: readonly ShellWord[],
  {writer, position, files}: Called & {readonly files: readonly ShellWord[]},
): void {
  const isActive = writer.only === undefined || words.some(({value, lead}) => writer.only?.test(value ?? lead));
  files.forEach((word, index) => {
    const isLast = index === files.length - 1 && (files.length > 1 || word.splits);
    const isWritten = isActive && (writer.operands === 'all' || (writer.operands === 'last' && isLast));
    noteOperand(walk, word, {writer, position, isWritten});
    if (isWritten && writer.places && isLast) notePlaced(walk, files.slice(0, -1), {folder: word, position});
  });
}

interface Written {
  readonly writer: Writer;
  readonly position: Position;
}

function noteOperand(
  walk: Walk,
  word: ShellWord,
  {writer, position, isWritten}: Written & {readonly isWritten: boolean},
): void {
  const [head, key] = (writer.key !== undefined ? /^(\w+)=/.exec(word.lead) : null) ?? [];
  if (head !== undefined)
    return noteRead(walk, cutWord(word, head.length), {access: key === writer.key ? 'write' : 'read', position});
  noteRead(walk, word, {access: isWritten ? 'write' : 'read', position});
}

function noteRead(
  walk: Walk,
  word: ShellWord,
  {access, position}: {access: 'read' | 'write'; position: Position},
): void {
  noteFiles(walk, word, {position, access, by: 'argument'});
  if (access === 'write') return;
  if (word.lead.startsWith('file://'))
    noteFiles(walk, cutWord(word, 'file://'.length), {position, access, by: 'argument'});
  if (/^[a-z][\w+.-]*:\/\//.test(word.lead)) return;
  // `@name`, `part=@name`, `/from:/to`: how some take a file within a word.
  for (const {index} of word.lead.matchAll(word.value === undefined ? /@/g : /[=@:,]/g)) {
    noteFiles(walk, cutWord(word, index + 1), {position, access, by: 'argument'});
  }
}

/** Commands that read what they are handed, or hand it on, whatever their other commands do. */
function takesFiles([, verb, next]: readonly ShellWord[]): boolean {
  return (
    /^(?:add|apply|cp|create|gist|import|load|pack|publish|release|secret|upload)$/.test(`${verb?.value ?? ''}`) ||
    /^(?:cp|create|upload)$/.test(next?.value ?? '')
  );
}

/** Whether an unknown word names something else than a file. */
function isNamed(walk: Walk, word: ShellWord, {name, position, before}: Handed & {readonly before: string}): boolean {
  return (
    NAMING.has(name) &&
    !before.startsWith('-') &&
    word.value === undefined &&
    expandWord(walk, word, position).shapes.some(isUnknown)
  );
}

/** Whether what follows an option is text, and no file. */
function isText(name: string, option: string): boolean {
  if (WITH_VERB.has(name)) return MESSAGE.test(option);
  return WITH_PATTERN.has(name) ? PATTERN.test(option) : PROGRAM_TEXT[name]?.test(option) === true;
}

function isWrittenOption({options}: Writer, before: string): boolean {
  return (
    options?.includes(before) === true ||
    (/^-\w+$/.test(before) &&
      options?.some((option) => option.length === 2 && before.endsWith(option.slice(1))) === true)
  );
}

/** What an option names is written: a file, or a folder and something in it. */
function noteWritten(walk: Walk, word: ShellWord, {writer, position}: Written): void {
  noteFiles(walk, word, {position, access: 'write', by: 'argument'});
  const target = expandWord(walk, word, position);
  if (writer.places)
    noteArgument(
      walk,
      word.raw,
      {...target, shapes: target.shapes.map((shape) => `${shape}/${NAME}`)},
      {position, access: 'write', by: 'argument'},
    );
}

/** `--output=x`, `-ox`. */
function noteOption(walk: Walk, word: ShellWord, {writer, position}: Written): void {
  const [head, long] = /^(--?[\w-]+)=/.exec(word.lead) ?? [];
  if (head !== undefined && long !== undefined) {
    if (writer.options?.includes(long)) return noteWritten(walk, cutWord(word, head.length), {writer, position});
    return MESSAGE.test(long) ? undefined : noteRead(walk, cutWord(word, head.length), {access: 'read', position});
  }
  const letter = writer.options?.find(
    (option) => option.length === 2 && word.lead.startsWith(option) && word.form.length > 2,
  );
  if (letter !== undefined) noteWritten(walk, cutWord(word, 2), {writer, position});
}

/** Whether it is known of a program that it runs nothing but what its options say. */
export function isFamiliar(name: string): boolean {
  return (
    Object.hasOwn(WRITERS, name) || WITH_VERB.has(name) || WITH_PATTERN.has(name) || Object.hasOwn(PROGRAM_TEXT, name)
  );
}
