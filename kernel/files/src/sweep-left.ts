import {lstat, readdir, rm} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {isProcess, machineMark} from './process-mark.js';

/** Where it cannot be asked whether a writer runs, one that has not come to its end in an hour is gone. */
const GONE_MS = 3_600_000;
/** What `writerMark` makes, before the end of a name. */
const WRITER = /\.([0-9a-f]{8})-(\d+)-[0-9a-f]{8}\.(?:tmp|lock)$/;

/**
 * Removes what writers that were killed have left beside a file: the temporary files of `writeAtomically` and the
 * drafts of locks. What a running process is about to rename stays.
 */
export async function sweepBeside(path: string): Promise<void> {
  await sweep(dirname(path), (name) => name.startsWith(`${basename(path)}.`));
}

/** The same for every file in a folder; one that is missing, or cannot be listed, has nothing to sweep. */
export async function sweepFolder(folder: string): Promise<void> {
  await sweep(folder, () => true);
}

async function sweep(folder: string, isMeant: (name: string) => boolean): Promise<void> {
  const names = await readdir(folder).catch(passOverSystem);
  for (const name of names ?? []) {
    const [, machine, number] = (isMeant(name) && WRITER.exec(name)) || [];
    if (machine === undefined || !(await isLeft(join(folder, name), {machine, pid: Number(number)}))) continue;
    await rm(join(folder, name), {force: true}).catch(passOverSystem);
  }
}

interface Writer {
  readonly machine: string;
  readonly pid: number;
}

async function isLeft(path: string, {machine, pid}: Writer): Promise<boolean> {
  if (machine === machineMark() && !isProcess(pid)) return true;
  const found = await lstat(path).catch(passOverSystem);
  return found?.isFile() === true && Date.now() - found.mtimeMs > GONE_MS;
}

/** What cannot be swept is swept another time. */
function passOverSystem(error: unknown): undefined {
  if (typeof (error as NodeJS.ErrnoException).code !== 'string') throw error;
}
