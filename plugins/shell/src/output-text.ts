import {isUtf8} from 'node:buffer';
import {findDecoder} from './code-page.js';

/** How the bytes of an output are decoded. */
export interface OutputEncoding {
  /** `binary`: they are not text. */
  readonly name: string;
  decode(bytes: Buffer): string;
}

const LOOKED_AT = 4096;
const LONGEST_CHARACTER = 4;

const utf8: OutputEncoding = {name: 'utf-8', decode: (bytes) => withoutMark(bytes.toString('utf8'))};
const utf16le: OutputEncoding = {name: 'utf-16le', decode: (bytes) => withoutMark(bytes.toString('utf16le'))};
const utf16be: OutputEncoding = {
  name: 'utf-16be',
  decode: (bytes) =>
    withoutMark(
      Buffer.from(bytes.subarray(0, bytes.length & ~1))
        .swap16()
        .toString('utf16le'),
    ),
};
const binary: OutputEncoding = {name: 'binary', decode: () => ''};

/**
 * The encoding of an output: from its byte order mark or its zero bytes, UTF-8 if it is valid, else that of the user's
 * system, else UTF-8.
 */
export function detectEncoding(
  {head, tail}: {readonly head: Buffer; readonly tail: Buffer},
  legacy: string | undefined,
): OutputEncoding {
  if (head[0] === 0xff && head[1] === 0xfe) return utf16le;
  if (head[0] === 0xfe && head[1] === 0xff) return utf16be;
  const start = head.subarray(0, LOOKED_AT);
  if (start.includes(0)) return hasUtf16Zeros(start) ? utf16le : binary;
  // Cuts, and a program that dies, can split a character.
  if (isUtf8(withoutSplitEnd(head)) && isUtf8(withoutSplitEnd(withoutSplitStart(tail)))) return utf8;
  const decode = legacy === undefined ? undefined : findDecoder(legacy);
  return legacy !== undefined && decode ? {name: legacy, decode} : utf8;
}

/** Bytes that end with a complete UTF-8 character. */
export function withoutSplitEnd(bytes: Buffer): Buffer {
  for (let back = 1; back < LONGEST_CHARACTER && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (isContinuation(byte)) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}

/** Bytes that start with a complete UTF-8 character. */
export function withoutSplitStart(bytes: Buffer): Buffer {
  let start = 0;
  while (start < LONGEST_CHARACTER - 1 && isContinuation(bytes[start] ?? 0)) start += 1;
  return bytes.subarray(start);
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** Some Windows programs print UTF-16 without a mark: in ordinary text every other byte is zero, and no others are. */
function hasUtf16Zeros(start: Buffer): boolean {
  const zeros = [0, 0];
  for (let at = 0; at < start.length; at += 1) if (start[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  return even === 0 && start.length >= 4 && odd >= (start.length / 2) * 0.9;
}
