import {isAscii} from 'node:buffer';
import {decodeBytes} from '../engine/bytes.js';
import {cutLine, LONGEST_KEPT, LONGEST_LINE} from '../engine/cut-line.js';
import type {LineMatch} from '../engine/engine.js';
import type {MatchTask} from './match-task.js';

/** The lines of one file that fit, as far as it was looked at. */
export interface FoundLines {
  readonly lines: LineMatch[];
  /** The number of the first line of the next block. */
  next: number;
  /** About how much memory the lines take. */
  bytes: number;
}

/**
 * Looks at a block of whole lines and adds those that fit; false when there are enough. After the last block, `next`
 * means nothing.
 */
export type LineFinder = (block: Buffer, found: FoundLines, isLast: boolean) => boolean;

const LINE_END = 10;
const RETURN = 13;

/** Makes what looks for lines: by a quick look for bytes that have to be there, then by the regular expression. */
export function createLineFinder({script, except, bytes, filter, isExact, most}: MatchTask): LineFinder {
  const regex = new RegExp(script.source, script.flags);
  const exception = except && new RegExp(except.source, except.flags);
  const sieve = filter && new RegExp(filter.source, filter.flags);
  const isLooseFit = isExact && !exception;
  const fits = (line: string): boolean => regex.test(line) && !exception?.test(line);
  const findNext = (block: Buffer, text: string | undefined, start: number): number => {
    if (bytes) return block.indexOf(bytes, start);
    return sieve ? findFrom(sieve, text ?? '', start) : start;
  };

  return (block, found, isLast) => {
    const text = bytes ? undefined : block.toString('latin1');
    const isPlain = text !== undefined && isAscii(block);
    let counted = 0;
    for (let start = 0; start < block.length;) {
      const at = findNext(block, text, start);
      if (at < 0) break;
      const from = at === start ? start : Math.max(start, block.lastIndexOf(LINE_END, at - 1) + 1);
      const last = findEnd(block, text, at);
      const to = withoutReturn(block, from, last);
      start = last + 1;
      if (!isLooseFit && !fits(isPlain ? text.slice(from, to) : decodeBytes(block.subarray(from, to)))) continue;
      found.next += countLines(block, counted, from);
      counted = from;
      found.lines.push({number: found.next, text: shownLine(block.subarray(from, to), regex)});
      found.bytes += Math.min(to - from, LONGEST_LINE);
      if (found.lines.length >= most) return false;
    }
    if (!isLast) found.next += countLines(block, counted, block.length);
    return true;
  };
}

/** Where the line ends that a place is in; `text` is the block as text, where there is one. */
function findEnd(block: Buffer, text: string | undefined, at: number): number {
  const end = text === undefined ? block.indexOf(LINE_END, at) : text.indexOf('\n', at);
  return end < 0 ? block.length : end;
}

/** The end of a line that goes up to `last`, less the return that may stand before its end. */
function withoutReturn(block: Buffer, from: number, last: number): number {
  return last > from && block[last - 1] === RETURN ? last - 1 : last;
}

function findFrom(regex: RegExp, text: string, start: number): number {
  regex.lastIndex = start;
  return regex.exec(text)?.index ?? -1;
}

function countLines(block: Buffer, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at += 1) if (block[at] === LINE_END) count += 1;
  return count;
}

function shownLine(line: Buffer, regex: RegExp): string {
  const isKept = line.length <= LONGEST_KEPT;
  const text = decodeBytes(isKept ? line : line.subarray(0, LONGEST_KEPT));
  if (text.length <= LONGEST_LINE) return text;
  // A part of a text keeps all of it in memory; a clone does not.
  return structuredClone(cutLine(text, isKept ? (regex.exec(text)?.index ?? 0) : 0));
}
