const FIRST_SIZE = 64 * 1024;

/** The last bytes of a stream, in at most `limit` bytes of memory. */
export class ByteTail {
  #ring = Buffer.alloc(0);
  /** The next write position, and how many bytes are held. */
  #at = 0;
  #held = 0;

  constructor(readonly limit: number) {}

  get length(): number {
    return this.#held;
  }

  push(chunk: Uint8Array): void {
    const bytes = chunk.length > this.limit ? chunk.subarray(chunk.length - this.limit) : chunk;
    this.#grow(this.#held + bytes.length);
    const first = Math.min(bytes.length, this.#ring.length - this.#at);
    this.#ring.set(bytes.subarray(0, first), this.#at);
    this.#ring.set(bytes.subarray(first), 0);
    this.#at = this.#ring.length === 0 ? 0 : (this.#at + bytes.length) % this.#ring.length;
    this.#held = Math.min(this.#ring.length, this.#held + bytes.length);
  }

  /** A copy of the held bytes, in order. */
  toBuffer(): Buffer {
    const start = this.#at - this.#held;
    if (start >= 0) return Buffer.from(this.#ring.subarray(start, this.#at));
    return Buffer.concat([this.#ring.subarray(this.#ring.length + start), this.#ring.subarray(0, this.#at)]);
  }

  #grow(wanted: number): void {
    if (this.#ring.length >= Math.min(wanted, this.limit)) return;
    const size = Math.min(this.limit, Math.max(FIRST_SIZE, this.#ring.length * 2, wanted));
    const ring = Buffer.allocUnsafe(size);
    const held = this.toBuffer();
    held.copy(ring);
    this.#ring = ring;
    this.#at = held.length % size;
  }
}
