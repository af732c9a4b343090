import {PORT, SOCKET} from './way.js';

/** Most processes of a confined program. */
const MOST_PROCESSES = 2048;
/** Memory that can be written: for what is copied, and for paths. */
export const MEMORY = 0x2_0000;
/** Families of sockets. */
export const AF_UNIX = 1;
export const AF_INET = 2;
const IGNORE = 1;
const PAUSE = 10_000_000;

/** What the starter says, each with the exit code. */
export const messages = {
  missing: {code: 127, text: 'gemini: the program was not found in the sandbox, or cannot be run there.\n'},
  closed: {code: 125, text: 'gemini: the way out of the sandbox cannot be opened.\n'},
  unusable: {code: 125, text: 'gemini: the starter of the sandbox was called wrongly.\n'},
} as const;

/** The length of the address of the exit. */
export const OUTER_LENGTH = 2 + SOCKET.length + 1;

/** What the program reads and does not change, by label. */
export function makeConstants(): Readonly<Record<string, Buffer>> {
  const said = Object.entries(messages).map(([name, {text}]) => [name, Buffer.from(text)] as const);
  return {
    most: numbers(MOST_PROCESSES, MOST_PROCESSES),
    inner: Buffer.from([AF_INET, 0, PORT >> 8, PORT & 0xff, 127, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]),
    outer: Buffer.concat([Buffer.from([AF_UNIX, 0]), text(SOCKET)]),
    // What to do with a signal: no flags, nothing to return to, no mask.
    ignore: numbers(IGNORE, 0, 0, 0),
    pause: numbers(0, PAUSE),
    shell: text('/bin/sh'),
    folders: text('/usr/local/bin:/usr/bin:/bin'),
    ...Object.fromEntries(said),
  };
}

function text(value: string): Buffer {
  return Buffer.from(`${value}\0`);
}

function numbers(...values: readonly number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 8);
  values.forEach((value, index) => buffer.writeBigInt64LE(BigInt(value), index * 8));
  return buffer;
}
