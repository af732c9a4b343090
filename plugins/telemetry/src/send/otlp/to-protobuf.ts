import {messages, type Field, type MessageName} from './messages.js';
import type {Message} from './otlp-json.js';

const VARINT = 0;
const EIGHT_BYTES = 1;
const LENGTH = 2;
const FIRST_SIZE = 65_536;
/** What comes again and again in a batch; times and values do not. */
const REPEATED: ReadonlySet<string> = new Set(['KeyValue', 'string', 'hex', 'varint']);
/** The most bytes that a number and its tag take. */
const MOST_OF_NUMBER = 20;

/** Where a field is: how far from the end it begins, and how many bytes it has with its head. */
interface Written {
  readonly from: number;
  readonly length: number;
}

/** Writes a message of the JSON form as protobuf. What its definition does not have is an error of this program. */
export function toProtobuf(name: MessageName, message: Message): Buffer {
  const writer = new BackwardWriter();
  writer.message(name, message);
  return writer.bytes();
}

/**
 * Writes from the end to the beginning: the length of a message stands before it, and is known once the message is
 * written. So each byte is written once, into one buffer.
 */
class BackwardWriter {
  #buffer = Buffer.allocUnsafe(FIRST_SIZE);
  /** Where the byte is that was written last. */
  #at = FIRST_SIZE;
  readonly #known = new Map<Field, Map<unknown, Written>>();

  bytes(): Buffer {
    return this.#buffer.subarray(this.#at);
  }

  message(name: MessageName, message: Message): void {
    const fields: Readonly<Record<string, Field>> = messages[name];
    const keys = Object.keys(message);
    for (let index = keys.length - 1; index >= 0; index -= 1) {
      const key = keys[index] ?? '';
      const field = fields[key];
      if (!field) throw new TypeError(`${name} has no field ${key}.`);
      const value = message[key];
      if (!Array.isArray(value)) this.#field(field, value);
      else this.#fields(field, value);
    }
  }

  #fields(field: Field, values: readonly unknown[]): void {
    const mark = this.#room();
    for (let index = values.length - 1; index >= 0; index -= 1)
      if (field.isPacked) this.#eight(field.type, values[index]);
      else this.#field(field, values[index]);
    if (field.isPacked) this.#head(field, this.#lengthSince(mark));
  }

  /** Most names, ids and attributes of a batch have been written before: their bytes are copied. */
  #field(field: Field, value: unknown): void {
    if (!REPEATED.has(field.type)) return this.#one(field, value);
    let known = this.#known.get(field);
    if (!known) this.#known.set(field, (known = new Map<unknown, Written>()));
    const written = known.get(value);
    if (!written) {
      const mark = this.#room();
      this.#one(field, value);
      const length = this.#lengthSince(mark);
      known.set(value, {from: mark + length, length});
      return;
    }
    if (this.#at < written.length + MOST_OF_NUMBER) this.#room(written.length);
    const start = this.#buffer.length - written.from;
    this.#at -= written.length;
    this.#buffer.copyWithin(this.#at, start, start + written.length);
  }

  #one(field: Field, value: unknown): void {
    const {number, type} = field;
    const mark = this.#room();
    switch (type) {
      case 'string':
      case 'hex':
        return this.#text(field, String(value));
      case 'bool':
      case 'varint':
        this.#varint(Number(value), value);
        return this.#varint((number << 3) | VARINT);
      case 'fixed64':
      case 'double':
        this.#eight(type, value);
        return this.#varint((number << 3) | EIGHT_BYTES);
      default:
        this.message(type, value as Message);
        return this.#head(field, this.#lengthSince(mark));
    }
  }

  #text(field: Field, text: string): void {
    const encoding = field.type === 'hex' ? 'hex' : 'utf8';
    const length = Buffer.byteLength(text, encoding);
    this.#room(length);
    this.#at -= length;
    this.#buffer.write(text, this.#at, encoding);
    this.#head(field, length);
  }

  #head({number}: Field, length: number): void {
    this.#room();
    this.#varint(length);
    this.#varint((number << 3) | LENGTH);
  }

  #eight(type: Field['type'], value: unknown): void {
    this.#room();
    this.#at -= 8;
    if (type === 'double') this.#buffer.writeDoubleLE(value as number, this.#at);
    else this.#buffer.writeBigUInt64LE(BigInt(value as string), this.#at);
  }

  /** Negative numbers, and those that are no safe integer, are written as the 64 bits that they are. */
  #varint(value: number, exact?: unknown): void {
    if (value >= 0 && value < 128) {
      this.#at -= 1;
      this.#buffer[this.#at] = value;
      return;
    }
    if (value < 0 || !Number.isSafeInteger(value)) return this.#long(BigInt(exact as string | number | bigint));
    let size = 1;
    for (let left = value; left >= 128; left = Math.floor(left / 128)) size += 1;
    this.#at -= size;
    let left = value;
    for (let index = 0; index < size; index += 1, left = Math.floor(left / 128))
      this.#buffer[this.#at + index] = (left % 128) + (index < size - 1 ? 128 : 0);
  }

  #long(value: bigint): void {
    const bytes: number[] = [];
    let left = BigInt.asUintN(64, value);
    do {
      const low = Number(left & 0x7fn);
      left >>= 7n;
      bytes.push(left > 0n ? low | 0x80 : low);
    } while (left > 0n);
    this.#at -= bytes.length;
    this.#buffer.set(bytes, this.#at);
  }

  /** Makes room for so many bytes and a number. Gives a mark for `#lengthSince`. */
  #room(length = 0): number {
    const before = this.#buffer.length - this.#at;
    if (this.#at >= length + MOST_OF_NUMBER) return before;
    const larger = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, before + length + MOST_OF_NUMBER));
    this.#buffer.copy(larger, larger.length - before, this.#at);
    this.#buffer = larger;
    this.#at = larger.length - before;
    return before;
  }

  #lengthSince(mark: number): number {
    return this.#buffer.length - this.#at - mark;
  }
}
