import {expandWord} from './expand-word.js';
import {noteArchive, noteDescent, noteUnpacked} from './descend.js';
import {resolveShapes} from './directories.js';
import {noteArgument, noteFiles} from './note-files.js';
import {isListed, type Handed} from './operands.js';
import {baseOfShape, isOpen, isUnknown, NAME, TREE} from './shape.js';
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
  'git gh glab npm pnpm yarn kubectl helm brew apt apt-get systemctl terraform rustup conda docker podman cargo go'.split(
    ' ',
  ),
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

/** Notes the files that a command is handed of which no more is known than what it writes. */
export function noteUnlisted(walk: Walk, words: readonly ShellWord[], {name, position}: Handed): undefined {
  const writer = Object.hasOwn(WRITERS, name) ? (WRITERS[name] as Writer) : {};
  const isActive = writer.only === undefined || words.some(({value, lead}) => writer.only?.test(value ?? lead));
  const hasPattern = WITH_PATTERN.has(name) && !words.some(({value}) => GIVES_PATTERN.test(value ?? ''));
  if (name === 'tar') noteArchive(walk, words, position);
  const operands: ShellWord[] = [];
  let onlyOperands = false;
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at] as ShellWord;
    const before = words[at - 1]?.value ?? '';
    if (word.value === '--') onlyOperands = true;
    else if (!onlyOperands && isWrittenOption(writer, before)) noteWritten(walk, word, {writer, position});
    else if (!onlyOperands && word.lead.startsWith('-') && word.lead !== '-')
      noteOption(walk, word, {writer, position});
    else if (
      (!isText(name, before) || word.lead.startsWith('@')) &&
      !(at === 1 && WITH_VERB.has(name)) &&
      (takesFiles(words) || !isNamed(walk, word, {name, position, before}))
    )
      operands.push(word);
  }
  const hidesPattern = operands.slice(0, 1).some(({splits}) => splits);
  const files = operands.slice(hasPattern && !hidesPattern ? 1 : (writer.skips ?? 0));
  files.forEach((word, index) => {
    const isLast = index === files.length - 1 && (files.length > 1 || word.splits);
    const isWritten = isActive && (writer.operands === 'all' || (writer.operands === 'last' && isLast));
    noteOperand(walk, word, {writer, position, isWritten});
    if (isWritten && writer.places && isLast) notePlaced(walk, files.slice(0, -1), {folder: word, position});
  });
  noteDescent(walk, words, {
    name,
    position,
    files: writer.places && !words.some(({value}) => isWrittenOption(writer, value ?? '')) ? files.slice(0, -1) : files,
  });
  noteUnpacked(walk, words, {name, position});
  if (!KEEPING.has(name) && !WITH_PATTERN.has(name) && !isListed(name)) walk.changes = true;
  if (name === 'ln') walk.makesLinks = true;
  if (/^(?:cp|mv|mkdir|install)$/.test(name)) walk.makesFolders = true;
  return undefined;
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
  // `@name`, `part=@name`, `/from:/to`: how some are told of a file within a word.
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

/** What is copied or moved into a folder has its own name there, and so has what is below it. */
function notePlaced(walk: Walk, sources: readonly ShellWord[], {folder, position}: Placing): void {
  const target = expandWord(walk, folder, position);
  const targets = target.shapes.flatMap((shape) => resolveShapes(shape, position.directories, walk.place));
  for (const source of sources) {
    for (const shape of expandWord(walk, source, position).shapes) {
      noteArgument(
        walk,
        folder.raw,
        {...target, shapes: isOpen(shape) ? [] : target.shapes.map((one) => `${one}/${baseOfShape(shape)}`)},
        {position, access: 'write', by: 'argument'},
      );
      for (const path of targets)
        for (const from of resolveShapes(shape, position.directories, walk.place))
          noteNamedAfter(walk, folder.raw, {path, from});
    }
  }
}

interface Placing {
  readonly folder: ShellWord;
  readonly position: Position;
}

/** A file in a folder, and all below one, have their names from others: where these are known, so are those. */
function noteNamedAfter(walk: Walk, raw: string, {path, from}: {path: string; from: string}): void {
  const use = {raw, access: 'write', by: 'argument', isSplit: false, isLate: walk.changes} as const;
  const parent = from.slice(0, Math.max(0, from.lastIndexOf('/')));
  const isPlaced = !isOpen(parent);
  if (isOpen(from))
    walk.files.push(
      isPlaced ? {...use, path, from: {shape: from, folder: parent}} : {...use, path: `${path}/${baseOfShape(from)}`},
    );
  if (!isPlaced || isOpen(from)) return;
  walk.files.push(
    {...use, path, from: {shape: `${from}/${TREE}`, folder: parent}},
    {...use, path, from: {shape: `${from}/${TREE}`, folder: from}},
  );
}

/** Whether a word that nobody knows names something else than a file. */
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
