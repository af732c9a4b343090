import type {Redactor} from '@gemini-kernel/plugin-secrets/contract';
import type {ShownOutput} from './contract.js';
import {countLines, type KeptOutput} from './kept-output.js';
import {detectEncoding, withoutSplitEnd, withoutSplitStart, type OutputEncoding} from './output-text.js';
import {screenText} from './screen-text.js';

export interface Showing {
  /** The maximum number of characters. */
  readonly limit: number;
  /** The encoding of output that is not UTF-8. */
  readonly legacy: string | undefined;
  readonly redactor: Redactor;
}

/** The share of the shown text that is the beginning. */
export const HEAD_SHARE = 0.2;
/** A part ends at a line end if there is one in its last quarter. */
const WHOLE_LINE_SHARE = 0.25;

/** A text in two parts, with what was left out between. */
interface Cut {
  readonly head: string;
  readonly tail: string;
  readonly bytes: number;
  readonly lines: number;
}

/** The beginning and the end of an output as text, without secrets, and what was left out between. */
export function showOutput(kept: KeptOutput, {limit, legacy, redactor}: Showing): ShownOutput {
  const {head, tail, gap} = kept.parts();
  const {bytes} = kept;
  const encoding = encodingOf({head, tail, gap}, legacy);
  const {name} = encoding;
  if (name === 'binary')
    return {
      text: `(binary output of ${count(bytes, 'byte')}, not shown)`,
      encoding: name,
      bytes,
      omittedBytes: bytes,
      omittedLines: 0,
    };
  const cut = gap
    ? joinParts({head, tail, gap, offset: bytes - tail.length}, encoding, redactor)
    : whole(Buffer.concat([head, tail]), encoding, redactor);
  const {head: first, tail: last, bytes: omittedBytes, lines: omittedLines} = shorten(cut, limit);
  if (omittedBytes === 0) return {text: first + last, encoding: name, bytes, omittedBytes, omittedLines};
  const note =
    `... [${count(omittedLines, 'line')}, ${count(omittedBytes, 'byte')} left out; write the output to a file to ` +
    'see all of it] ...';
  return {
    text: `${first}${first.endsWith('\n') || first === '' ? '' : '\n'}${note}\n${last}`,
    encoding: name,
    bytes,
    omittedBytes,
    omittedLines,
  };
}

/** The last lines of an output, at most `limit` characters. */
export function showLastLines(kept: KeptOutput, lines: number, {limit, legacy, redactor}: Showing): ShownOutput {
  const {head, tail, gap} = kept.parts();
  const encoding = encodingOf({head, tail, gap}, legacy);
  if (encoding.name === 'binary') return showOutput(kept, {limit, legacy, redactor});
  const cut = gap
    ? joinParts({head: Buffer.alloc(0), tail, gap, offset: kept.bytes - tail.length}, encoding, redactor)
    : whole(Buffer.concat([head, tail]), encoding, redactor);
  const all = cut.head + cut.tail;
  const ends = [...all.matchAll(/\n(?!$)/g)].map(({index}) => index + 1);
  const start = Math.max(all.length - limit, ends.at(-lines) ?? 0);
  const text = all.slice(start + (isSplit(all, start) ? 1 : 0));
  const dropped = all.slice(0, all.length - text.length);
  const before = gap ? {bytes: head.length, lines: countLines(head)} : {bytes: 0, lines: 0};
  return {
    text,
    encoding: encoding.name,
    bytes: kept.bytes,
    omittedBytes: before.bytes + cut.bytes + Buffer.byteLength(dropped),
    omittedLines: before.lines + cut.lines + countBreaks(dropped),
  };
}

function encodingOf({head, tail, gap}: ReturnType<KeptOutput['parts']>, legacy: string | undefined): OutputEncoding {
  return detectEncoding(gap ? {head, tail} : {head: Buffer.concat([head, tail]), tail: Buffer.alloc(0)}, legacy);
}

function whole(bytes: Buffer, encoding: OutputEncoding, redactor: Redactor): Cut {
  return {head: screenText(redactor.push(encoding.decode(bytes)) + redactor.end()), tail: '', bytes: 0, lines: 0};
}

interface Parts {
  readonly head: Buffer;
  readonly tail: Buffer;
  readonly gap: {readonly bytes: number; readonly lines: number};
  /** Where the tail begins in the output. */
  readonly offset: number;
}

/** A character or a secret that the gap cut in two is not shown. */
function joinParts({head, tail, gap, offset}: Parts, encoding: OutputEncoding, redactor: Redactor): Cut {
  const isUtf8 = encoding.name === 'utf-8';
  const isOdd = encoding.name.startsWith('utf-16') && offset % 2 === 1;
  const first = redactor.push(encoding.decode(isUtf8 ? withoutSplitEnd(head) : head));
  const lost = redactor.end();
  const text =
    redactor.push(encoding.decode(isUtf8 ? withoutSplitStart(tail) : tail.subarray(isOdd ? 1 : 0))) + redactor.end();
  const lineEnd = text.indexOf('\n');
  const start =
    lineEnd >= 0 && lineEnd < text.length * WHOLE_LINE_SHARE ? lineEnd + 1 : Math.min(redactor.reach, text.length);
  const dropped = lost + text.slice(0, start);
  return {
    head: screenText(first),
    tail: screenText(text.slice(start)),
    bytes: gap.bytes + Buffer.byteLength(dropped),
    lines: gap.lines + countBreaks(dropped),
  };
}

function shorten(cut: Cut, limit: number): Cut {
  if (cut.head.length + cut.tail.length <= limit) return cut;
  const headLimit = Math.floor(limit * HEAD_SHARE);
  const tailLimit = limit - headLimit;
  // If nothing was left out so far, the end is still part of the beginning.
  const tailSource = cut.bytes === 0 ? cut.head : cut.tail;
  const headEnd = Math.min(cut.head.length, endOfHead(cut.head, headLimit));
  const tailStart = startOfTail(tailSource, tailLimit);
  const dropped =
    cut.bytes === 0 ? cut.head.slice(headEnd, tailStart) : cut.head.slice(headEnd) + tailSource.slice(0, tailStart);
  return {
    head: cut.head.slice(0, headEnd),
    tail: tailSource.slice(tailStart),
    bytes: cut.bytes + Buffer.byteLength(dropped),
    lines: cut.lines + countBreaks(dropped),
  };
}

function endOfHead(text: string, limit: number): number {
  if (text.length <= limit) return text.length;
  const lineEnd = text.lastIndexOf('\n', limit - 1) + 1;
  if (lineEnd > limit * (1 - WHOLE_LINE_SHARE)) return lineEnd;
  return isSplit(text, limit) ? limit - 1 : limit;
}

function startOfTail(text: string, limit: number): number {
  if (text.length <= limit) return 0;
  const start = text.length - limit;
  const lineEnd = text.indexOf('\n', start - 1) + 1;
  if (lineEnd > 0 && lineEnd < start + limit * WHOLE_LINE_SHARE) return lineEnd;
  return isSplit(text, start) ? start + 1 : start;
}

/** Whether a cut there would split a surrogate pair. */
function isSplit(text: string, at: number): boolean {
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(Math.max(0, at - 1), at + 1));
}

function countBreaks(text: string): number {
  return text.split('\n').length - 1;
}

/** A number with separators, and its unit. */
export function count(amount: number, noun: string): string {
  return `${amount.toLocaleString('en-US')} ${noun}${amount === 1 ? '' : 's'}`;
}
