import type {Machine} from '../seccomp/system-calls.js';
import {makeFilter} from '../seccomp/filter.js';
import type {Instruction} from './instruction.js';
import {LIST, LONGEST_LIST} from './way.js';

const WORKING_DIRECTORY = -100;
const CLOSE_ON_EXEC = 0x8_0000;
const WRITE_ONLY = 1;
const COPY = 1;
const BIND = 0x1000;
/** A mount that changes nothing but its flags: read-only, and no programs, devices or rights in it. */
const READ_ONLY_AGAIN = 0x20 | BIND | 0x1 | 0x2 | 0x4 | 0x8;
const USERS = 0x1000_0000;
const DROP_FROM_BOUNDING_SET = 24;
const SET_FILTER = 1;
/** What lay there when the list was made can be gone, or be a folder now. */
const [ENOENT, ENOTDIR] = [-2, -20];

/**
 * Hides files: the list has an empty one that is mounted already, then paths, then what a user and a group are called
 * inside; each with a zero behind it, and one more behind the last path. Bubblewrap reads the table of mounts for each
 * mount that it makes, this does not. It needs the right to mount for that, and gives up all rights afterwards: it
 * makes a namespace of users, as bubblewrap does on its own, and sets the filter of system calls.
 */
export const hide = (machine: Machine): readonly Instruction[] => [
  ['label', 'hide'],
  ...readList,
  // To write what users are called once `/proc` is read-only.
  ['call', 'open_tree', WORKING_DIRECTORY, '=processes', COPY | CLOSE_ON_EXEC],
  ['move', 's5', 'result'],
  ['jump if', 's5', '<', 0, 'say unhidden'],
  ...mountEach,
  ['call', 'mount', 0, '=processes', 0, READ_ONLY_AGAIN, 0],
  ['jump if', 'result', '<', 0, 'say unhidden'],
  ['call', 'unshare', USERS],
  ['jump if', 'result', '<', 0, 'say unhidden'],
  ['call', 'openat', 's5', '=setgroups', WRITE_ONLY | CLOSE_ON_EXEC],
  ['move', 's6', 'result'],
  // Where it is denied already, it cannot be written again.
  ['call', 'write', 's6', '=deny', 4],
  ['call', 'close', 's6'],
  ...writeNames('users'),
  ...writeNames('groups'),
  ['call', 'close', 's5'],
  ...giveUpRights,
  ['move', 's6', '=rules'],
  ['move', 's5', makeFilter(machine).length / 8],
  ['store', 's6', 0, 's5'],
  ['move', 's5', '=screen'],
  ['store', 's6', 8, 's5'],
  ['call', 'seccomp', SET_FILTER, 0, '=rules'],
  ['jump if', 'result', '!=', 0, 'say unhidden'],
  ['jump', 'letter'],
];

/** The whole list is in `memory` then, with a zero behind it. */
const readList: readonly Instruction[] = [
  ['move', 's4', '=memory'],
  ['move', 's5', LONGEST_LIST],
  ['label', 'list'],
  ['call', 'read', LIST, 's4', 's5'],
  ['move', 's6', 'result'],
  ['jump if', 's6', '<', 0, 'say unhidden'],
  ['jump if', 's6', '==', 0, 'list ends'],
  ['add', 's4', 's6'],
  ['subtract', 's5', 's6'],
  ['jump', 'list'],
  ['label', 'list ends'],
  ['store byte', 's4', 's6'],
  ['call', 'close', LIST],
];

/** s7 is then behind the paths. A mount has the flags of what it is made of, so it is read-only as well. */
const mountEach: readonly Instruction[] = [
  ['move', 's4', '=memory'],
  ['move', 's7', 's4'],
  ['label', 'hidden'],
  ['load byte', 's6', 's7'],
  ['add', 's7', 1],
  ['jump if', 's6', '!=', 0, 'hidden'],
  ['load byte', 's6', 's7'],
  ['jump if', 's6', '==', 0, 'all hidden'],
  ['call', 'mount', 's4', 's7', 0, BIND, 0],
  ['jump if', 'result', '==', 0, 'hidden'],
  ['jump if', 'result', '==', ENOENT, 'hidden'],
  ['jump if', 'result', '==', ENOTDIR, 'hidden'],
  ['jump', 'say unhidden'],
  ['label', 'all hidden'],
  ['add', 's7', 1],
];

/** Writes the text at s7, and moves s7 behind it. */
function writeNames(file: 'users' | 'groups'): readonly Instruction[] {
  return [
    ['call', 'openat', 's5', `=${file}`, WRITE_ONLY | CLOSE_ON_EXEC],
    ['move', 's6', 'result'],
    ['jump if', 's6', '<', 0, 'say unhidden'],
    ['move', 's4', 's7'],
    ['label', `end of ${file}`],
    ['load byte', 's0', 's7'],
    ['add', 's7', 1],
    ['jump if', 's0', '!=', 0, `end of ${file}`],
    ['move', 's0', 's7'],
    ['subtract', 's0', 's4'],
    ['add', 's0', -1],
    ['call', 'write', 's6', 's4', 's0'],
    ['jump if', 'result', '<', 0, 'say unhidden'],
    ['call', 'close', 's6'],
  ];
}

/** What no process of this namespace can have, then what this one has. */
const giveUpRights: readonly Instruction[] = [
  ['move', 's4', 0],
  ['label', 'right'],
  ['call', 'prctl', DROP_FROM_BOUNDING_SET, 's4'],
  ['add', 's4', 1],
  // The kernel does not know a right with this number.
  ['jump if', 'result', '==', 0, 'right'],
  ['call', 'capset', '=rights', '=none'],
  ['jump if', 'result', '!=', 0, 'say unhidden'],
];
