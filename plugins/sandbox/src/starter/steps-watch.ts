import type {Machine} from '../seccomp/system-calls.js';
import {FIRST_POLLED, filterSteps, HELD, READABLE} from './constants.js';
import type {Instruction} from './instruction.js';
import {endedAskers} from './steps-askers.js';

const SIGCHLD = 17;
const SHARES_DESCRIPTORS = 0x400;
const CLOSE_ON_EXEC = 0x8_0000;
const SET_FILTER = 1;
/** With a descriptor for who watches; only what ends a program interrupts a call that waits. */
const NEW_LISTENER = 8;
const WAIT_KILLABLE = 32;
/** Where the descriptors of the filter and of the program are kept. */
const LISTENER = HELD + 1;
const PROGRAM = HELD + 2;
const EINVAL = -22;
const EINTR = -4;
const BLOCK = 0;
/** The program keeps its own. */
const KEEP_OTHERS = 2;
/** Wakes the watcher on the same processor, which is faster. */
const SET_FLAGS = 0x4008_2104;
const RECEIVE = 0xc050_2100;
/** What `ppoll` gives about a descriptor: asked for, and there. */
const QUIET = 1;
const ENDED = 0x10_0001;
const SIGNALLED = 128;

/**
 * Makes a child that becomes the program, with a filter that has calls wait which may write. This process stays: it is
 * an ancestor of the program, so that the kernel lets it read what paths the calls are about. In the child s1, s2 and
 * s3 are as before.
 */
export function watch(machine: Machine): readonly Instruction[] {
  return [
    ['label', 'watch'],
    ['call', 'pipe2', '=pipe', CLOSE_ON_EXEC],
    ['jump if', 'result', '<', 0, 'letter'],
    // The descriptor that the filter gives is then one of both.
    ['call', 'clone', SIGCHLD | SHARES_DESCRIPTORS, 0, 0, 0],
    ['move', 's4', 'result'],
    ['jump if', 's4', '<', 0, 'letter'],
    ['jump if', 's4', '!=', 0, 'attend'],
    ['move', 's6', '=rules'],
    ['move', 's5', filterSteps(machine)],
    ['store', 's6', 0, 's5'],
    ['move', 's5', '=filter'],
    ['store', 's6', 8, 's5'],
    ['call', 'seccomp', SET_FILTER, NEW_LISTENER | WAIT_KILLABLE, '=rules'],
    ['move', 's5', 'result'],
    ['jump if', 's5', '!=', EINVAL, 'filtered'],
    ['call', 'seccomp', SET_FILTER, NEW_LISTENER, '=rules'],
    ['move', 's5', 'result'],
    ['label', 'filtered'],
    ['move', 's6', '=number'],
    ['store', 's6', 0, 's5'],
    ['move', 's6', '=pipe'],
    ['load word', 's5', 's6', 4],
    ['call', 'write', 's5', '=number', 8],
    ['jump', 'letter'],
    ...attend,
    ...serve(),
    ...wait,
  ];
}

/** s0 is the descriptor of the filter, s1 that of the program. */
const attend: readonly Instruction[] = [
  ['label', 'attend'],
  ['move', 's6', '=family'],
  ['store', 's6', 0, 's4'],
  // What a program sends to its group is not meant for this process.
  ['call', 'setsid'],
  ['call', 'rt_sigprocmask', BLOCK, '=everything', 0, 8],
  ['call', 'pidfd_open', 's4', 0],
  ['move', 's1', 'result'],
  ['move', 's6', '=pipe'],
  ['load word', 's5', 's6', 0],
  ['call', 'read', 's5', '=number', 8],
  ['move', 's6', '=number'],
  ['load', 's0', 's6', 0],
  ['jump if', 's0', '<', 0, 'keep nothing'],
  ['call', 'dup3', 's0', LISTENER, CLOSE_ON_EXEC],
  ['jump if', 's1', '<', 0, 'say closed'],
  ['call', 'dup3', 's1', PROGRAM, CLOSE_ON_EXEC],
  // What the program prints must end when it does, and so must what the relay listens on.
  ['label', 'keep nothing'],
  ['call', 'close_range', 0, HELD, KEEP_OTHERS],
  ['jump if', 's0', '<', 0, 'wait'],
  ['move', 's0', LISTENER],
  ['move', 's1', PROGRAM],
  ['call', 'ioctl', 's0', SET_FLAGS, 1],
  ['move', 's6', '=count'],
  ['move', 's5', FIRST_POLLED],
  ['store', 's6', 0, 's5'],
  ['move', 's7', '=polled'],
  ['move', 's6', READABLE],
  ['move', 's5', 's1'],
  ['add', 's5', 's6'],
  ['store', 's7', 0, 's5'],
  ['move', 's5', 's0'],
  ['add', 's5', 's6'],
  ['store', 's7', 8, 's5'],
];

/** Takes calls one by one until the program ends. */
const serve = (): readonly Instruction[] => [
  ['label', 'next'],
  ['move', 's7', '=polled'],
  ['move', 's6', '=count'],
  ['load', 's4', 's6', 0],
  ['call', 'ppoll', '=polled', 's4', 0, 0],
  ['jump if', 'result', '<', 0, 'next'],
  ['load word', 's5', 's7', 4],
  ['jump if', 's5', '!=', QUIET, 'wait'],
  ...endedAskers(),
  ['move', 's7', '=polled'],
  ['load word', 's5', 's7', 12],
  ['jump if', 's5', '==', QUIET, 'next'],
  ['jump if', 's5', '==', ENDED, 'wait'],
  // The kernel takes only memory that is zero.
  ['move', 's7', '=notice'],
  ['move', 's6', 0],
  ...Array.from({length: 10}, (_, index): Instruction => ['store', 's7', index * 8, 's6']),
  ['call', 'ioctl', 's0', RECEIVE, '=notice'],
  ['jump if', 'result', '<', 0, 'next'],
  ['jump', 'look'],
];

/** Ends as the program did, which shows the exit code of a signal as shells do. */
const wait: readonly Instruction[] = [
  ['label', 'wait'],
  ['move', 's6', '=family'],
  ['load', 's4', 's6', 0],
  ['call', 'wait4', 's4', '=status', 0, 0],
  ['jump if', 'result', '==', EINTR, 'wait'],
  ['move', 's6', '=status'],
  ['load byte', 's5', 's6'],
  ['add', 's6', 1],
  ['load byte', 's4', 's6'],
  ['jump if', 's5', '==', 0, 'exit'],
  ['move', 's4', 's5'],
  // The bit that says that memory was dumped counts as much.
  ['jump if', 's4', '>=', SIGNALLED, 'exit'],
  ['add', 's4', SIGNALLED],
  ['label', 'exit'],
  ['call', 'exit_group', 's4'],
];
