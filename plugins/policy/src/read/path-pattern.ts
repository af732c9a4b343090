import {findRegexFault, LONGEST_PATTERN} from './regex-fault.js';
import {readRegexTree, type RegexItem, type RegexSequence} from './regex-tree.js';

/** More alternatives than that are refused. */
const MOST_GLOBS = 64;

/** What a `path_pattern` says, as globs; undefined when it cannot be said so. */
export type PathPattern = {readonly globs: readonly string[]} | {readonly fault: string};

/**
 * Reads a `path_pattern`. It is a regular expression when it has a sign that globs have no use for (`^` in front, `$`
 * at the end, `\.`, `.*` or `.+`, a quantified class or group, `|`, a `/` at both ends), no `**`, and is a valid one;
 * else a glob, for any folder when it has no `/`, for all that a folder holds when it ends with one.
 */
export function readPathPattern(pattern: string): PathPattern {
  if (!isRegex(pattern)) return readGlob(pattern);
  const fault = findRegexFault(pattern);
  if (fault) return {fault: `is a regular expression that ${fault}`};
  const globs = readRegexTree(pattern).map(translateWhole);
  const all = globs.flatMap((some) => some ?? []);
  if (globs.includes(undefined) || all.length > MOST_GLOBS)
    return {fault: 'is a regular expression that cannot be said as globs'};
  return {globs: [...new Set(all)]};
}

/** A text as a glob that matches that text only. */
export function escapeGlob(text: string): string {
  // Backslashes in a row are not read one by one.
  return text.replace(/[\\*?[\]{}()!+@|$^"]/g, (character) => (character === '\\' ? '[\\\\]' : `\\${character}`));
}

/** Why a glob cannot be used, to be read after its key, or undefined. */
export function findGlobFault(glob: string): string | undefined {
  if (glob.length > LONGEST_PATTERN) return `has a glob longer than ${LONGEST_PATTERN} characters`;
  // The compiler of globs does not come back from some of these.
  if (/\\{3,}/.test(glob)) return 'has a glob with three backslashes in a row; paths have forward slashes';
  // Such globs become regular expressions that can take forever.
  return /[?*+@!]\([^)]*[?*+@!]\(/.test(glob) ? 'has a glob with groups in groups' : undefined;
}

function isRegex(pattern: string): boolean {
  if (pattern.includes('**') || !/^\^|\$$|^\/.*\/$|\\[.\w]|\.[*+]|[\])][*+?]|\|/.test(pattern)) return false;
  return findRegexFault(pattern)?.startsWith('is not valid') !== true;
}

function readGlob(pattern: string): PathPattern {
  const fault = findGlobFault(pattern);
  if (fault) return {fault};
  const glob = pattern.endsWith('/') ? `${pattern}**` : pattern;
  return {globs: [pattern.includes('/') ? glob : `**/${glob}`]};
}

/** The globs for one alternative of a whole pattern: what has no anchor can begin or end anywhere. */
function translateWhole(items: RegexSequence): readonly string[] | undefined {
  const isWild = (item: RegexItem | undefined): boolean => item?.source === '.' && item.max === Infinity;
  let [from, to] = [0, items.length];
  let [isFree, isOpen] = [true, true];
  if (items[from]?.source === '^') [from, isFree] = [from + 1, false];
  if (to > from && items[to - 1]?.source === '$') [to, isOpen] = [to - 1, false];
  while (from < to && isWild(items[from])) [from, isFree] = [from + 1, true];
  while (to > from && isWild(items[to - 1])) [to, isOpen] = [to - 1, true];
  const middles = translate(items.slice(from, to));
  return middles?.flatMap((middle) => {
    const begun = !isFree
      ? middle
      : middle.startsWith('/')
        ? `**${middle}`
        : middle === ''
          ? '**'
          : `**/*${middle.replace(/^\*+/, '')}`;
    if (!isOpen || begun === '**') return [begun];
    return begun.endsWith('/') ? [`${begun}**`] : [`${begun.replace(/\*+$/, '')}*`, `${begun.replace(/\*+$/, '')}*/**`];
  });
}

function translate(items: RegexSequence): readonly string[] | undefined {
  let globs: readonly string[] = [''];
  for (const item of items) {
    const pieces = translateItem(item);
    if (!pieces || pieces.length * globs.length > MOST_GLOBS) return undefined;
    globs = globs.flatMap((glob) => pieces.map((piece) => glob + piece));
  }
  return globs;
}

function translateItem(item: RegexItem): readonly string[] | undefined {
  const {kind, min, max, source} = item;
  if (max === Infinity && kind === 'set')
    return source === '.' ? ['*', '*/**/*'] : source === '[^/]' || source === '[^\\/]' ? ['*'] : undefined;
  if (max !== 1) return undefined;
  const once = kind === 'group' ? translateGroup(item) : kind === 'set' ? translateCharacter(source) : undefined;
  return min === 0 && once ? ['', ...once] : once;
}

function translateGroup({source, options}: RegexItem): readonly string[] | undefined {
  if (!/^\((?:\?:|(?!\?))/.test(source)) return undefined;
  const parts = options.map(translate);
  return parts.includes(undefined) ? undefined : parts.flatMap((part) => part ?? []);
}

function translateCharacter(source: string): readonly string[] | undefined {
  if (source === '.') return ['?'];
  if (source === '\\d') return ['[0-9]'];
  if (source === '\\w') return ['[A-Za-z0-9_]'];
  // Rules see paths with slashes on every platform.
  if (source === '\\\\') return ['/'];
  if (/^\[[A-Za-z0-9_-]+\]$/.test(source)) return [source];
  if (source.length === 1) return [escapeGlob(source)];
  return /^\\[^A-Za-z0-9]$/.test(source) ? [escapeGlob(source.slice(1))] : undefined;
}
