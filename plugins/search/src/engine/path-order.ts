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
  // The end of a name comes before everything that a name can go on with.
  const [left, right] = [a[start], b[start]];
  if (left === undefined) return -1;
  if (right === undefined) return 1;
  if (left === sep) return -1;
  if (right === sep) return 1;
  return left < '\u0080' && right < '\u0080'
    ? left < right
      ? -1
      : 1
    : Buffer.compare(encodeBytes(a.slice(start)), encodeBytes(b.slice(start)));
}

function isSecondHalf(text: string, at: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1));
}
