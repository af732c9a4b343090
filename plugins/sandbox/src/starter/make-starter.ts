import type {Machine} from '../seccomp/system-calls.js';
import {arm64} from './encode-arm64.js';
import {x64} from './encode-x64.js';
import {encode, type Encoders} from './instruction.js';
import {AREAS, makeConstants, MEMORY} from './constants.js';
import {makeProgram} from './program.js';

/** Where the file and the memory that can be written lie. Pages have up to 64 KiB. */
const CODE = 0x40_0000;
const DATA = 0x1000_0000;
const PAGE = 0x1_0000;
const HEADER = 64;
const SEGMENT = 56;
const [READ, WRITE, EXECUTE] = [4, 2, 1];
const [LOADED, STACK] = [1, 0x6474_e551];
/** As the header of a file names processors. */
const MACHINES: Readonly<Record<Machine, {readonly number: number; readonly encoders: Encoders}>> = {
  x64: {number: 62, encoders: x64},
  arm64: {number: 183, encoders: arm64},
};

/** The program that starts a confined one, as a file that Linux runs on a machine without any other file. */
export function makeStarter(machine: Machine): Buffer {
  const {number} = MACHINES[machine];
  const segments = 3;
  const begin = CODE + HEADER + segments * SEGMENT;
  // The first pass finds out where everything lies.
  const {labels, code} = assemble(machine, begin, () => begin);
  const placed = placeConstants(makeConstants(machine), labels, begin + code.length);
  const image = Buffer.concat([Buffer.from(assemble(machine, begin, placed.find).code), placed.bytes]);
  const size = begin - CODE + image.length;
  return Buffer.concat([
    fileHeader({number, entry: placed.find('start'), segments}),
    segment({kind: LOADED, rights: READ | EXECUTE, address: CODE, inFile: size, inMemory: size}),
    segment({kind: LOADED, rights: READ | WRITE, address: DATA, inFile: 0, inMemory: MEMORY}),
    segment({kind: STACK, rights: READ | WRITE, address: 0, inFile: 0, inMemory: 0}),
    image,
  ]);
}

function assemble(
  machine: Machine,
  begin: number,
  find: (label: string) => number,
): {readonly labels: ReadonlyMap<string, number>; readonly code: readonly number[]} {
  const labels = new Map<string, number>();
  const code: number[] = [];
  for (const instruction of makeProgram(machine)) {
    const here = begin + code.length;
    if (instruction[0] === 'label') labels.set(instruction[1], here);
    code.push(...encode(MACHINES[machine].encoders, instruction, {here, find}));
  }
  return {labels, code};
}

function placeConstants(
  constants: ReturnType<typeof makeConstants>,
  labels: ReadonlyMap<string, number>,
  end: number,
): {readonly bytes: Buffer; readonly find: (label: string) => number} {
  const places = new Map(labels);
  const place = (name: string, at: number): void => {
    if (places.has(name)) throw new Error(`The starter has the label "${name}" twice.`);
    places.set(name, at);
  };
  for (const [name, offset] of Object.entries(AREAS)) place(name, DATA + offset);
  let bytes: Buffer = Buffer.alloc(0);
  for (const [name, value] of Object.entries(constants)) {
    // The kernel reads structures, which begin at a multiple of eight.
    bytes = Buffer.concat([bytes, Buffer.alloc(-(end + bytes.length) & 7)]);
    place(name, end + bytes.length);
    bytes = Buffer.concat([bytes, value]);
  }
  const find = (label: string): number => {
    const found = places.get(label);
    if (found === undefined) throw new Error(`The starter has no label "${label}".`);
    return found;
  };
  return {bytes, find};
}

function fileHeader({number, entry, segments}: Readonly<Record<'number' | 'entry' | 'segments', number>>): Buffer {
  const header = Buffer.alloc(HEADER);
  header.write('\x7fELF', 'latin1');
  // 64 bits, the lowest byte first, version 1.
  header.set([2, 1, 1], 4);
  header.writeUInt16LE(2, 16);
  header.writeUInt16LE(number, 18);
  header.writeUInt32LE(1, 20);
  header.writeBigUInt64LE(BigInt(entry), 24);
  header.writeBigUInt64LE(BigInt(HEADER), 32);
  header.writeUInt16LE(HEADER, 52);
  header.writeUInt16LE(SEGMENT, 54);
  header.writeUInt16LE(segments, 56);
  return header;
}

interface Segment {
  readonly kind: number;
  readonly rights: number;
  readonly address: number;
  readonly inFile: number;
  readonly inMemory: number;
}

function segment({kind, rights, address, inFile, inMemory}: Segment): Buffer {
  const header = Buffer.alloc(SEGMENT);
  header.writeUInt32LE(kind, 0);
  header.writeUInt32LE(rights, 4);
  [0, address, address, inFile, inMemory, PAGE].forEach((value, index) => {
    header.writeBigUInt64LE(BigInt(value), 8 + index * 8);
  });
  return header;
}
