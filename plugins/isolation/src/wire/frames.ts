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
  #chunks: Buffer[] = [];
  #size = 0;

  /** The values that are complete now. Throws an Error for what is no frame; nothing after it can be read. */
  *push(chunk: Buffer): Generator {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    while (this.#size >= HEAD) {
      const length = this.#head().readUInt32BE(0);
      if (length > LARGEST_FRAME) throw new Error(`It sent a message of ${length} bytes.`);
      if (this.#size < HEAD + length) return;
      const all = this.#chunks.length === 1 ? (this.#chunks[0] ?? chunk) : Buffer.concat(this.#chunks);
      const rest = all.subarray(HEAD + length);
      this.#chunks = rest.length > 0 ? [rest] : [];
      this.#size = rest.length;
      yield parse(all.toString('utf8', HEAD, HEAD + length));
    }
  }

  /** The first chunk, long enough to hold a length. */
  #head(): Buffer {
    const [first] = this.#chunks;
    if (first && first.length >= HEAD) return first;
    const all = Buffer.concat(this.#chunks);
    this.#chunks = [all];
    return all;
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
