import {ByteTail} from './byte-tail.js';

const LINE_FEED = 10;

/** How many line feeds stand in some bytes. */
export function countLines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < bytes.length; at += 1) if (bytes[at] === LINE_FEED) count += 1;
  return count;
}

/** The beginning and the end of an output of any length, and how much there was. */
export class KeptOutput {
  readonly #headLimit: number;
  readonly #head: Uint8Array[] = [];
  #headLength = 0;
  readonly #tail: ByteTail;
  #bytes = 0;
  #lines = 0;

  constructor(limits: {readonly head: number; readonly tail: number}) {
    this.#headLimit = limits.head;
    this.#tail = new ByteTail(limits.tail);
  }

  get bytes(): number {
    return this.#bytes;
  }

  push(chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    this.#lines += countLines(chunk);
    const room = this.#headLimit - this.#headLength;
    if (room > 0) {
      // A copy: a small piece would otherwise keep the whole buffer it was read into.
      const part = Uint8Array.prototype.slice.call(chunk, 0, room);
      this.#head.push(part);
      this.#headLength += part.length;
    }
    if (chunk.length > room) this.#tail.push(room > 0 ? chunk.subarray(room) : chunk);
  }

  /** What is kept; `gap` counts what lies between, and is absent when nothing does. */
  parts(): {
    readonly head: Buffer;
    readonly tail: Buffer;
    readonly gap: {readonly bytes: number; readonly lines: number} | undefined;
  } {
    const [head, tail] = [Buffer.concat(this.#head), this.#tail.toBuffer()];
    const bytes = this.#bytes - head.length - tail.length;
    return {
      head,
      tail,
      gap: bytes === 0 ? undefined : {bytes, lines: this.#lines - countLines(head) - countLines(tail)},
    };
  }
}
