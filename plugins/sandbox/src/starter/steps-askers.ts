import {FIRST_POLLED, MOST_ASKERS, READABLE} from './constants.js';
import type {Instruction} from './instruction.js';
import {answer} from './steps-look.js';

const SIGCHLD = 17;
/** The child comes with a descriptor that can be read when it has ended. */
const WITH_DESCRIPTOR = 0x1000;
/** What `ppoll` gives about a descriptor: asked for, and not there. */
const QUIET = 1;
/** Bytes of a row of `polled`: a descriptor, and what was asked and seen. */
const POLLED = 8;
/** Bytes of a row of `askers`: a process, and the call that it asks about. */
const ASKER = 16;

/**
 * Makes the process that asks about the call in `notice`, which continues at `ask apart`, and adds it to those that are
 * polled. Where that cannot be, the call is made without a question.
 */
export const addAsker = (): readonly Instruction[] => [
  ['move', 's6', '=count'],
  ['load', 's5', 's6', 0],
  ['jump if', 's5', '>=', FIRST_POLLED + MOST_ASKERS, 'continue'],
  ['call', 'clone', SIGCHLD | WITH_DESCRIPTOR, 0, '=number', 0],
  ['move', 's3', 'result'],
  ['jump if', 's3', '<', 0, 'continue'],
  ['jump if', 's3', '==', 0, 'ask apart'],
  ['move', 's6', '=number'],
  ['load word', 's4', 's6', 0],
  ['move', 's6', READABLE],
  ['add', 's4', 's6'],
  ['move', 's6', '=count'],
  ['load', 's5', 's6', 0],
  ['move', 's7', 's5'],
  ['add', 's7', 1],
  ['store', 's6', 0, 's7'],
  ...rowOf('polled', POLLED),
  ['store', 's7', 0, 's4'],
  ...rowOf('askers', ASKER),
  ['store', 's7', 0, 's3'],
  ['move', 's6', '=notice'],
  ['load', 's4', 's6', 0],
  ['store', 's7', 8, 's4'],
  ['jump', 'next'],
];

/** Lets the calls be made whose questions no process asks any longer. One that was answered is not let again. */
export const endedAskers = (): readonly Instruction[] => [
  ['move', 's6', '=count'],
  ['load', 's4', 's6', 0],
  ['label', 'each asker'],
  ['jump if', 's4', '==', FIRST_POLLED, 'askers end'],
  ['add', 's4', -1],
  ['move', 's5', 's4'],
  ...rowOf('polled', POLLED),
  ['move', 's2', 's7'],
  ['load word', 's6', 's2', 4],
  ['jump if', 's6', '==', QUIET, 'each asker'],
  ...rowOf('askers', ASKER),
  ['move', 's3', 's7'],
  ['load word', 's6', 's2', 0],
  ['call', 'close', 's6'],
  ['load', 's6', 's3', 0],
  ['call', 'wait4', 's6', '=status', 0, 0],
  ['load', 's5', 's3', 8],
  ['move', 's7', '=notice'],
  ['store', 's7', 0, 's5'],
  ...answer(),
  // The last row takes its place.
  ['move', 's6', '=count'],
  ['load', 's5', 's6', 0],
  ['add', 's5', -1],
  ['store', 's6', 0, 's5'],
  ...rowOf('polled', POLLED),
  ['load', 's6', 's7', 0],
  ['store', 's2', 0, 's6'],
  ...rowOf('askers', ASKER),
  ['load', 's6', 's7', 0],
  ['store', 's3', 0, 's6'],
  ['load', 's6', 's7', 8],
  ['store', 's3', 8, 's6'],
  ['jump', 'next'],
  ['label', 'askers end'],
];

/** Has s7 be the row with the number in s5. It uses s6. */
function rowOf(area: string, bytes: number): readonly Instruction[] {
  const doubled = Array.from({length: Math.log2(bytes)}, (): Instruction => ['add', 's7', 's7']);
  return [['move', 's7', 's5'], ...doubled, ['move', 's6', `=${area}`], ['add', 's7', 's6']];
}
