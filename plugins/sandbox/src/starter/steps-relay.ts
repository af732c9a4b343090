import {AF_UNIX, OUTER_LENGTH} from './constants.js';
import type {Instruction} from './instruction.js';

const STREAM = 1;
const SIGCHLD = 17;
const SIGPIPE = 13;
/** Ways of a connection that are ended. */
const WRITE = 1;
const BOTH = 2;
/** Most bytes at once. */
const CHUNK = 0x1_0000;

/** Accepts connections, each for a process of its own. What the program prints must end when it does. */
export const relay: readonly Instruction[] = [
  ['label', 'relay'],
  ['call', 'setsid'],
  ['call', 'close', 0],
  ['call', 'close', 1],
  ['call', 'close', 2],
  ['call', 'rt_sigaction', SIGCHLD, '=ignore', 0, 8],
  ['call', 'rt_sigaction', SIGPIPE, '=ignore', 0, 8],
  ['label', 'accept'],
  ['call', 'accept4', 's4', 0, 0, 0],
  ['move', 's5', 'result'],
  ['jump if', 's5', '>=', 0, 'accepted'],
  ['call', 'nanosleep', '=pause', 0],
  ['jump', 'accept'],
  ['label', 'accepted'],
  ['call', 'clone', SIGCHLD, 0, 0, 0],
  ['jump if', 'result', '==', 0, 'connect'],
  ['call', 'close', 's5'],
  ['jump', 'accept'],
];

/**
 * Leads one connection to the exit, one process for each way. s5 is the inner side and s4 the outer; then it is
 * copied from s5 to s4.
 */
export const connection: readonly Instruction[] = [
  ['label', 'connect'],
  ['call', 'close', 's4'],
  ['call', 'socket', AF_UNIX, STREAM, 0],
  ['move', 's4', 'result'],
  ['jump if', 's4', '<', 0, 'fail'],
  ['call', 'connect', 's4', '=outer', OUTER_LENGTH],
  ['jump if', 'result', '<', 0, 'fail'],
  ['call', 'clone', SIGCHLD, 0, 0, 0],
  ['jump if', 'result', '<', 0, 'fail'],
  ['jump if', 'result', '==', 0, 'copy'],
  ['move', 's6', 's4'],
  ['move', 's4', 's5'],
  ['move', 's5', 's6'],
  // From s5 to s4. The end of one direction is passed on; a fault ends both.
  ['label', 'copy'],
  ['call', 'read', 's5', '=memory', CHUNK],
  ['move', 's2', 'result'],
  ['move', 's3', '=memory'],
  ['jump if', 's2', '==', 0, 'ended'],
  ['jump if', 's2', '<', 0, 'broken'],
  ['label', 'write'],
  ['call', 'write', 's4', 's3', 's2'],
  ['move', 's6', 'result'],
  ['jump if', 's6', '<', 0, 'broken'],
  ['add', 's3', 's6'],
  ['subtract', 's2', 's6'],
  ['jump if', 's2', '==', 0, 'copy'],
  ['jump', 'write'],
  ['label', 'ended'],
  ['call', 'shutdown', 's4', WRITE],
  ['call', 'exit_group', 0],
  ['label', 'broken'],
  ['call', 'shutdown', 's4', BOTH],
  ['call', 'shutdown', 's5', BOTH],
  ['call', 'exit_group', 0],
];
