import {makeFilter} from '../seccomp/filter.js';
import type {Machine} from '../seccomp/system-calls.js';
import {makeWatchFilter, watchedRows} from '../seccomp/watched-calls.js';
import {ASKED, PORT, SOCKET} from './way.js';

/** Memory that can be written: for what is copied, and for paths. */
export const MEMORY = 0x2_0000;
/** Parts of it, by label, each with where it begins. The first is for what is copied, and for the path of a program. */
export const AREAS = {
  memory: 0,
  notice: 0x1_0000,
  answer: 0x1_0080,
  pipe: 0x1_00c0,
  number: 0x1_00d0,
  rules: 0x1_00e0,
  family: 0x1_0100,
  status: 0x1_0110,
  opened: 0x1_0118,
  joined: 0x1_0120,
  replaced: 0x1_0130,
  count: 0x1_0148,
  limits: 0x1_0150,
  named: 0x1_1000,
  given: 0x1_4000,
  told: 0x1_6000,
  polled: 0x1_8000,
  askers: 0x1_9000,
} as const;
/** Most bytes of a path that is looked at. */
export const LONGEST_LOOKED_AT = 4095;
/** Most questions that wait at once; gemini takes as many. Each has a descriptor in the watcher, below HELD. */
export const MOST_ASKERS = 64;
/** What comes first in what is polled: the program and the filter. */
export const FIRST_POLLED = 2;
/** The kernel is to tell when a descriptor can be read. */
export const READABLE = 0x1_0000_0000;
/** Families of sockets. */
export const AF_UNIX = 1;
export const AF_INET = 2;
/** The descriptor of what a question is about. */
export const HELD = 99;
const MOUNT_READ_ONLY = 1;
/** O_PATH and O_CLOEXEC, and that no part of a path may be a link. */
const PLACE_ONLY = 0x28_0000;
const NO_LINKS = 4;
const IGNORE = 1;
const PAUSE = 10_000_000;
const RIGHTS_VERSION = 0x2008_0522;

/** What the starter says, each with the exit code. */
export const messages = {
  missing: {code: 127, text: 'gemini: the program was not found in the sandbox, or cannot be run there.\n'},
  closed: {code: 125, text: 'gemini: the way out of the sandbox cannot be opened.\n'},
  unhidden: {code: 125, text: 'gemini: files cannot be hidden in the sandbox.\n'},
  unopened: {code: 126, text: 'gemini: the path cannot be opened to a sandbox that runs.\n'},
  unusable: {code: 125, text: 'gemini: the starter of the sandbox was called wrongly.\n'},
} as const;

/** The length of the address of the exit. */
export const OUTER_LENGTH = 2 + SOCKET.length + 1;
/** The same for who decides about paths. */
export const ASKER_LENGTH = 2 + ASKED.length + 1;
/** Of a row about a watched call, and how many steps the filter has that makes them wait. */
export const ROW = 32;
export const filterSteps = (machine: Machine): number => makeWatchFilter(machine).length / 8;

/** What the program reads and does not change, by label. */
export function makeConstants(machine: Machine): Readonly<Record<string, Buffer>> {
  const said = Object.entries(messages).map(([name, {text}]) => [name, Buffer.from(text)] as const);
  return {
    inner: Buffer.from([AF_INET, 0, PORT >> 8, PORT & 0xff, 127, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]),
    outer: Buffer.concat([Buffer.from([AF_UNIX, 0]), text(SOCKET)]),
    asker: Buffer.concat([Buffer.from([AF_UNIX, 0]), text(ASKED)]),
    filter: makeWatchFilter(machine),
    watched: Buffer.concat([...watchedRows(machine).flat().map(number), number(0n)]),
    powers: numbers(...[6, 5, 4, 3, 2, 1, 0].map((power) => 10 ** power), 0),
    held: text(`/proc/self/fd/${HELD}`),
    everything: numbers(-1),
    // What a mount is no longer: read-only.
    writable: numbers(0, MOUNT_READ_ONLY, 0, 0),
    nothing: numbers(0),
    processes: text('/proc'),
    setgroups: text('self/setgroups'),
    users: text('self/uid_map'),
    groups: text('self/gid_map'),
    deny: text('deny'),
    // The version of what follows, and this process; then nothing that it may, in three parts of two words.
    rights: numbers(RIGHTS_VERSION),
    none: numbers(0, 0, 0),
    screen: makeFilter(machine),
    unlinked: numbers(PLACE_ONLY, 0, NO_LINKS),
    late: text('l'),
    // What to do with a signal: no flags, nothing to return to, no mask.
    ignore: numbers(IGNORE, 0, 0, 0),
    pause: numbers(0, PAUSE),
    shell: text('/bin/sh'),
    folders: text('/usr/local/bin:/usr/bin:/bin'),
    ...Object.fromEntries(said),
  };
}

function text(value: string): Buffer {
  return Buffer.from(`${value}\0`);
}

function numbers(...values: readonly number[]): Buffer {
  return Buffer.concat(values.map((value) => number(BigInt(value))));
}

function number(value: bigint): Buffer {
  const buffer = Buffer.alloc(8);
  buffer.writeBigUInt64LE(BigInt.asUintN(64, value));
  return buffer;
}
