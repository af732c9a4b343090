import {realpath} from 'node:fs/promises';
import {dirname, extname, relative, resolve, sep} from 'node:path';
import {findCode} from './code-spans.js';
import {readText} from './read-text.js';

const DEPTH = 5;
/** Files that import each other many times would multiply. */
const MOST_IMPORTS = 200;
/** Each candidate costs a file look-up. */
const MOST_MENTIONS = 5000;
const TOKEN = /(?<=^|\s)@([./A-Za-z]\S*)/g;

/** Whether the rules allow reading a file without asking; if not, why. */
export type Judge = (path: string) => Promise<string | undefined>;

interface Import {
  readonly file: string;
  /** Imports from outside it are refused. */
  readonly root: string;
  readonly judge: Judge;
}

export interface Imported {
  readonly text: string;
  readonly imports: readonly string[];
  readonly faults: readonly string[];
  /** Sentences about files of which only the beginning is included. */
  readonly cuts: readonly string[];
}

/** A context file's text with its `@imports` expanded. A mention that is not a file, such as `@alice`, is unchanged. */
export async function placeImports(text: string, {file, root, judge}: Import): Promise<Imported> {
  const state: State = {
    isFull: false,
    imports: [],
    faults: [],
    cuts: [],
    judge,
    root: await realpath(root).catch(() => root),
  };
  const whole = await expand(text, {file, chain: [file]}, state);
  return {text: whole, imports: state.imports, faults: state.faults, cuts: state.cuts};
}

/** A context file's unchanged text, followed by every file that it imports, each once. */
export async function appendImports(text: string, {file, root, judge}: Import): Promise<Imported> {
  const inside = await realpath(root).catch(() => root);
  const blocks: string[] = [];
  const cuts: string[] = [];
  const seen = new Set([file]);
  const visit = async (content: string, from: string): Promise<void> => {
    for (const {target} of mentionsOf(content)) {
      const found = await locate(target, {from, root: inside});
      if (typeof found === 'string' || !found || seen.has(found.path)) continue;
      seen.add(found.path);
      if ((await judge(found.path)) !== undefined) continue;
      const inner = await readText(found.path);
      if ('why' in inner) continue;
      if (inner.cut !== undefined) cuts.push(inner.cut);
      blocks.push(`--- File: ${found.path} ---\n${inner.text.trim()}\n--- End of File: ${found.path} ---`);
      await visit(inner.text, found.path);
    }
  };
  await visit(text, file);
  return {text: [text.trim(), ...blocks].join('\n\n'), imports: [...seen].slice(1), faults: [], cuts};
}

/** The files that a context file mentions as imports, whether or not they are read. */
export async function findImports(file: string): Promise<readonly string[]> {
  const read = await readText(file);
  if ('why' in read) return [];
  const targets = mentionsOf(read.text).map(({target}) => locate(target, {from: file, root: sep}));
  return (await Promise.all(targets)).flatMap((found) => (typeof found === 'object' ? [found.path] : []));
}

interface State {
  isFull: boolean;
  readonly imports: string[];
  readonly faults: string[];
  readonly cuts: string[];
  readonly root: string;
  readonly judge: Judge;
}

async function expand(
  text: string,
  at: {readonly file: string; readonly chain: readonly string[]},
  state: State,
): Promise<string> {
  // Deeper imports stay as they are written.
  if (at.chain.length > DEPTH) return text;
  let result = '';
  let from = 0;
  for (const {target, start, end} of mentionsOf(text)) {
    const replacement = await replace(target, at, state);
    if (replacement === undefined) continue;
    result += text.slice(from, start) + replacement;
    from = end;
  }
  return result + text.slice(from);
}

async function replace(
  target: string,
  {file, chain}: {readonly file: string; readonly chain: readonly string[]},
  state: State,
): Promise<string | undefined> {
  const fail = (why: string): string => {
    state.faults.push(`${file} imports ${target}: ${why}.`);
    return `<!-- Import failed: ${target} - ${why} -->`;
  };
  const found = await locate(target, {from: file, root: state.root});
  if (found === undefined) return undefined;
  if (typeof found === 'string') return fail(found);
  if (chain.includes(found.path)) return `<!-- File already processed: ${target} -->`;
  if (state.imports.length >= MOST_IMPORTS) {
    const isSaid = state.isFull;
    state.isFull = true;
    return isSaid ? `<!-- Import failed: ${target} -->` : fail(`${MOST_IMPORTS} files are already imported`);
  }
  const objection = await state.judge(found.path);
  if (objection !== undefined) return fail(objection);
  const read = await readText(found.path);
  if ('why' in read) return fail(read.why);
  if (read.cut !== undefined) state.cuts.push(read.cut);
  state.imports.push(found.path);
  const inner = await expand(read.text.trim(), {file: found.path, chain: [...chain, found.path]}, state);
  return `<!-- Imported from: ${target} -->\n${inner}\n<!-- End of import from: ${target} -->`;
}

/** The file that a mention refers to, or why it may not be imported; undefined when it is only a word. */
async function locate(
  target: string,
  {from, root}: {readonly from: string; readonly root: string},
): Promise<{readonly path: string} | string | undefined> {
  if (/^(file|https?):\/\//.test(target)) return 'only regular files can be imported';
  const path = await realpath(resolve(dirname(from), target)).catch(
    (error: unknown) => (error as NodeJS.ErrnoException).code ?? 'unreadable',
  );
  if (!path.includes(sep))
    return isPathLike(target)
      ? path === 'ENOENT' || path === 'ENOTDIR'
        ? 'the file does not exist'
        : `it cannot be read (${path})`
      : undefined;
  const inner = relative(root, path);
  return inner.startsWith('..') || resolve(root, inner) !== path ? 'Path traversal attempt' : {path};
}

/** `@docs/style.md` and `@./x` are meant as paths; `@alice` and `@todo` are words. */
function isPathLike(target: string): boolean {
  return (
    target.startsWith('.') || target.includes('/') || /^\.(md|markdown|mdc|txt|json|toml|ya?ml)$/i.test(extname(target))
  );
}

interface Mention {
  readonly target: string;
  readonly start: number;
  readonly end: number;
}

function mentionsOf(text: string): readonly Mention[] {
  const code = findCode(text);
  let span = 0;
  return [...text.matchAll(TOKEN)]
    .slice(0, MOST_MENTIONS)
    .map(({0: whole, 1: target = '', index}) => ({target, start: index, end: index + whole.length}))
    .filter(({start}) => {
      while ((code[span]?.[1] ?? Infinity) <= start) span += 1;
      return start < (code[span]?.[0] ?? Infinity);
    });
}
