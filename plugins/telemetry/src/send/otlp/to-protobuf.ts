import {messages, type Field, type MessageName} from './messages.js';
import type {Message} from './otlp-json.js';

const VARINT = 0;
const EIGHT_BYTES = 1;
const LENGTH = 2;

/** Writes a message of the JSON form as protobuf. What its definition does not have is an error of this program. */
export function toProtobuf(name: MessageName, message: Message): Buffer {
  const fields: Readonly<Record<string, Field>> = messages[name];
  return Buffer.concat(
    Object.entries(message).flatMap(([key, value]) => {
      const field = fields[key];
      if (!field) throw new TypeError(`${name} has no field ${key}.`);
      if (!Array.isArray(value)) return [writeField(field, value)];
      if (!field.isPacked) return value.map((one: unknown) => writeField(field, one));
      return [writeBytes(field.number, Buffer.concat(value.map((one: unknown) => writeEight(field.type, one))))];
    }),
  );
}

function writeField({number, type}: Field, value: unknown): Buffer {
  switch (type) {
    case 'string':
      return writeBytes(number, Buffer.from(String(value)));
    case 'hex':
      return writeBytes(number, Buffer.from(String(value), 'hex'));
    case 'bool':
    case 'varint':
      return Buffer.concat([writeTag(number, VARINT), writeVarint(BigInt(value as string | number | boolean))]);
    case 'fixed64':
    case 'double':
      return Buffer.concat([writeTag(number, EIGHT_BYTES), writeEight(type, value)]);
    default:
      return writeBytes(number, toProtobuf(type, value as Message));
  }
}

function writeBytes(number: number, bytes: Buffer): Buffer {
  return Buffer.concat([writeTag(number, LENGTH), writeVarint(BigInt(bytes.length)), bytes]);
}

function writeEight(type: Field['type'], value: unknown): Buffer {
  const bytes = Buffer.alloc(8);
  if (type === 'double') bytes.writeDoubleLE(value as number);
  else bytes.writeBigUInt64LE(BigInt(value as string));
  return bytes;
}

function writeTag(number: number, kind: number): Buffer {
  return writeVarint(BigInt((number << 3) | kind));
}

/** Negative numbers are written as the 64 bits that they are. */
function writeVarint(value: bigint): Buffer {
  const bytes: number[] = [];
  let left = BigInt.asUintN(64, value);
  do {
    const low = Number(left & 0x7fn);
    left >>= 7n;
    bytes.push(left > 0n ? low | 0x80 : low);
  } while (left > 0n);
  return Buffer.from(bytes);
}
