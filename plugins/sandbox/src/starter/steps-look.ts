import {CHANGES} from '../seccomp/watched-calls.js';
import {LONGEST_LOOKED_AT, ROW} from './constants.js';
import type {Instruction, Slot} from './instruction.js';

const WORKING_DIRECTORY = -100;
const CLOSE_ON_EXEC = 0x8_0000;
const IS_THERE = 0;
const MAY_WRITE = 2;
const EROFS = -30;
const ENOENT = -2;
const SLASH = 0x2f;
const ZERO = 0x30;
/** The working directory, as 32 bits without a sign, is this much below the next bit. */
const NEXT_BIT = 0x1_0000_0000;
/** A call is made as if no one had looked at it. */
const CONTINUE = 0x1_0000_0000;
const SEND = 0xc018_2101;

/**
 * Looks at one call: whether the mounts refuse to write what it is about. s2 is then the path, as this process can open
 * it. What a program changes in its memory afterwards changes only what is asked about: the call is made after this,
 * and the mounts decide about it.
 */
export function look(): readonly Instruction[] {
  return [
    ['label', 'look'],
    ['move', 's6', '=notice'],
    ['load', 's5', 's6', 16],
    ['move', 's7', '=watched'],
    ['label', 'row'],
    ['load', 's4', 's7', 0],
    ['jump if', 's4', '==', 0, 'continue'],
    ['jump if', 's4', '==', 's5', 'known'],
    ['add', 's7', ROW],
    ['jump', 'row'],
    ...readPath(),
    ...joinFolder(),
    ...judge,
    ['label', 'continue'],
    ...answer(),
    ['jump', 'next'],
  ];
}

/** Reads the path from the memory of the process that makes the call. s7 is the row about the call. */
function readPath(): readonly Instruction[] {
  return [
    ['label', 'known'],
    ['move', 's5', -1],
    ['move', 's4', '=opened'],
    ['store', 's4', 0, 's5'],
    ['load word', 's2', 's6', 8],
    ['move', 's4', '=named'],
    ['move', 's5', letters('/proc/')],
    ['store', 's4', 0, 's5'],
    ['add', 's4', 6],
    ...decimal('process', 's2', 's4'),
    ['move', 's5', letters('/mem')],
    ['store', 's4', 0, 's5'],
    ['call', 'openat', WORKING_DIRECTORY, '=named', CLOSE_ON_EXEC],
    ['move', 's3', 'result'],
    ['jump if', 's3', '<', 0, 'continue'],
    ['load', 's5', 's7', 16],
    ['move', 's6', '=notice'],
    ['add', 's5', 's6'],
    ['load', 's5', 's5', 0],
    ['call', 'pread64', 's3', '=given', LONGEST_LOOKED_AT, 's5'],
    ['move', 's2', 'result'],
    ['call', 'close', 's3'],
    ['jump if', 's2', '<', 1, 'continue'],
    ['move', 's3', '=given'],
    ['add', 's2', 's3'],
    ['move', 's6', 0],
    ['store byte', 's2', 's6'],
    ['move', 's2', 's3'],
    ['load byte', 's5', 's2'],
    ['jump if', 's5', '==', 0, 'continue'],
    ['jump if', 's5', '==', SLASH, 'judge'],
  ];
}

/** A relative path: to the working directory of that process, or to a folder that it has open. */
function joinFolder(): readonly Instruction[] {
  return [
    ['load', 's5', 's7', 8],
    ['jump if', 's5', '==', 0, 'below'],
    ['move', 's6', '=notice'],
    ['add', 's5', 's6'],
    ['load word', 's2', 's5', 0],
    ['move', 's5', 's2'],
    ['add', 's5', -WORKING_DIRECTORY],
    ['move', 's6', NEXT_BIT],
    ['jump if', 's5', '==', 's6', 'below'],
    ['move', 's5', '=opened'],
    ['store', 's5', 0, 's2'],
    ['move', 's5', letters('/fd/')],
    ['store', 's4', 0, 's5'],
    ['add', 's4', 4],
    ...decimal('descriptor', 's2', 's4'),
    ['move', 's5', '=joined'],
    ['store', 's5', 0, 's4'],
    ['jump', 'join'],
    ['label', 'below'],
    ['move', 's5', letters('/cwd')],
    ['store', 's4', 0, 's5'],
    ['add', 's4', 4],
    ['label', 'join'],
    ['move', 's5', SLASH],
    ['store byte', 's4', 's5'],
    ['add', 's4', 1],
    ['move', 's3', '=given'],
    ['label', 'join byte'],
    ['load byte', 's5', 's3'],
    ['store byte', 's4', 's5'],
    ['add', 's3', 1],
    ['add', 's4', 1],
    ['jump if', 's5', '!=', 0, 'join byte'],
    ['move', 's2', '=named'],
  ];
}

/** Read-only is what a mount says: where the rights of a file forbid it, the kernel says something else. */
const judge: readonly Instruction[] = [
  ['label', 'judge'],
  ['load', 's5', 's7', 24],
  ['jump if', 's5', '==', 0, 'file'],
  ['call', 'faccessat', WORKING_DIRECTORY, 's2', IS_THERE],
  ['move', 's6', 'result'],
  ['jump if', 's5', '==', CHANGES.makes, 'makes'],
  ['jump if', 's5', '!=', CHANGES.removes, 'parent'],
  ['jump if', 's6', '!=', 0, 'continue'],
  ['jump', 'parent'],
  ['label', 'makes'],
  ['jump if', 's6', '==', 0, 'continue'],
  ['jump', 'parent'],
  ['label', 'file'],
  ['move', 's4', '=nothing'],
  ['load', 's7', 's4', 0],
  ['call', 'faccessat', WORKING_DIRECTORY, 's2', MAY_WRITE],
  ['jump if', 'result', '==', EROFS, 'ask'],
  ['jump if', 'result', '!=', ENOENT, 'continue'],
  // The folder that holds it: up to the last slash with something behind it.
  ['label', 'parent'],
  ['move', 's3', 's2'],
  ['move', 's4', 0],
  ['label', 'parent byte'],
  ['load byte', 's5', 's3'],
  ['add', 's3', 1],
  ['jump if', 's5', '==', 0, 'parent end'],
  ['jump if', 's5', '!=', SLASH, 'parent byte'],
  ['load byte', 's5', 's3'],
  ['jump if', 's5', '==', 0, 'parent end'],
  ['move', 's4', 's3'],
  ['jump', 'parent byte'],
  ['label', 'parent end'],
  ['jump if', 's4', '==', 0, 'continue'],
  // s4 is the name in it, whose first letter waits in s7.
  ['load byte', 's7', 's4'],
  ['move', 's5', 0],
  ['store byte', 's4', 's5'],
  ['call', 'faccessat', WORKING_DIRECTORY, 's2', MAY_WRITE],
  ['jump if', 'result', '==', EROFS, 'ask'],
];

/** Lets the call be made that `notice` is about. It may have ended by now. */
export function answer(): readonly Instruction[] {
  return [
    ['move', 's7', '=notice'],
    ['load', 's5', 's7', 0],
    ['move', 's7', '=answer'],
    ['store', 's7', 0, 's5'],
    ['move', 's5', CONTINUE],
    ['store', 's7', 16, 's5'],
    ['call', 'ioctl', 's0', SEND, '=answer'],
  ];
}

/** Writes a number that is not 0 in digits and moves `to` behind them. It uses s3, s5 and s6. */
function decimal(name: string, number: Slot, to: Slot): readonly Instruction[] {
  return [
    ['move', 's6', '=powers'],
    ['label', `${name} digit`],
    ['load', 's5', 's6', 0],
    ['jump if', 's5', '==', 0, `${name} end`],
    ['add', 's6', 8],
    ['move', 's3', ZERO],
    ['label', `${name} count`],
    ['jump if', number, '<', 's5', `${name} write`],
    ['subtract', number, 's5'],
    ['add', 's3', 1],
    ['jump', `${name} count`],
    ['label', `${name} write`],
    ['jump if', 's3', '!=', ZERO, `${name} put`],
    // A zero counts only behind another digit, which is anything but a slash.
    ['add', to, -1],
    ['load byte', 's5', to],
    ['add', to, 1],
    ['jump if', 's5', '==', SLASH, `${name} digit`],
    ['label', `${name} put`],
    ['store byte', to, 's3'],
    ['add', to, 1],
    ['jump', `${name} digit`],
    ['label', `${name} end`],
  ];
}

/** Up to eight letters as a number, for one store. */
function letters(text: string): number {
  return Number(Buffer.from(text.padEnd(8, '\0')).readBigUInt64LE());
}
