import {readRegexTree, type RegexItem, type RegexSequence} from './read/regex-tree.js';

/** How many texts are made of one pattern, so that nested alternatives stay few. */
const MOST = 60;
/** Tried for a place that any of several characters can take: what is common in paths, commands and JSON. */
const CHARACTERS = ['x', '9', 'K', ' ', '/', '-', '_', '.', '"', ':', ',', '=', '$', '\0', '\n'];

/** Texts that a regular expression may match, each alternative at least once, and with what it must not look at. */
export function textsOfRegex(pattern: string): readonly string[] {
  return textsOfOptions(readRegexTree(pattern));
}

/** Paths that a glob matches, each alternative at least once, and some that a negated part keeps out. */
export function pathsOfGlob(glob: string): readonly string[] {
  const expanded = expandGroups(glob).slice(0, MOST);
  return [...new Set(expanded.flatMap((one) => ['x', 'k9'].map((fill) => fillWildcards(one, fill))))];
}

function textsOfOptions(options: readonly RegexSequence[]): readonly string[] {
  return [...new Set(options.flatMap(textsOfSequence))].slice(0, MOST);
}

/** One text with the first choice everywhere, and one more for each other choice. */
function textsOfSequence(items: RegexSequence): readonly string[] {
  const choices = items.map(textsOfItem);
  const first = choices.map(([one = '']) => one);
  const others = choices.flatMap((texts, index) => texts.slice(1).map((text) => first.with(index, text).join('')));
  return [first.join(''), ...others];
}

function textsOfItem({kind, source, min, max, options}: RegexItem): readonly string[] {
  if (kind === 'mark' || kind === 'reference') return [''];
  // A look takes no characters, so what it asks for or forbids may stand there or not.
  if (kind === 'look') return ['', ...textsOfOptions(options)];
  const once = kind === 'group' ? textsOfOptions(options) : charactersOf(source);
  const repeated = once.map((text) => text.repeat(Math.max(min, 1)));
  return [...repeated, ...(min === 0 ? [''] : []), ...(max > 1 ? [once.join('').slice(0, 8)] : [])];
}

function charactersOf(source: string): readonly string[] {
  const test = new RegExp(`^(?:${source})$`);
  const known = CHARACTERS.filter((character) => test.test(character));
  if (known.length > 0) return [...new Set([known[0] ?? '', known.at(-1) ?? ''])];
  const literal = Array.from({length: 128}, (_, code) => String.fromCharCode(code)).find((character) =>
    test.test(character),
  );
  return [literal ?? source.replace(/^\\/, '').slice(0, 1)];
}

/** A glob without braces and groups, once for each alternative in them. */
function expandGroups(glob: string): readonly string[] {
  // The innermost comes first, so that what is around it sees plain text.
  const inner = /\{([^{}()]*)\}|([@+?*!])\(([^{}()]*)\)/.exec(glob);
  if (!inner) return [glob];
  const [whole, braced, sign, grouped] = inner;
  const options = braced === undefined ? (grouped ?? '').split('|') : braced.split(',');
  const others = sign === '!' ? ['x'] : sign === '?' || sign === '*' ? [''] : [];
  const [before, after] = [glob.slice(0, inner.index), glob.slice(inner.index + whole.length)];
  return [...others, ...options]
    .slice(0, MOST)
    .flatMap((option) => expandGroups(`${before}${option}${after}`))
    .slice(0, MOST);
}

function fillWildcards(glob: string, fill: string): string {
  return glob
    .replace(/\[[!^]?(.)[^\]]*\]/g, (whole, first: string) => (/^\[[!^]/.test(whole) ? 'x' : first))
    .replaceAll(/\*\*+/g, `${fill}/y`)
    .replaceAll('*', fill)
    .replaceAll('?', fill.slice(0, 1))
    .replaceAll('\\', '');
}
