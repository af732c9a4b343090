import {littleEndian, systemCalls, type Comparison, type Encoders, type Placing, type Value} from './instruction.js';

/** Registers by their numbers. A system call changes rax, rcx and r11. */
const REGISTERS: Readonly<Record<string, number>> = {
  ...{result: 0, s0: 3, s1: 5, s2: 12, s3: 13, s4: 14, s5: 15, s6: 8, s7: 9},
};
const RESULT = 0;
const STACK = 4;
const SCRATCH = 1;
/** rdi, rsi, rdx, r10, r8. */
const ARGUMENTS = [7, 6, 2, 10, 8];
const JUMPS: Readonly<Record<Comparison, number>> = {'==': 0x84, '!=': 0x85, '<': 0x8c, '>=': 0x8d};
/** Of the prefix of an instruction: it is about 64 bits. */
const WIDE = 8;
const JUMP_LENGTH = 5;
const JUMP_IF_LENGTH = 6;

/** The encoders for x86-64. */
export const x64: Encoders = {
  label: () => [],
  move: ([, to, from], placing) => move(numberOf(to), from, placing),
  add: ([, to, from]) =>
    typeof from === 'number' ? withNumber(0xc0, numberOf(to), from) : twoRegisters(0x01, numberOf(from), numberOf(to)),
  subtract: ([, to, from]) => twoRegisters(0x29, numberOf(from), numberOf(to)),
  stack: ([, to]) => twoRegisters(0x89, STACK, numberOf(to)),
  load: ([, to, base, offset]) => memory([0x8b], numberOf(to), {base: numberOf(base), offset}),
  store: ([, base, offset, from]) => memory([0x89], numberOf(from), {base: numberOf(base), offset}),
  // Without the bit for 64 bits, the upper half becomes zero.
  'load word': ([, to, base, offset]) => {
    const [prefix = 0, ...rest] = memory([0x8b], numberOf(to), {base: numberOf(base), offset});
    return [prefix & ~WIDE, ...rest];
  },
  'load byte': ([, to, base]) => memory([0x0f, 0xb6], numberOf(to), {base: numberOf(base), offset: 0}),
  'store byte': ([, base, from]) => memory([0x88], numberOf(from), {base: numberOf(base), offset: 0}),
  jump: ([, label], {here, find}) => [0xe9, ...littleEndian(find(label) - here - JUMP_LENGTH, 4)],
  'jump if': ([, left, comparison, right, label], {here, find}) => {
    const register = numberOf(left);
    const compare =
      typeof right === 'number' ? withNumber(0xf8, register, right) : twoRegisters(0x39, numberOf(right), register);
    const end = here + compare.length + JUMP_IF_LENGTH;
    return [...compare, 0x0f, JUMPS[comparison], ...littleEndian(find(label) - end, 4)];
  },
  call: ([, name, ...args], placing) => {
    const words = args.flatMap((value, index) => move(ARGUMENTS[index] ?? SCRATCH, value, placing));
    return [...words, ...move(RESULT, systemCalls[name][0], placing), 0x0f, 0x05];
  },
};

function move(to: number, from: Value, {find}: Placing): readonly number[] {
  if (typeof from === 'string' && !from.startsWith('=')) return twoRegisters(0x89, numberOf(from), to);
  const value = typeof from === 'string' ? find(from.slice(1)) : from;
  return [rex(0, to), 0xb8 | (to & 7), ...littleEndian(value, 8)];
}

/** An instruction with a register and a number of 32 bits. */
function withNumber(code: number, register: number, value: number): readonly number[] {
  return [rex(0, register), 0x81, code | (register & 7), ...littleEndian(value, 4)];
}

/** An instruction from one register to another. */
function twoRegisters(code: number, from: number, to: number): readonly number[] {
  return [rex(from, to), code, 0xc0 | ((from & 7) << 3) | (to & 7)];
}

/** An instruction with a register, and memory at an offset from another one. */
function memory(
  code: readonly number[],
  register: number,
  {base, offset}: {readonly base: number; readonly offset: number},
): readonly number[] {
  const low = base & 7;
  // Of rsp and r12 the processor wants to know that there is no index.
  const index = low === STACK ? [0x24] : [];
  return [rex(register, base), ...code, 0x80 | ((register & 7) << 3) | low, ...index, ...littleEndian(offset, 4)];
}

/** 64 bits, and the high bits of the numbers of both registers. */
function rex(register: number, base: number): number {
  return 0x48 | ((register >> 3) << 2) | (base >> 3);
}

function numberOf(name: string): number {
  const number = REGISTERS[name];
  if (number === undefined) throw new Error(`There is no register for ${name}.`);
  return number;
}
