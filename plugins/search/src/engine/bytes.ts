import {isUtf8} from 'node:buffer';

/** Bytes 0x80 to 0xff that are no UTF-8 become the lone surrogates U+DC80 to U+DCFF, which no UTF-8 decodes to. */
const ESCAPE = 0xdc00;
const ESCAPED = /[\udc80-\udcff]/;

/** The text that bytes stand for, without loss: bytes that are no UTF-8 are kept as lone surrogates. */
export function decodeBytes(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  let text = '';
  let valid = 0;
  for (let at = 0; at < bytes.length;) {
    const length = sequenceLength(bytes, at);
    if (length === 0) {
      text += bytes.toString('utf8', valid, at) + String.fromCharCode(ESCAPE + (bytes[at] ?? 0));
      valid = at + 1;
    }
    at += Math.max(1, length);
  }
  return text + bytes.toString('utf8', valid);
}

/** The bytes that `decodeBytes` made a text of. */
export function encodeBytes(text: string): Buffer {
  if (!ESCAPED.test(text)) return Buffer.from(text);
  // With pairs taken together, what is left in this range stands alone.
  return Buffer.concat(
    [...text].map((letter) =>
      letter.length === 1 && ESCAPED.test(letter) ? Buffer.from([letter.charCodeAt(0) - ESCAPE]) : Buffer.from(letter),
    ),
  );
}

/** The same with the replacement character for every byte that is no UTF-8. */
export function readableText(text: string): string {
  return text.replaceAll(/[\ud800-\udfff]/gu, '\ufffd');
}

/** A path as the file system takes it. */
export function systemPath(path: string): string | Buffer {
  return ESCAPED.test(path) ? encodeBytes(path) : path;
}

/** How many bytes the valid UTF-8 sequence here has; 0 when there is none. */
function sequenceLength(bytes: Buffer, at: number): number {
  const first = bytes[at] ?? 0;
  const length =
    first < 0x80
      ? 1
      : first >= 0xc2 && first < 0xe0
        ? 2
        : first >= 0xe0 && first < 0xf0
          ? 3
          : first >= 0xf0 && first < 0xf5
            ? 4
            : 0;
  return length > 0 && at + length <= bytes.length && isUtf8(bytes.subarray(at, at + length)) ? length : 0;
}
