import {createHash, randomBytes} from 'node:crypto';
import {readlinkSync} from 'node:fs';
import {hostname} from 'node:os';
import {performance} from 'node:perf_hooks';
import {kill, pid, platform} from 'node:process';
import {readRegularSync} from './read-regular-sync.js';

/** A process, so that another one with its number is not taken for it. */
export interface ProcessMark {
  readonly pid: number;
  readonly host: string;
  /** When it began, as its system says it: ticks since the boot on Linux, milliseconds of the clock elsewhere. */
  readonly began?: string;
  /** The start of its system, on Linux. */
  readonly boot?: string;
  /** The processes it is numbered with, on Linux: containers may have one host name, and numbers of their own. */
  readonly space?: string;
}

/** How exactly `ps` and this process know when it began. */
const CLOCK_MS = 3000;

/** This process. */
export function markOfSelf(): ProcessMark {
  const began = platform === 'linux' ? beganOnLinux(pid) : String(Math.round(performance.timeOrigin));
  return {pid, host: hostname(), ...(began === undefined ? {} : {began}), ...bootOf(), ...spaceOf()};
}

/** Whether a mark is this process's. */
export function isSelf({pid: number, host, began, space}: ProcessMark): boolean {
  const own = markOfSelf();
  const differs = (a = '', b = ''): boolean => a !== '' && b !== '' && a !== b;
  return number === pid && host === own.host && !differs(began, own.began) && !differs(space, own.space);
}

/**
 * Whether a marked process runs: undefined when it is on another machine, or in another container, and cannot be
 * asked.
 */
export async function isRunning(mark: ProcessMark): Promise<boolean | undefined> {
  const [space, boot] = [spaceOf().space, bootOf().boot];
  if (mark.host !== hostname()) return undefined;
  // Containers of one machine share its boot; what another boot started is gone, whichever container it was in.
  if (mark.boot !== undefined && boot !== undefined && mark.boot !== boot) return false;
  if (mark.space !== undefined && mark.space !== space) return undefined;
  if (!isProcess(mark.pid)) return false;
  if (mark.began === undefined) return true;
  if (platform !== 'linux') return beganAt(mark.pid, Number(mark.began));
  return (beganOnLinux(mark.pid) ?? mark.began) === mark.began;
}

/** Whether there is a process of that number on this machine that has not ended. */
export function isProcess(number: number): boolean {
  if (!Number.isInteger(number) || number <= 0) return false;
  try {
    return kill(number, 0) && !(platform === 'linux' && isZombie(number));
  } catch (error) {
    // Anything else than "no such process" means that it runs, and is not ours to signal.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** A name for the processes that this one can ask whether they run: those of this machine, or of this container. */
export function machineMark(): string {
  return createHash('sha256')
    .update(`${hostname()} ${spaceOf().space ?? ''}`)
    .digest('hex')
    .slice(0, 8);
}

/**
 * For the name of a file that only this process writes, and this once. A sweep can tell whether its process is gone.
 */
export function writerMark(): string {
  return `${machineMark()}-${pid}-${randomBytes(4).toString('hex')}`;
}

/** Linux counts it in ticks since the boot, which no change of the clock moves. */
function beganOnLinux(number: number): string | undefined {
  return statOnLinux(number)?.[20];
}

/** It has ended, and its parent has not asked how. In a container without an init, no one may ever ask. */
function isZombie(number: number): boolean {
  return ['Z', 'X'].includes(statOnLinux(number)?.[1] ?? '');
}

function statOnLinux(number: number): readonly string[] | undefined {
  const text = readSystemText(`/proc/${number}/stat`);
  // The second word is the name of the program, in brackets, which may hold anything.
  return text?.slice(text.lastIndexOf(')')).split(' ');
}

/** Windows says it too slowly for a lock, so that a number is all that counts there. */
async function beganAt(number: number, began: number): Promise<boolean> {
  if (platform === 'win32') return true;
  const [{execFile}, {promisify}] = await Promise.all([import('node:child_process'), import('node:util')]);
  try {
    const options = {env: {LC_ALL: 'C'}, timeout: 2000};
    const {stdout} = await promisify(execFile)('/bin/ps', ['-o', 'lstart=', '-p', String(number)], options);
    const found = Date.parse(stdout.trim());
    return Number.isNaN(found) || Math.abs(found - began) < CLOCK_MS;
  } catch {
    // Without `ps` the number is all that is known.
    return true;
  }
}

function bootOf(): {readonly boot?: string} {
  const boot = platform === 'linux' ? readSystemText('/proc/sys/kernel/random/boot_id')?.trim() : undefined;
  return boot === undefined ? {} : {boot};
}

function spaceOf(): {readonly space?: string} {
  if (platform !== 'linux') return {};
  try {
    return {space: readlinkSync('/proc/self/ns/pid')};
  } catch (error) {
    expectSystem(error);
    return {};
  }
}

function readSystemText(path: string): string | undefined {
  try {
    return readRegularSync(path, 1 << 16).toString('latin1');
  } catch (error) {
    expectSystem(error);
    return undefined;
  }
}

/** Without /proc, or with one that hides other people's processes, less is known. */
function expectSystem(error: unknown): void {
  if (typeof (error as NodeJS.ErrnoException).code !== 'string') throw error;
}
