import {createHash} from 'node:crypto';
import {constants} from 'node:fs';
import {copyFile, link, mkdir, readFile, readlink, rm, stat, utimes, writeFile} from 'node:fs/promises';
import {hostname, uptime} from 'node:os';
import {dirname} from 'node:path';
import {kill, pid} from 'node:process';
import {setTimeout} from 'node:timers/promises';
import {KernelError} from '@gemini-kernel/kernel';
import {passOver, systemCode, systemFault} from './system-faults.js';

/** The process that changes the installed plugins. */
interface Holder {
  readonly pid: number;
  readonly host: string;
  /** ISO. */
  readonly since: string;
  /** What the system says of when the process began, where it says it. */
  readonly began?: string;
  /** Of its numbers of processes: containers may have one name and others each. */
  readonly space?: string;
}

export interface HoldOptions {
  /** The file that says who is at work. */
  readonly file: string;
  readonly signal: AbortSignal;
  tell(sentence: string): void;
  /** How long another process may take. */
  readonly patienceMs?: number;
}

const PATIENCE_MS = 60_000;
const PAUSE_MS = 50;
const BREAKING_MS = 10_000;
/** A holder says this often that it lives, and is gone when it has not for this long. */
const BEAT_MS = 2_000;
const SILENT_MS = 15_000;

/**
 * Does something while no other process does something under the same file. Waits for one that is at work; one that is gone counts for
 * nothing. Throws KernelError INSTALL_BUSY or INSTALL_UNWRITABLE.
 */
export async function holdLock<T>({file, signal, tell, patienceMs = PATIENCE_MS}: HoldOptions, act: () => Promise<T>): Promise<T> {
  const own = `${file}.${pid}`;
  const text = JSON.stringify({pid, host: hostname(), since: new Date().toISOString(), ...(await beginOf(pid)), ...(await spaceOf())} satisfies Holder);
  try {
    await mkdir(dirname(file), {recursive: true});
    // Written whole before it has the name that others look at.
    await writeFile(own, text);
  } catch (error) {
    throw systemFault(error, {code: 'INSTALL_UNWRITABLE', act: `Cannot write to ${dirname(file)}`, hint: 'What is installed stays as it is. Make room, or give the right to write there, then try again.'});
  }
  try {
    await waitForTurn(own, {file, signal, tell, patienceMs});
    const stop = startBeating(file);
    try {
      return await act();
    } finally {
      stop();
      // Somebody who took this process for dead may hold it now.
      if ((await readText(file)) === text) await rm(file, {force: true});
    }
  } finally {
    await rm(own, {force: true});
  }
}

async function waitForTurn(own: string, {file, signal, tell, patienceMs}: Required<HoldOptions>): Promise<void> {
  const until = Date.now() + patienceMs;
  let told = false;
  while (!(await putInPlace(own, file))) {
    const holder = await holderOf(file);
    if (!holder) {
      await breakStale(file, own);
      continue;
    }
    if (Date.now() > until) throw new KernelError('INSTALL_BUSY', `The process ${holder.pid} on ${holder.host} has been changing the installed plugins since ${holder.since}.`, {hint: 'Wait for it, or end it, then try again.'});
    if (!told) tell(`Waiting for the process ${holder.pid}, which is changing the installed plugins.`);
    told = true;
    await setTimeout(PAUSE_MS, undefined, {signal}).catch((error: unknown) => {
      signal.throwIfAborted();
      throw error;
    });
  }
}

/** Says at intervals that the holder lives, by the time of its file. */
function startBeating(file: string): () => void {
  const timer = setInterval(() => {
    const now = new Date();
    // A beat that fails leaves the file as silent as that of a dead process.
    utimes(file, now, now).catch((error: unknown) => {
      if (systemCode(error) === undefined) throw error;
    });
  }, BEAT_MS).unref();
  return () => clearInterval(timer);
}

function readText(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch((error: unknown) => passOver(error, 'ENOENT'));
}

/** Gives a file a second name, unless something has it. */
async function putInPlace(from: string, name: string): Promise<boolean> {
  try {
    await link(from, name);
    return true;
  } catch (error) {
    const code = systemCode(error);
    if (code === 'EEXIST') return false;
    // Some file systems have no second names.
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(code ?? '')) throw error;
    return copyFile(from, name, constants.COPYFILE_EXCL).then(() => true, (failed: unknown) => passOver(failed, 'EEXIST') ?? false);
  }
}

async function holderOf(file: string): Promise<Holder | undefined> {
  const text = await readText(file);
  const holder = text === undefined ? undefined : parseHolder(text);
  if (!holder) return undefined;
  const seen = await stat(file).catch((error: unknown) => passOver(error, 'ENOENT'));
  return seen && (await isAlive(holder, Date.now() - seen.mtimeMs > SILENT_MS)) ? holder : undefined;
}

/** A process of another machine cannot be asked, only heard; one from before this machine's start is gone, whoever has its number now. */
async function isAlive({pid: holder, host, since, began, space}: Holder, isSilent: boolean): Promise<boolean> {
  const own = (await spaceOf()).space;
  if (host !== hostname() || (space !== undefined && space !== own)) return !isSilent;
  if (Date.parse(since) < Date.now() - uptime() * 1000 - 1000) return false;
  if (!isProcess(holder)) return false;
  const now = (await beginOf(holder)).began;
  return began === undefined || now === undefined ? !isSilent : began === now;
}

/** Whether there is a process of that number on this machine. */
export function isProcess(number: number): boolean {
  try {
    return kill(number, 0);
  } catch (error) {
    return systemCode(error) !== 'ESRCH';
  }
}

/** Linux says when a process began, so that another one with its number is not taken for it. */
async function beginOf(number: number): Promise<{readonly began?: string}> {
  try {
    const text = await readFile(`/proc/${number}/stat`, 'utf8');
    const began = text.slice(text.lastIndexOf(')')).split(' ')[20];
    return began === undefined ? {} : {began};
  } catch (error) {
    passOver(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'ESRCH', 'EPERM');
    return {};
  }
}

/** Linux says which processes are numbered together. */
async function spaceOf(): Promise<{readonly space?: string}> {
  const space = await readlink('/proc/self/ns/pid').catch((error: unknown) => passOver(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EINVAL', 'UNKNOWN'));
  return space === undefined ? {} : {space};
}

/** A name for the processes that this one can ask whether they live: those of this machine, or of this container. */
export async function machineMark(): Promise<string> {
  return createHash('sha256').update(`${hostname()} ${(await spaceOf()).space ?? ''}`).digest('hex').slice(0, 8);
}

/** Takes the file away of a process that is gone. One process at a time does so, and looks again when it is its turn. */
async function breakStale(file: string, own: string): Promise<void> {
  const turn = `${file}.break`;
  if (await putInPlace(own, turn)) {
    try {
      if (!(await holderOf(file))) await rm(file, {force: true});
    } finally {
      await rm(turn, {force: true});
    }
    return;
  }
  const found = await stat(turn).catch((error: unknown) => passOver(error, 'ENOENT'));
  if (found && Date.now() - found.mtimeMs > BREAKING_MS) await rm(turn, {force: true});
  else await setTimeout(PAUSE_MS);
}

// One that says nothing comes from a full disk or a power cut.
function parseHolder(text: string): Holder | undefined {
  try {
    const {pid: holder, host, since, began, space} = JSON.parse(text) as Partial<Holder>;
    return typeof holder === 'number' && typeof host === 'string' && typeof since === 'string' ? {pid: holder, host, since, ...(typeof began === 'string' ? {began} : {}), ...(typeof space === 'string' ? {space} : {})} : undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}
