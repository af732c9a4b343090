import {decodeBytes} from '../engine/bytes.js';

/** Splits output into names, each of which ends with a zero byte. */
export class FileNames {
  #rest: Buffer = Buffer.alloc(0);

  push(chunk: Buffer): readonly string[] {
    const end = chunk.lastIndexOf(0) + 1;
    if (end === 0) {
      this.#rest = Buffer.concat([this.#rest, chunk]);
      return [];
    }
    const whole =
      this.#rest.length === 0 ? chunk.subarray(0, end) : Buffer.concat([this.#rest, chunk.subarray(0, end)]);
    this.#rest = Buffer.from(chunk.subarray(end));
    return decodeBytes(whole).slice(0, -1).split('\0');
  }
}
