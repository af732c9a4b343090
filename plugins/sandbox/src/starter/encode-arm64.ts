import {littleEndian, systemCalls, type Comparison, type Encoders, type Placing, type Value} from './instruction.js';

const SCRATCH = 9;
const CALL_NUMBER = 8;
const CONDITIONS: Readonly<Record<Comparison, number>> = {'==': 0, '!=': 1, '<': 11, '>=': 10};
const WORD = 4;

/** The encoders for arm64: each instruction is one word, or several of a fixed number. */
export const arm64: Encoders = {
  label: () => [],
  move: ([, to, from], placing) => bytes(...move(registerOf(to), from, placing)),
  add: ([, to, from], placing) =>
    typeof from === 'number'
      ? bytes(...move(SCRATCH, from, placing), sum(0x8b00_0000, registerOf(to), SCRATCH))
      : bytes(sum(0x8b00_0000, registerOf(to), registerOf(from))),
  subtract: ([, to, from]) => bytes(sum(0xcb00_0000, registerOf(to), registerOf(from))),
  // Adds nothing to the register of the stack.
  stack: ([, to]) => bytes(0x9100_03e0 | registerOf(to)),
  load: ([, to, base, offset]) => bytes(memory(0xf840_0000, to, {base, offset})),
  store: ([, base, offset, from]) => bytes(memory(0xf800_0000, from, {base, offset})),
  'load word': ([, to, base, offset]) => bytes(memory(0xb840_0000, to, {base, offset})),
  'load byte': ([, to, base]) => bytes(memory(0x3840_0000, to, {base, offset: 0})),
  'store byte': ([, base, from]) => bytes(memory(0x3800_0000, from, {base, offset: 0})),
  jump: ([, label], {here, find}) => bytes(0x1400_0000 | (((find(label) - here) / WORD) & 0x03ff_ffff)),
  'jump if': ([, left, comparison, right, label], placing) => {
    const loaded = typeof right === 'number' ? move(SCRATCH, right, placing) : [];
    const other = typeof right === 'number' ? SCRATCH : registerOf(right);
    const compare = 0xeb00_001f | (other << 16) | (registerOf(left) << 5);
    const distance = (placing.find(label) - placing.here) / WORD - loaded.length - 1;
    return bytes(...loaded, compare, 0x5400_0000 | ((distance & 0x7ffff) << 5) | CONDITIONS[comparison]);
  },
  call: ([, name, ...args], placing) => {
    const words = args.flatMap((value, index) => move(index, value, placing));
    // The last word calls the kernel.
    return bytes(...words, ...move(CALL_NUMBER, systemCalls[name][1], placing), 0xd400_0001);
  },
};

/** Four words for a number, so that the length does not depend on it. */
function move(to: number, from: Value, {find}: Placing): readonly number[] {
  if (typeof from === 'string' && !from.startsWith('=')) return [0xaa00_03e0 | (registerOf(from) << 16) | to];
  const value = BigInt.asUintN(64, BigInt(typeof from === 'string' ? find(from.slice(1)) : from));
  return [0, 1, 2, 3].map((part) => {
    const bits = Number((value >> BigInt(16 * part)) & 0xffffn);
    return (part === 0 ? 0xd280_0000 : 0xf280_0000) | (part << 21) | (bits << 5) | to;
  });
}

/** An instruction that changes a register by another one. */
function sum(code: number, to: number, from: number): number {
  return code | (from << 16) | (to << 5) | to;
}

/** An instruction with a register, and memory at an offset of -256 to 255 from another one. */
function memory(
  code: number,
  register: string,
  {base, offset}: {readonly base: string; readonly offset: number},
): number {
  return code | ((offset & 0x1ff) << 12) | (registerOf(base) << 5) | registerOf(register);
}

/** x0 for the result; x19 to x26 keep their values. */
function registerOf(name: string): number {
  return name === 'result' ? 0 : 19 + Number(name.slice(1));
}

function bytes(...words: readonly number[]): readonly number[] {
  return words.flatMap((word) => littleEndian(word >>> 0, WORD));
}
