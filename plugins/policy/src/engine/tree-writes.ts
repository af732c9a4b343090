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
  if (kind === 'gone') return wholly(operands.slice(skips), directory);
  if (kind === 'filled') return placed([into ?? '.'], {directory, reach: 'whole'});
  const target = into ?? targetOf(kind, operands);
  if (target === undefined) return [];
  const sources = into === undefined && operands.length > 1 ? operands.slice(0, -1) : operands;
  return [...arrivals(sources, target, directory), ...(kind === 'copied' ? [] : wholly(sources, directory))];
}

/** The last operand; a link to one operand alone is made where the command runs. */
function targetOf(kind: Shape['kind'], operands: readonly Operand[]): string | undefined {
  return kind === 'linked' && operands.length === 1 ? '.' : operands.at(-1)?.value;
}

function wholly(operands: readonly Operand[], directory: string | undefined): readonly TreeWrite[] {
  return placed(
    operands.map(({value}) => value),
    {directory, reach: 'whole'},
  );
}

/** What sources write at their destination. */
function arrivals(sources: readonly Operand[], target: string, directory: string | undefined): readonly TreeWrite[] {
  const named = sources.flatMap(({value}) => (value === undefined ? [] : [posix.join(target, posix.basename(value))]));
  return [
    ...placed(named, {directory, reach: 'whole'}),
    ...sources.flatMap((source) => placed([target], {directory, reach: reachOf(source)})),
  ];
}

/**
 * What a source writes below its destination: what stands in a folder goes there under unknown names, a
 * glob's matches under names that fit it.
 */
function reachOf({value, raw}: Operand): TreeWrite['reach'] {
  if (value !== undefined) return /(?:^|\/)\.{0,2}$/.test(value) ? 'whole' : 'named';
  const name = raw.split('/').at(-1) ?? '';
  if (!/^[\w*?.+-]+$/.test(name)) return 'whole';
  const pattern = name.replace(/[.+]/g, '\\$&').replaceAll('*', '.*').replaceAll('?', '.');
  return new RegExp(`^${/^[*?]/.test(name) ? '(?!\\.)' : ''}${pattern}$`, 'i');
}

/** What a word of a command is: an operand, what ends the options, or an option and how it gets its value. */
function kindOf(
  word: string | undefined,
  {values = '', into = []}: Shape,
): 'operand' | 'end' | 'into' | 'value' | 'option' {
  if (word === undefined || !word.startsWith('-') || word === '-') return 'operand';
  if (word === '--') return 'end';
  if (into.includes(word)) return 'into';
  return /^-\w$/.test(word) && values.includes(word.slice(1)) ? 'value' : 'option';
}

function sortWords(
  shape: Shape,
  words: readonly Operand[],
): {readonly operands: readonly Operand[]; readonly into: string | undefined} {
  const operands: Operand[] = [];
  let target: string | undefined;
  for (let at = 0; at < words.length; at += 1) {
    const operand = words[at] as Operand;
    const kind = kindOf(operand.value, shape);
    if (kind === 'end') return {operands: [...operands, ...words.slice(at + 1)], into: target};
    if (kind === 'operand') operands.push(operand);
    else if (kind === 'into') target = words[(at += 1)]?.value;
    else if (kind === 'value') at += 1;
    else target = attached(operand.value ?? '', shape.into ?? []) ?? target;
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
