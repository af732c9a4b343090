import {unitsMask} from './fold-letter.js';

/** A path as UTF-16 units in a part of a block. */
export interface PathUnits {
  readonly block: Uint16Array;
  readonly start: number;
  readonly length: number;
}

/** Units in a block. No path is longer. */
const SIZE = 2 ** 19;
const UNIT = Uint16Array.BYTES_PER_ELEMENT;

/**
 * Texts side by side in a few large blocks: to read them there is several times as fast as in strings that are parts of
 * others.
 */
export class UnitBlocks {
  readonly #blocks: {readonly units: Uint16Array; readonly bytes: Buffer}[] = [];
  readonly #starts: number[] = [];
  readonly #lengths: number[] = [];
  readonly #masks: number[] = [];
  #used = SIZE;

  push(given: string): void {
    const text = given.length > SIZE ? given.slice(0, SIZE) : given;
    const {units, bytes} = this.#blockFor(text.length);
    bytes.write(text, this.#used * UNIT, 'utf16le');
    this.#starts.push((this.#blocks.length - 1) * SIZE + this.#used);
    this.#lengths.push(text.length);
    this.#masks.push(unitsMask(units, this.#used, text.length));
    this.#used += text.length;
  }

  at(index: number): PathUnits {
    const start = this.#starts[index] ?? 0;
    return {
      block: this.#blocks[Math.floor(start / SIZE)]?.units ?? new Uint16Array(0),
      start: start % SIZE,
      length: this.#lengths[index] ?? 0,
    };
  }

  mask(index: number): number {
    return this.#masks[index] ?? 0;
  }

  endsWith(index: number, sign: string): boolean {
    const {block, start, length} = this.at(index);
    return block[start + length - 1] === sign.charCodeAt(0);
  }

  text(index: number): string {
    const start = this.#starts[index] ?? 0;
    const from = (start % SIZE) * UNIT;
    return (
      this.#blocks[Math.floor(start / SIZE)]?.bytes.toString(
        'utf16le',
        from,
        from + (this.#lengths[index] ?? 0) * UNIT,
      ) ?? ''
    );
  }

  #blockFor(length: number): {readonly units: Uint16Array; readonly bytes: Buffer} {
    const last = this.#blocks.at(-1);
    if (last && this.#used + length <= SIZE) return last;
    const units = new Uint16Array(SIZE);
    const block = {units, bytes: Buffer.from(units.buffer)};
    this.#blocks.push(block);
    this.#used = 0;
    return block;
  }
}
