import {sep} from 'node:path';
import {encodeBytes} from './bytes.js';

/** Compares paths name by name, each byte by byte: the order in which a walk that sorts every directory meets them. */
export function comparePaths(a: string, b: string): number {
  if (a === b) return 0;
  let start = 0;
  const shorter = Math.min(a.length, b.length);
  while (start < shorter && a[start] === b[start]) start += 1;
  // Not between the halves of a character.
  if (start > 0 && isSecondHalf(a, start) && isSecondHalf(b, start)) start -= 1;
  return compareEnds(a[start], b[start]) ?? compareCharacters(a, b, start);
}

/** The end of a name comes before everything that a name can continue with. */
function compareEnds(left: string | undefined, right: string | undefined): number | undefined {
  if (left === undefined) return -1;
  if (right === undefined) return 1;
  if (left === sep) return -1;
  return right === sep ? 1 : undefined;
}

function compareCharacters(a: string, b: string, start: number): number {
  const left = a[start] ?? '';
  const right = b[start] ?? '';
  if (left < '\u0080' && right < '\u0080') return left < right ? -1 : 1;
  return Buffer.compare(encodeBytes(a.slice(start)), encodeBytes(b.slice(start)));
}

function isSecondHalf(text: string, at: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1));
}
