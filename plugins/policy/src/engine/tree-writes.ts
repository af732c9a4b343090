import {posix} from 'node:path';
import type {SimpleCommand} from '../bash/analysis.js';
import {isOpen} from '../bash/shape.js';
import {baseOf} from './command-match.js';

/** A file or folder that a command deletes, moves, replaces or fills, or leads a link to. Absolute, not real. */
export interface TreeWrite {
  readonly path: string;
  /**
   * What of it: all of it with every folder in it, only what is directly meant, or also what stands below it under
   * such a name.
   */
  readonly reach: 'whole' | 'named' | RegExp;
}

interface Shape {
  /**
   * `gone`: each operand is changed as a whole; `copied`: the last is a destination; `moved`: both; `linked`: as
   * copied, and what it leads to counts too.
   */
  readonly kind: 'gone' | 'copied' | 'moved' | 'linked' | 'filled';
  /** Options with a value, as letters and long names. */
  readonly values?: string;
  /** Options whose value is the destination. */
  readonly into?: readonly string[];
  /** It does so only with such a word. */
  readonly only?: RegExp;
  /** How many operands in front are no files. */
  readonly skips?: number;
}

const TARGET = ['-t', '--target-directory'];
const SHAPES: Readonly<Record<string, Shape>> = {
  rm: {kind: 'gone'},
  rmdir: {kind: 'gone'},
  unlink: {kind: 'gone'},
  shred: {kind: 'gone'},
  trash: {kind: 'gone'},
  'trash-put': {kind: 'gone'},
  rename: {kind: 'gone', skips: 2},
  chmod: {kind: 'gone', skips: 1},
  chown: {kind: 'gone', skips: 1},
  chgrp: {kind: 'gone', skips: 1},
  setfacl: {kind: 'gone'},
  chattr: {kind: 'gone', skips: 1},
  mount: {kind: 'gone', values: 'to'},
  mv: {kind: 'moved', into: TARGET, values: 'S'},
  cp: {kind: 'copied', into: TARGET, values: 'S'},
  install: {kind: 'copied', into: TARGET, values: 'Sgmo'},
  ln: {kind: 'linked', into: TARGET, values: 'S'},
  link: {kind: 'linked'},
  rsync: {kind: 'copied', values: 'efTBM'},
  scp: {kind: 'copied', values: 'cFiJloPS'},
  ditto: {kind: 'copied'},
  gcp: {kind: 'copied', into: TARGET},
  gmv: {kind: 'moved', into: TARGET},
  tar: {kind: 'filled', into: ['-C', '--directory'], only: /^(?:-?[a-zA-Z]*x|--extract|--get)/},
  bsdtar: {kind: 'filled', into: ['-C', '--directory'], only: /^-?[a-zA-Z]*x/},
  unzip: {kind: 'filled', into: ['-d']},
  '7z': {kind: 'filled', only: /^[xe]$/},
  cpio: {kind: 'filled', into: ['-D', '--directory'], only: /^(?:-[a-zA-Z]*[ip]|--extract|--pass-through)/},
  pax: {kind: 'filled', only: /^-\w*r/},
  patch: {kind: 'filled', into: ['-d', '--directory']},
};

/**
 * What a command does to whole folders, in each folder that it may run in, as far as its words are known. Where
 * something is open, the files that it may write are judged as such.
 */
export function findTreeWrites({words, directories}: SimpleCommand): readonly TreeWrite[] {
  const known = directories.filter((directory) => !isOpen(directory));
  return (known.length > 0 ? known : [undefined]).flatMap((directory) => findTreeWritesIn(words, directory));
}

function findTreeWritesIn(words: SimpleCommand['words'], directory: string | undefined): readonly TreeWrite[] {
  const [name, ...rest] = words.map(({value}) => value);
  const raws = words.slice(1).map(({raw}) => raw);
  const found = name === undefined ? undefined : baseOf(name);
  const shape = found !== undefined && Object.hasOwn(SHAPES, found) ? SHAPES[found] : undefined;
  if (shape)
    return writesOf(
      shape,
      rest.map((value, index) => ({value, raw: raws[index] ?? ''})),
      directory,
    );
  if (found === 'find' && rest.includes('-delete'))
    return placed(
      rest.filter((_, index) => !rest.slice(0, index + 1).some((one) => one?.startsWith('-'))),
      {directory, reach: 'whole'},
    );
  if (found === 'git' && rest.some((word) => word === 'apply' || word === 'am'))
    return placed(['.'], {directory, reach: 'whole'});
  return [];
}

interface Operand {
  /** Undefined when only running it could tell. */
  readonly value: string | undefined;
  readonly raw: string;
}

function writesOf(shape: Shape, words: readonly Operand[], directory: string | undefined): readonly TreeWrite[] {
  const {kind, only, skips = 0} = shape;
  if (only && !words.some(({value}) => only.test(value ?? ''))) return [];
  const {operands, into} = sortWords(shape, words);
  const whole = {directory, reach: 'whole'} as const;
  if (kind === 'gone')
    return placed(
      operands.slice(skips).map(({value}) => value),
      whole,
    );
  if (kind === 'filled') return placed([into ?? '.'], whole);
  const target = into ?? (kind === 'linked' && operands.length === 1 ? '.' : operands.at(-1)?.value);
  const sources = into === undefined && operands.length > 1 ? operands.slice(0, -1) : operands;
  if (target === undefined) return [];
  const named = sources.map(({value}) => value);
  return [
    ...placed(
      named.flatMap((source) => (source === undefined ? [] : [posix.join(target, posix.basename(source))])),
      whole,
    ),
    ...sources.flatMap((source) => placed([target], {directory, reach: reachOf(source)})),
    ...(kind === 'copied' ? [] : placed(named, whole)),
  ];
}

/**
 * What a source writes below its destination: what stands in a folder goes there under names that nobody knows, a
 * glob's matches under names that fit it.
 */
function reachOf({value, raw}: Operand): TreeWrite['reach'] {
  if (value !== undefined) return /(?:^|\/)\.{0,2}$/.test(value) ? 'whole' : 'named';
  const name = raw.split('/').at(-1) ?? '';
  if (!/^[\w*?.+-]+$/.test(name)) return 'whole';
  const pattern = name.replace(/[.+]/g, '\\$&').replaceAll('*', '.*').replaceAll('?', '.');
  return new RegExp(`^${/^[*?]/.test(name) ? '(?!\\.)' : ''}${pattern}$`, 'i');
}

function sortWords(
  {values = '', into = []}: Shape,
  words: readonly Operand[],
): {readonly operands: readonly Operand[]; readonly into: string | undefined} {
  const operands: Operand[] = [];
  let target: string | undefined;
  for (let at = 0, onlyOperands = false; at < words.length; at += 1) {
    const operand = words[at] as Operand;
    const word = operand.value;
    if (onlyOperands || word === undefined || !word.startsWith('-') || word === '-') operands.push(operand);
    else if (word === '--') onlyOperands = true;
    else if (into.includes(word)) target = words[(at += 1)]?.value;
    else if (/^-\w$/.test(word) && values.includes(word.slice(1))) at += 1;
    else target = attached(word, into) ?? target;
  }
  return {operands, into: target};
}

/** The value in `--target-directory=x` or `-tx`. */
function attached(word: string, options: readonly string[]): string | undefined {
  const option = options.find((one) => word.startsWith(one.startsWith('--') ? `${one}=` : one));
  return option && word.slice(option.length + (option.startsWith('--') ? 1 : 0));
}

function placed(
  paths: readonly (string | undefined)[],
  {directory, reach}: {readonly directory: string | undefined; readonly reach: TreeWrite['reach']},
): readonly TreeWrite[] {
  return paths.flatMap((path) => {
    if (path === undefined || (directory === undefined && !posix.isAbsolute(path))) return [];
    return [{path: posix.resolve(directory ?? '/', path), reach}];
  });
}
