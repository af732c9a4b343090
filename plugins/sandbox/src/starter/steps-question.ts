import {AF_UNIX, ASKER_LENGTH, HELD, LONGEST_LOOKED_AT} from './constants.js';
import type {Instruction} from './instruction.js';
import {addAsker} from './steps-askers.js';
import {answer} from './steps-look.js';

const STREAM = 1;
const WORKING_DIRECTORY = -100;
/** Opens only the path: neither reads nor writes what is there. */
const PATH_ONLY = 0x20_0000;
const FOLDER = 0x1_0000;
const MAY_WRITE = 2;
const EROFS = -30;
const SLASH = 0x2f;
const YES = 0x79;
/** Gives a program a descriptor of this process, with a number that it has already. */
const ADD_DESCRIPTOR = 0x4018_2103;
const AT_NUMBER = 1;
const UPPER_HALF = 0x1_0000_0000;

/**
 * A program that has opened the folder before it was opened for writing still has what was mounted there before: it
 * gets the folder again, by its path and with the same number.
 */
const replaceFolder: readonly Instruction[] = [
  ['move', 's6', '=opened'],
  ['load', 's7', 's6', 0],
  ['jump if', 's7', '<', 0, 'look again'],
  ['move', 's6', '=joined'],
  ['load', 's4', 's6', 0],
  ['move', 's5', 0],
  ['store byte', 's4', 's5'],
  ['call', 'readlinkat', WORKING_DIRECTORY, '=named', '=given', LONGEST_LOOKED_AT],
  ['move', 's5', 'result'],
  ['move', 's6', SLASH],
  ['store byte', 's4', 's6'],
  ['jump if', 's5', '<', 1, 'look again'],
  ['move', 's6', '=given'],
  ['add', 's6', 's5'],
  ['move', 's5', 0],
  ['store byte', 's6', 's5'],
  ['call', 'openat', WORKING_DIRECTORY, '=given', FOLDER],
  ['move', 's5', 'result'],
  ['jump if', 's5', '<', 0, 'look again'],
  ['call', 'dup3', 's5', HELD, 0],
  ['move', 's6', '=notice'],
  ['load', 's5', 's6', 0],
  ['move', 's6', '=replaced'],
  ['store', 's6', 0, 's5'],
  ['move', 's5', AT_NUMBER + HELD * UPPER_HALF],
  ['store', 's6', 8, 's5'],
  ['store', 's6', 16, 's7'],
  ['call', 'ioctl', 's0', ADD_DESCRIPTOR, '=replaced'],
];

/** Puts the name and a zero behind the path and its zero. s5 is then how long all of it is. */
const addName: readonly Instruction[] = [
  ['move', 's5', '=told'],
  ['add', 's5', 's6'],
  ['label', 'name letter'],
  ['add', 's5', 1],
  ['store byte', 's5', 's7'],
  ['jump if', 's7', '==', 0, 'say path'],
  ['add', 's4', 1],
  ['load byte', 's7', 's4'],
  ['jump', 'name letter'],
  ['label', 'say path'],
  ['add', 's5', 1],
  ['move', 's6', '=told'],
  ['subtract', 's5', 's6'],
];

/**
 * Asks about a path in a process of its own, so that other calls do not wait for the answer. It sends the path as the
 * kernel names it and, if that is a folder that would change, the name in it. It waits for one byte; whatever comes,
 * the call is then made. After a yes it says when the call fails all the same. Programs inside can end this process:
 * the watcher then lets the call be made.
 */
export function question(): readonly Instruction[] {
  return [
    ['label', 'ask'],
    ...addAsker(),
    ['label', 'ask apart'],
    ['call', 'openat', WORKING_DIRECTORY, 's2', PATH_ONLY],
    ['move', 's5', 'result'],
    ['jump if', 's5', '<', 0, 'let'],
    ['call', 'dup3', 's5', HELD, 0],
    ['call', 'readlinkat', WORKING_DIRECTORY, '=held', '=told', LONGEST_LOOKED_AT],
    ['move', 's6', 'result'],
    ['jump if', 's6', '<', 1, 'let'],
    ['call', 'socket', AF_UNIX, STREAM, 0],
    ['move', 's1', 'result'],
    ['jump if', 's1', '<', 0, 'let'],
    ['call', 'connect', 's1', '=asker', ASKER_LENGTH],
    ['jump if', 'result', '<', 0, 'let'],
    ...addName,
    ['call', 'write', 's1', '=told', 's5'],
    ['call', 'read', 's1', '=status', 1],
    ['move', 's6', '=status'],
    ['load byte', 's5', 's6'],
    ['jump if', 's5', '!=', YES, 'let'],
    ...replaceFolder,
    // A program that works in the folder stays in what was mounted there before.
    ['label', 'look again'],
    ['call', 'faccessat', WORKING_DIRECTORY, 's2', MAY_WRITE],
    ['jump if', 'result', '!=', EROFS, 'let'],
    ['call', 'write', 's1', '=late', 1],
    ['label', 'let'],
    ...answer(),
    ['call', 'exit_group', 0],
  ];
}
