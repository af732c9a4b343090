import {KernelError} from '@gemini-kernel/kernel';

/** The largest frame, in bytes. */
export const LARGEST_FRAME = 16 * 2 ** 20;
const HEAD = 4;

/** A value as a frame: its length in 4 bytes, then JSON. Throws KernelError FRAME_TOO_LARGE. */
export function writeFrame(value: unknown): Buffer {
  const text = JSON.stringify(value);
  const length = Buffer.byteLength(text);
  if (length > LARGEST_FRAME)
    throw new KernelError(
      'FRAME_TOO_LARGE',
      `A message of ${length} bytes cannot pass between a plugin and gemini: ${LARGEST_FRAME} is the most.`,
      {hint: 'Pass it in parts, as a stream, or as the path of a file.'},
    );
  const frame = Buffer.allocUnsafe(HEAD + length);
  frame.writeUInt32BE(length, 0);
  frame.write(text, HEAD);
  return frame;
}

/** Makes frames of bytes as they come. */
export class FrameReader {
  /** What has come of a frame that is not complete: one growing buffer, so that many small parts cost no more. */
  #kept: Buffer = Buffer.alloc(0);
  #size = 0;

  /** The values that are complete now. Throws an Error for what is no frame; nothing after it can be read. */
  *push(chunk: Buffer): Generator {
    const bytes = this.#size > 0 ? this.#keep(chunk) : chunk;
    let at = 0;
    while (bytes.length - at >= HEAD) {
      const length = bytes.readUInt32BE(at);
      if (length > LARGEST_FRAME) throw new Error(`It sent a message of ${length} bytes.`);
      const end = at + HEAD + length;
      if (end > bytes.length) break;
      yield parse(bytes.toString('utf8', at + HEAD, end));
      at = end;
    }
    this.#leave(bytes.subarray(at));
  }

  #keep(chunk: Buffer): Buffer {
    const size = this.#size + chunk.length;
    if (size > this.#kept.length) this.#grow(size);
    chunk.copy(this.#kept, this.#size);
    this.#size = size;
    return this.#kept.subarray(0, size);
  }

  #grow(size: number): void {
    const larger = Buffer.allocUnsafe(Math.max(size, 2 * this.#kept.length));
    this.#kept.copy(larger, 0, 0, this.#size);
    this.#kept = larger;
  }

  #leave(rest: Buffer): void {
    if (rest.buffer === this.#kept.buffer && rest.byteOffset === this.#kept.byteOffset && rest.length > 0) return;
    this.#size = rest.length;
    // A copy: the chunk that it is part of may be much larger.
    this.#kept = rest.length > 0 ? Buffer.from(rest) : Buffer.alloc(0);
  }
}

function parse(text: string): unknown {
  try {
    // A key `__proto__`, however it is spelled, could become a prototype where it is copied.
    return /__proto__|\\u00/i.test(text) ? (JSON.parse(text, refuseTrap) as unknown) : (JSON.parse(text) as unknown);
  } catch (cause) {
    throw new Error('It sent a message that is not JSON.', {cause});
  }
}

function refuseTrap(key: string, value: unknown): unknown {
  if (key === '__proto__') throw new Error('A key is `__proto__`.');
  return value;
}
