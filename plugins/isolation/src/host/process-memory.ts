import {readFileSync} from 'node:fs';

/** A process that starts thousands is not counted to its end. */
const MOST = 200;

/** Bytes. */
export interface ProcessMemory {
  /** The share of a process in what it uses now: what others use too counts in part. */
  readonly now: number | undefined;
  /** The most that it ever had at once, shared or not. */
  readonly peak: number | undefined;
}

/** The memory of a process and of all that it started, where the system says it. */
export function memoryOf(pid: number): ProcessMemory {
  const all = treeOf(pid);
  return {
    now: sum(all.map((one) => fieldOf(one, 'smaps_rollup', 'Pss'))),
    peak: sum(all.map((one) => fieldOf(one, 'status', 'VmHWM'))),
  };
}

function treeOf(pid: number): readonly number[] {
  const all = [pid];
  for (let at = 0; at < all.length && all.length < MOST; at += 1) {
    const children = readProc(`${String(all[at])}/task/${String(all[at])}/children`);
    all.push(...children.split(' ').filter(Boolean).map(Number));
  }
  return all;
}

function fieldOf(pid: number, file: string, name: string): number | undefined {
  const match = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(readProc(`${pid}/${file}`));
  return match ? Number(match[1]) * 1024 : undefined;
}

/** Empty where there is no such file, or no longer. */
function readProc(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'utf8');
  } catch {
    // Only Linux has them, and a process can end at any time.
    return '';
  }
}

function sum(all: readonly (number | undefined)[]): number | undefined {
  const known = all.filter((one) => one !== undefined);
  return known.length === 0 ? undefined : known.reduce((a, b) => a + b, 0);
}
