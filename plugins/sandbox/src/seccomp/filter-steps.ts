/** One instruction of classic BPF: code, two jumps, a number. */
export type FilterStep = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

const LOAD = 0x20;
const RETURN = 0x06;
const ERRNO = 0x0005_0000;
export const EQUAL = 0x15;
export const AT_LEAST = 0x35;
export const ANY_BIT = 0x45;
/** What a filter gives: the call is made, or someone is asked about it first. */
export const ALLOW = 0x7fff_0000;
export const NOTIFY = 0x7fc0_0000;
/** Where the number, the architecture and the low half of an argument are. */
export const NUMBER = 0;
export const ARCHITECTURE = 4;
export const argument = (index: number): number => 16 + 8 * index;

export const load = (offset: number): FilterStep => [LOAD, 0, 0, offset];
export const finish = (value: number): FilterStep => [RETURN, 0, 0, value >>> 0];
export const fail = (errno: number): FilterStep => finish(ERRNO | errno);

/** The bytes of a filter, as the kernel takes them. */
export function encodeFilter(program: readonly FilterStep[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8);
  program.forEach(([code, ifTrue, ifFalse, value], at) => {
    bytes.writeUInt16LE(code, at * 8);
    bytes.writeUInt8(ifTrue, at * 8 + 2);
    bytes.writeUInt8(ifFalse, at * 8 + 3);
    bytes.writeUInt32LE(value, at * 8 + 4);
  });
  return bytes;
}
