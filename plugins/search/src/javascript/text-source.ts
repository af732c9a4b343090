import {readSync} from 'node:fs';

const UTF16_PIECE = 65_536;

/**
 * The text of an open file as UTF-8, without its byte order mark. UTF-16 is known by its mark and is decoded;
 * everything else is given as it is.
 */
export class TextSource {
  readonly #file: number;
  #isStarted = false;
  #decode: ((bytes: Buffer, isLast: boolean) => Buffer) | undefined;
  /** Decoded and not yet given. */
  #rest: Buffer = Buffer.alloc(0);

  constructor(file: number) {
    this.#file = file;
  }

  /** Puts the next bytes between two places of a buffer, and says how many; 0 at the end of the file. */
  read(target: Buffer, from: number, to: number): number {
    if (this.#decode) return this.#readDecoded(target, from, to);
    const length = readSync(this.#file, target, from, to - from, null);
    if (this.#isStarted) return length;
    this.#isStarted = true;
    return this.#readMark(target, {from, end: from + length, to});
  }

  #readMark(
    target: Buffer,
    {from, end, to}: {readonly from: number; readonly end: number; readonly to: number},
  ): number {
    const [first, second, third] = target.subarray(from, Math.min(end, from + 3));
    if (first === 0xef && second === 0xbb && third === 0xbf) {
      target.copyWithin(from, from + 3, end);
      // A file that holds no more than its mark ends here.
      return end - from - 3;
    }
    const isLittle = first === 0xff && second === 0xfe;
    if (!isLittle && !(first === 0xfe && second === 0xff)) return end - from;
    this.#decode = utf16Decoder(isLittle);
    this.#rest = this.#decode(target.subarray(from + 2, end), false);
    return this.#readDecoded(target, from, to);
  }

  #readDecoded(target: Buffer, from: number, to: number): number {
    const piece = this.#rest.length === 0 ? Buffer.allocUnsafe(UTF16_PIECE) : undefined;
    while (piece && this.#rest.length === 0) {
      const length = readSync(this.#file, piece, 0, piece.length, null);
      this.#rest = this.#decode?.(piece.subarray(0, length), length === 0) ?? this.#rest;
      if (length === 0) break;
    }
    const given = this.#rest.copy(target, from, 0, to - from);
    this.#rest = this.#rest.subarray(given);
    return given;
  }
}

/** Decodes pieces as they come; what is no UTF-16 becomes U+FFFD. */
function utf16Decoder(isLittle: boolean): (bytes: Buffer, isLast: boolean) => Buffer {
  const decoder = new TextDecoder('utf-16le', {ignoreBOM: true});
  let half: Buffer = Buffer.alloc(0);
  return (bytes, isLast) => {
    if (isLittle) return Buffer.from(decoder.decode(bytes, {stream: !isLast}));
    const all = half.length > 0 ? Buffer.concat([half, bytes]) : bytes;
    const even = all.length - (all.length % 2);
    const swapped = Buffer.from(all.subarray(0, even)).swap16();
    half = Buffer.from(all.subarray(even));
    if (!isLast) return Buffer.from(decoder.decode(swapped, {stream: true}));
    const end = Buffer.concat([swapped, half]);
    half = Buffer.alloc(0);
    return Buffer.from(decoder.decode(end));
  };
}
