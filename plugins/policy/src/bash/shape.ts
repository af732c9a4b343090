/**
 * A shape is a text with holes: what is known of a word before it runs. Holes are characters for private use, so that
 * shapes are cut, joined and compared like any other text. A shape without holes is a known text.
 */

/** Any run of characters, slashes included. */
export const ANY = '\uE000';
/** `*` of a glob: any run without a slash. At the start of a name it stands for no dot. */
export const STAR = '\uE001';
/** `?` of a glob: one character that is no slash. */
export const ONE = '\uE002';
/** A number. */
export const DIGITS = '\uE003';
/** A run, slashes included, that makes the path of something that exists. */
export const TREE = '\uE004';
/** Any run without a slash, also one that begins with a dot: a name that a program printed. */
export const NAME = '\uE005';

/** Like `TREE`, without what is hidden: no name begins with a dot. */
export const VISIBLE = '\uE006';

/** Like `STAR`, with text added in the same name: what it stands for need not be there. */
export const GIVEN = '\uE007';

const HOLE = /[\uE000-\uE00F]/;
const SOME_PRIVATE = /[\uE000-\uF8FF]/;
const PRIVATE = /[\uE000-\uF8FF]/g;
/** More alternatives than these count as anything. */
const MOST = 64;

/** A text as a shape: characters that stand for holes could be anything. */
export function shapeOf(text: string): string {
  return SOME_PRIVATE.test(text) ? text.replace(PRIVATE, ANY) : text;
}

/** Whether a shape has holes. */
export function isOpen(shape: string): boolean {
  return HOLE.test(shape);
}

/** The known text that a shape begins with. */
export function leadOf(shape: string): string {
  const at = shape.search(HOLE);
  return at < 0 ? shape : shape.slice(0, at);
}

/** Whether only running could tell the text: holes that are neither globs nor numbers. */
export function isUnknown(shape: string): boolean {
  return /[\uE000\uE004-\uE007]/.test(shape);
}

/** Each of them once; anything, when there are too many. */
export function unique(shapes: Iterable<string>): readonly string[] {
  const all = [...new Set(shapes)];
  return all.length > MOST || (all.length > 1 && all.includes(ANY)) ? [ANY] : all;
}

/** What unquoted text of a variable becomes: its globs are looked up like written ones. */
export function openGlobs(shape: string): string {
  if (!/[*?[]/.test(shape)) return shape;
  return shape
    .replaceAll(/\[[^/]*\]/g, STAR)
    .replaceAll('*', STAR)
    .replaceAll('?', ONE);
}

/** Joins texts of which one was found on disk: with something added, a name is another. */
export function glue(head: string, tail: string): string {
  if (tail === '' || head === '') return head + tail;
  const before = tail.startsWith('/')
    ? head
    : head.replace(/[^/]*$/, (name) => name.replaceAll(/[\uE001\uE002]/g, GIVEN));
  const after = head.endsWith('/') ? tail : tail.replace(/^[^/]*/, (name) => name.replaceAll(/[\uE001\uE002]/g, GIVEN));
  return before + after;
}

/** A shape with globs, where options of the shell make them match more. */
export function loosenGlobs(shape: string, globs: 'plain' | 'deep' | 'any'): string {
  if (globs === 'plain' || !/[\uE001\uE002]/.test(shape)) return shape;
  return globs === 'any' ? ANY : shape.replaceAll(/[\uE001\uE002]/g, ANY);
}

/** The last name of a path. */
export function baseOfShape(shape: string): string {
  const name = shape.replace(/(?<=.)\/+$/, '');
  const last = name.slice(name.lastIndexOf('/') + 1);
  // A hole that may hold a slash may hold what the last name begins with.
  return last.replace(/^.*[\uE000\uE004\uE006]/, NAME);
}

/** The folder of a path, as `dirname` prints it. */
export function folderOfShape(shape: string): string {
  const name = shape.replace(/(?<=.)\/+$/, '');
  const at = name.lastIndexOf('/');
  if (/[\uE000\uE004\uE006][^/]*$/.test(name))
    return `${name.replace(/[\uE004\uE006][^/]*$/, TREE).replace(/\uE000[^/]*$/, ANY)}`;
  return at < 0 ? '.' : at === 0 ? '/' : name.slice(0, at);
}
