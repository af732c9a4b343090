import {
  ALLOW,
  ANY_BIT,
  ARCHITECTURE,
  argument,
  encodeFilter,
  EQUAL,
  finish,
  load,
  NOTIFY,
  NUMBER,
  type FilterStep,
} from './filter-steps.js';
import {machines, type Machine} from './system-calls.js';

/** What a call does with a name in a folder: it fails for another reason where the name is there, or is not. */
export const CHANGES = {makes: 1, removes: 2, renames: 3} as const;

/** A call that may write to a path: which arguments say where. */
interface WatchedCall {
  readonly numbers: readonly [x64: number | undefined, arm64: number | undefined];
  /** The argument with the folder that a path is relative to; absent: the working directory. */
  readonly folder?: number;
  readonly path: number;
  /** The argument whose bits say whether it opens for writing. */
  readonly flags?: number;
  /** It changes the folder that holds the path, not what is at the path. */
  readonly inFolder?: keyof typeof CHANGES;
}

/**
 * Calls that change files, by path. What only reads is not watched: it is made so often that to ask about each would
 * slow programs down. `openat2` is not: its flags are in memory, which a filter cannot read.
 */
const watchedCalls: Readonly<Record<string, WatchedCall>> = {
  open: {numbers: [2, undefined], path: 0, flags: 1},
  openat: {numbers: [257, 56], folder: 0, path: 1, flags: 2},
  creat: {numbers: [85, undefined], path: 0},
  truncate: {numbers: [76, 45], path: 0},
  chmod: {numbers: [90, undefined], path: 0},
  fchmodat: {numbers: [268, 53], folder: 0, path: 1},
  mkdir: {numbers: [83, undefined], path: 0, inFolder: 'makes'},
  mkdirat: {numbers: [258, 34], folder: 0, path: 1, inFolder: 'makes'},
  rmdir: {numbers: [84, undefined], path: 0, inFolder: 'removes'},
  unlink: {numbers: [87, undefined], path: 0, inFolder: 'removes'},
  unlinkat: {numbers: [263, 35], folder: 0, path: 1, inFolder: 'removes'},
  rename: {numbers: [82, undefined], path: 1, inFolder: 'renames'},
  renameat: {numbers: [264, 38], folder: 2, path: 3, inFolder: 'renames'},
  renameat2: {numbers: [316, 276], folder: 2, path: 3, inFolder: 'renames'},
  link: {numbers: [86, undefined], path: 1, inFolder: 'makes'},
  linkat: {numbers: [265, 37], folder: 2, path: 3, inFolder: 'makes'},
  symlink: {numbers: [88, undefined], path: 1, inFolder: 'makes'},
  symlinkat: {numbers: [266, 36], folder: 1, path: 2, inFolder: 'makes'},
};

/** O_WRONLY, O_RDWR, O_CREAT and O_TRUNC. */
const WRITES = 0x243;

/** Where an argument is in what the kernel tells about a call. */
const inNotice = (index: number): number => 32 + 8 * index;

/** One row of four numbers for each call: number and architecture, where its folder and path are, what it changes. */
export function watchedRows(machine: Machine): readonly (readonly bigint[])[] {
  const {index, audit} = machines[machine];
  return Object.values(watchedCalls).flatMap(({numbers, folder, path, inFolder}) => {
    const number = numbers[index];
    if (number === undefined) return [];
    const call = (BigInt(audit) << 32n) | BigInt(number);
    const place = folder === undefined ? 0 : inNotice(folder);
    return [[call, BigInt(place), BigInt(inNotice(path)), BigInt(inFolder ? CHANGES[inFolder] : 0)]];
  });
}

/** The filter that has each of them wait until it was looked at; everything else is allowed by it. */
export function makeWatchFilter(machine: Machine): Buffer {
  const {index, audit} = machines[machine];
  const steps = Object.values(watchedCalls).flatMap(({numbers, flags}): readonly FilterStep[] => {
    const number = numbers[index];
    if (number === undefined) return [];
    if (flags === undefined) return [[EQUAL, 0, 1, number], finish(NOTIFY)];
    const look: FilterStep[] = [load(argument(flags)), [ANY_BIT, 0, 1, WRITES], finish(NOTIFY), finish(ALLOW)];
    return [[EQUAL, 0, look.length, number], ...look];
  });
  return encodeFilter([load(ARCHITECTURE), [EQUAL, 1, 0, audit], finish(ALLOW), load(NUMBER), ...steps, finish(ALLOW)]);
}
