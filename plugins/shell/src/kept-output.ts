import {ByteTail} from './byte-tail.js';

const LINE_FEED = 10;

/** The number of line feeds in some bytes. */
export function countLines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < bytes.length; at += 1) if (bytes[at] === LINE_FEED) count += 1;
  return count;
}

/** The beginning and the end of an output of any length, and its total size. */
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
      // A copy, because a small slice would keep its whole buffer in memory.
      const part = Uint8Array.prototype.slice.call(chunk, 0, room);
      this.#head.push(part);
      this.#headLength += part.length;
    }
    if (chunk.length > room) this.#tail.push(room > 0 ? chunk.subarray(room) : chunk);
  }

  /** The kept output; `gap` counts what was left out between, and is absent when nothing was. */
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
