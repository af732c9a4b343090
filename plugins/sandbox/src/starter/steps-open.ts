import type {Instruction} from './instruction.js';

const WORKING_DIRECTORY = -100;
const CLOSE_ON_EXEC = 0x8_0000;
/** Which namespace of users a namespace of mounts belongs to. */
const OWNER = 0xb701;
const USERS = 0x1000_0000;
const MOUNTS = 0x2_0000;
const EINVAL = -22;
/** A copy of a mount and of all that lies in it. */
const COPY = 1;
const RECURSIVE = 0x8000;
const NO_PATH = 0x1000;
const MOVE_NO_PATH = 4;
const MOVE_TO_NO_PATH = 0x40;
/** The bytes of what `openat2` takes. */
const HOW = 24;
const ATTRIBUTES = 32;

/**
 * `starter o <namespace of mounts> <path>`: outside, opens a path for writing to a sandbox that runs. The path is
 * looked up inside, once, and not by links: a program inside can put one where the path was since it was judged. What
 * is mounted below it stays as it is there: masks, and what is read-only.
 */
export const open: readonly Instruction[] = [
  ['label', 'open'],
  ['load', 's5', 's3', 0],
  ['load', 's2', 's3', 8],
  ['jump if', 's2', '==', 0, 'say unusable'],
  ['call', 'openat', WORKING_DIRECTORY, 's5', CLOSE_ON_EXEC],
  ['move', 's4', 'result'],
  ['jump if', 's4', '<', 0, 'say unopened'],
  ['call', 'ioctl', 's4', OWNER, 0],
  ['move', 's5', 'result'],
  ['jump if', 's5', '<', 0, 'say unopened'],
  ['call', 'setns', 's5', USERS],
  ['jump if', 'result', '==', 0, 'entered'],
  // It is that of this process.
  ['jump if', 'result', '!=', EINVAL, 'say unopened'],
  ['label', 'entered'],
  ['call', 'setns', 's4', MOUNTS],
  ['jump if', 'result', '<', 0, 'say unopened'],
  ['call', 'openat2', WORKING_DIRECTORY, 's2', '=unlinked', HOW],
  ['move', 's3', 'result'],
  ['jump if', 's3', '<', 0, 'say unopened'],
  ['call', 'open_tree', 's3', '=nothing', COPY | RECURSIVE | NO_PATH | CLOSE_ON_EXEC],
  ['move', 's4', 'result'],
  ['jump if', 's4', '<', 0, 'say unopened'],
  ['call', 'mount_setattr', 's4', '=nothing', NO_PATH, '=writable', ATTRIBUTES],
  ['jump if', 'result', '<', 0, 'say unopened'],
  ['call', 'move_mount', 's4', '=nothing', 's3', '=nothing', MOVE_NO_PATH | MOVE_TO_NO_PATH],
  ['jump if', 'result', '<', 0, 'say unopened'],
  ['call', 'exit_group', 0],
];
