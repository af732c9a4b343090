import {AF_INET} from './constants.js';
import type {Instruction} from './instruction.js';
import {HIDE, LIMIT, MEMORY_LIMIT, OPEN, RELAY, WATCH} from './way.js';

const STREAM = 1;
const CLOSE_ON_EXEC = 0x8_0000;
const SIGCHLD = 17;
const RLIMIT_NPROC = 6;
/** What a process can write and shares with no other. What it only reserves, which can be terabytes, does not count. */
const RLIMIT_DATA = 2;
const [ZERO, NINE] = [0x30, 0x39];
const BITS_OF_MEGABYTE = 20;

/** `starter <letters> <program> <arguments>`: s0 what it was given, s1 its variables, s3 the program's arguments. */
export function begin(): readonly Instruction[] {
  return [
    ['label', 'start'],
    ['stack', 's0'],
    ['load', 's5', 's0', 0],
    ['jump if', 's5', '<', 3, 'say unusable'],
    // The variables begin after the number, the arguments and a zero.
    ['move', 's1', 's5'],
    ['add', 's1', 's1'],
    ['add', 's1', 's1'],
    ['add', 's1', 's1'],
    ['add', 's1', 's0'],
    ['add', 's1', 16],
    ['load', 's2', 's0', 16],
    ['move', 's3', 's0'],
    ['add', 's3', 24],
    ['label', 'letter'],
    ['load byte', 's5', 's2'],
    ['add', 's2', 1],
    ['jump if', 's5', '==', 0, 'run'],
    ['jump if', 's5', '==', letterOf(LIMIT), 'limit'],
    ['jump if', 's5', '==', letterOf(HIDE), 'hide'],
    ['jump if', 's5', '==', letterOf(RELAY), 'listen'],
    ['jump if', 's5', '==', letterOf(WATCH), 'watch'],
    ['jump if', 's5', '==', letterOf(OPEN), 'open'],
    ['jump if', 's5', '==', letterOf(MEMORY_LIMIT), 'limit'],
    ['jump', 'say unusable'],
  ];
}

function letterOf(letter: string): number {
  return letter.charCodeAt(0);
}

/** Reads a number and limits the processes of the program to it, or the memory of each, in megabytes. */
export const limit = (): readonly Instruction[] => [
  ['label', 'limit'],
  ['move', 's7', 's5'],
  ['move', 's5', 0],
  ['label', 'figure'],
  ['load byte', 's6', 's2'],
  ['jump if', 's6', '<', ZERO, 'figures end'],
  ['jump if', 's6', '>=', NINE + 1, 'figures end'],
  ['move', 's4', 's5'],
  ['add', 's5', 's5'],
  ['add', 's5', 's5'],
  ['add', 's5', 's4'],
  ['add', 's5', 's5'],
  ['add', 's5', 's6'],
  ['add', 's5', -ZERO],
  ['add', 's2', 1],
  ['jump', 'figure'],
  ['label', 'figures end'],
  ['jump if', 's7', '==', letterOf(LIMIT), 'set limit'],
  ...Array.from({length: BITS_OF_MEGABYTE}, (): Instruction => ['add', 's5', 's5']),
  ['label', 'set limit'],
  ['move', 's6', '=limits'],
  ['store', 's6', 0, 's5'],
  ['store', 's6', 8, 's5'],
  // A limit that is lower already stays.
  ['jump if', 's7', '==', letterOf(LIMIT), 'limit processes'],
  ['call', 'prlimit64', 0, RLIMIT_DATA, '=limits', 0],
  ['jump', 'letter'],
  ['label', 'limit processes'],
  ['call', 'prlimit64', 0, RLIMIT_NPROC, '=limits', 0],
  ['jump', 'letter'],
];

/** Listens on loopback, and leaves the relay to the first process, so that the program has no child of ours. */
export const listen: readonly Instruction[] = [
  ['label', 'listen'],
  ['call', 'socket', AF_INET, STREAM | CLOSE_ON_EXEC, 0],
  ['move', 's4', 'result'],
  ['jump if', 's4', '<', 0, 'say closed'],
  ['call', 'bind', 's4', '=inner', 16],
  ['jump if', 'result', '<', 0, 'say closed'],
  ['call', 'listen', 's4', 128],
  ['jump if', 'result', '<', 0, 'say closed'],
  ['call', 'clone', SIGCHLD, 0, 0, 0],
  ['move', 's5', 'result'],
  ['jump if', 's5', '<', 0, 'say closed'],
  ['jump if', 's5', '==', 0, 'leave'],
  ['call', 'wait4', 's5', '=memory', 0, 0],
  ['move', 's6', '=memory'],
  ['load byte', 's5', 's6'],
  ['add', 's6', 1],
  ['load byte', 's6', 's6'],
  ['add', 's5', 's6'],
  ['jump if', 's5', '!=', 0, 'say closed'],
  ['jump', 'letter'],
  ['label', 'leave'],
  ['call', 'clone', SIGCHLD, 0, 0, 0],
  ['jump if', 'result', '==', 0, 'relay'],
  ['jump if', 'result', '<', 0, 'fail'],
  ['call', 'exit_group', 0],
  ['label', 'fail'],
  ['call', 'exit_group', 1],
];
