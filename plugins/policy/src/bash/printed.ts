import {resolveShapes} from './directories.js';
import {expandWord, type Argument} from './expand-word.js';
import {foundPaths} from './found-paths.js';
import {echo, print} from './print-words.js';
import {ANY, baseOfShape, DIGITS, folderOfShape, isOpen, NAME, STAR, TREE, unique, VISIBLE} from './shape.js';
import type {CommandNode, Pipeline, Script, ShellWord} from './syntax.js';
import type {Position, Walk} from './walk.js';

/** What a command prints. */
export interface Printed {
  /** Each of the texts that one of its lines may be. */
  readonly shapes: readonly string[];
  /** It prints one line and no more. */
  readonly isOne: boolean;
}

const ANYTHING: Printed = {shapes: [ANY], isOne: true};

/** What commands print, as far as that is known without running them. */
export function outputOf(walk: Walk, script: Script, position: Position): Printed {
  const [only, ...more] = script;
  if (!only || more.length > 0 || only.rest.length > 0) return ANYTHING;
  return outputOfPipeline(walk, only.first, position);
}

function outputOfPipeline(walk: Walk, pipeline: Pipeline, position: Position): Printed {
  return (
    pipeline.reduce<Printed | undefined>((input, node) => printedBy(walk, node, {position, input}), undefined) ??
    ANYTHING
  );
}

interface Context {
  readonly position: Position;
  /** What it is handed by the command before it. */
  readonly input: Printed | undefined;
}

/** What one command of a pipeline prints. */
export function printedBy(walk: Walk, node: CommandNode, {position, input}: Context): Printed {
  if (node.kind !== 'simple' || node.assignments.length > 0) return ANYTHING;
  const isQuiet = node.redirects.every(
    ({operator, raw}) => operator === '<' || raw.replaceAll(' ', '') === '2>/dev/null',
  );
  const [first, ...words] = node.words;
  const name = first?.value ?? '';
  const printer = printerOf(name);
  if (!isQuiet || !printer || walk.functions.has(name)) return ANYTHING;
  const args = words.map((word) => expandWord(walk, word, position));
  // An unknown word could be an option.
  if (
    name !== 'echo' &&
    args.some(({shapes}) => shapes.some((shape) => /^[\uE000\uE004\uE005]/.test(shape))) &&
    !DASHLESS.has(name)
  )
    return ANYTHING;
  return printer({walk, name, words, args, position, input: node.redirects.length > 0 ? undefined : input});
}

const DASHLESS = new Set(['basename', 'dirname', 'realpath', 'printf']);

interface Call extends Context {
  readonly walk: Walk;
  readonly name: string;
  readonly words: readonly ShellWord[];
  readonly args: readonly Argument[];
}

type Printer = (call: Call) => Printed;

function isOption({value}: ShellWord): boolean {
  return value !== undefined && /^-./.test(value);
}

/** The operands of a call, when its options are only those that a pattern knows. */
function operandsOf({words, args}: Call, options: RegExp): readonly Argument[] | undefined {
  if (words.some((word) => isOption(word) && !options.test(word.value ?? ''))) return undefined;
  return args.filter((_, index) => !isOption(words[index] as ShellWord));
}

/** Prints something about its one operand. */
function ofOne(change: (shape: string, call: Call) => readonly string[], options = /^$/): Printer {
  return (call) => {
    const [only, ...more] = operandsOf(call, options) ?? [];
    return only && more.length === 0 && !only.isMany
      ? {shapes: unique(only.shapes.flatMap((shape) => change(shape, call))), isOne: true}
      : ANYTHING;
  };
}

const base: Printer = (call) => {
  const [, suffix] = call.args;
  if (suffix === undefined || call.args.length > 2) return ofOne((shape) => [baseOfShape(shape)])(call);
  const end = call.words[1]?.value;
  if (end === undefined) return ANYTHING;
  const names = (call.args[0]?.shapes ?? [ANY]).map(baseOfShape);
  return {
    shapes: unique(names.map((name) => (name.endsWith(end) ? name.slice(0, -end.length) : isOpen(name) ? NAME : name))),
    isOne: true,
  };
};

const list: Printer = (call) => {
  const operands = operandsOf(call, /^-(?:1|[1td]+)$/);
  return operands ? {shapes: unique([...operands.flatMap(({shapes}) => shapes), STAR]), isOne: false} : ANYTHING;
};

/** Lines that it is handed, or some of them. */
function filter(options: RegExp, operands = 0): Printer {
  return (call) => {
    const given = call.words.filter(
      (word, index) =>
        !isOption(word) && !(/^-[nm]$/.test(call.words[index - 1]?.value ?? '') && /^\d+$/.test(word.value ?? '')),
    );
    if (
      !call.input ||
      given.length !== operands ||
      call.words.some((word) => isOption(word) && !options.test(word.value ?? ''))
    )
      return ANYTHING;
    return {shapes: call.input.shapes, isOne: false};
  };
}

const date: Printer = ({words}) => {
  const format = words.length === 1 ? words[0]?.value : undefined;
  const known = format?.startsWith('+')
    ? format
        .slice(1)
        .replaceAll(/%[YmdHMSjsNuyV]/g, DIGITS)
        .replaceAll('%F', `${DIGITS}-${DIGITS}-${DIGITS}`)
    : '%';
  return known.includes('%') ? ANYTHING : {shapes: [known], isOne: true};
};

/** Its letters and digits are not chosen by anyone, so that digits stand for them. */
const temporary: Printer = ({walk, words}) =>
  words.every(({value}) => value === '-d') && !walk.everSet.has('TMPDIR')
    ? {shapes: [`${walk.place.variables?.['TMPDIR'] ?? '/tmp'}/tmp.${DIGITS}`], isOne: true}
    : ANYTHING;

const git: Printer = (call) => {
  const [verb] = call.words;
  const rest: Call = {...call, words: call.words.slice(1), args: call.args.slice(1)};
  switch (verb?.value) {
    case 'rev-parse':
      return rest.words.length === 1 && rest.words[0]?.value === '--show-toplevel'
        ? {shapes: [`/${TREE}`], isOne: true}
        : ANYTHING;
    case 'diff':
      return rest.words.some(({value}) => value === '--name-only') ? {shapes: [TREE], isOne: false} : ANYTHING;
    case 'ls-files':
      return listTracked(rest);
    default:
      return ANYTHING;
  }
};

const listTracked: Printer = (call) => {
  const specs = operandsOf(call, /^-(?:-|[mocdz]+|-(?:others|modified|cached|deleted|exclude-standard))$/);
  if (!specs) return ANYTHING;
  const found = specs.flatMap(({shapes}) => shapes).flatMap(trackedBy);
  return {shapes: unique(found.length > 0 ? found : [TREE]), isOne: false};
};

/** The files that a pathspec means. */
function trackedBy(spec: string): readonly string[] {
  if (/^:|\[/.test(spec)) return [ANY];
  return /[*?\uE000-\uE00F]/.test(spec) ? [spec.replaceAll(/[*?\uE000-\uE00F]+/g, TREE)] : [spec, `${spec}/${TREE}`];
}

const FIND_TESTS = /^-(?:name|type|path|maxdepth|mindepth|size|mtime|mmin|newer)$/;

const find: Printer = ({words, args}) => {
  const isKnown = words.every(
    ({value}) =>
      value !== undefined &&
      (!value.startsWith('-') || FIND_TESTS.test(value) || /^-(?:not|o|or|print|print0)$/.test(value)),
  );
  return isKnown ? {shapes: foundPaths(words, args), isOne: false} : ANYTHING;
};

/** Names of files that match: those it was given, and all below. */
const search: Printer = (call) => {
  const lists = call.words.some(({value}) => /^-\w*l\w*$|^--files(?:-with-matches)?$/.test(value ?? ''));
  if (!lists) return filter(/^-(?:[vEFiwxm]+|\d+|e)$/, 1)(call);
  const isList = call.words.some(({value}) => value === '--files');
  const isHidden =
    call.name === 'grep' || call.words.some(({value}) => /^-\w*[u.]|^--(?:hidden|no-ignore)/.test(value ?? ''));
  const below = isHidden ? TREE : VISIBLE;
  const operands = call.args
    .filter((_, index) => !(call.words[index]?.lead.startsWith('-') ?? true))
    .slice(isList ? 0 : 1)
    .flatMap(({shapes}) => shapes);
  return {
    shapes: unique(operands.length > 0 ? operands.flatMap((shape) => [shape, `${shape}/${below}`]) : [below]),
    isOne: false,
  };
};

const named: Printer = () => ({shapes: [NAME], isOne: true});
const numbers: Printer = ({args}) =>
  args.every(({shapes}) => shapes.every((shape) => /^[\d\uE003]+$/.test(shape)))
    ? {shapes: [DIGITS], isOne: false}
    : ANYTHING;

/** What knows what a program prints. */
function printerOf(name: string): Printer | undefined {
  switch (name) {
    case 'pwd':
      return ({position}) => ({shapes: position.directories, isOne: true});
    case 'dirname':
      return ofOne((shape) => [folderOfShape(shape)]);
    case 'realpath':
      return ofOne((shape, {walk, position}) => resolveShapes(shape, position.directories, walk.place));
    case 'head':
    case 'tail':
      return filter(/^-(?:n|\d+|n\d+)$/);
    case 'sort':
      return filter(/^-[rnuVfz]+$/);
    case 'uniq':
    case 'tac':
    case 'cat':
      return filter(/^$/);
    default:
      return Object.hasOwn(PRINTERS, name) ? PRINTERS[name] : undefined;
  }
}

const PRINTERS: Readonly<Record<string, Printer>> = {
  echo,
  printf: print,
  basename: base,
  mktemp: temporary,
  git,
  find,
  ls: list,
  seq: numbers,
  nproc: named,
  date,
  whoami: named,
  hostname: named,
  uname: named,
  grep: search,
  rg: search,
};
