import {truncate} from 'node:fs/promises';
import {dirname} from 'node:path';
import {appendPrivateFile, makePrivateFolder, readText} from '@gemini-kernel/files';
import {isHeld, takeLock, type HeldLock} from '@gemini-kernel/files/writing';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import {parseRun} from './read-run.js';
import type {Result, Run, RunHeader} from './result.js';

const LARGEST = 256 * 2 ** 20;

/** The results of a run while they are written, by one process. */
export class ResultsFile {
  private constructor(
    readonly file: string,
    /** What it held when it was opened. */
    readonly run: Run | undefined,
    private readonly lock: HeldLock,
  ) {}

  /**
   * Opens the file of a new run, or one to continue. Throws KernelError EVAL_RUN_BUSY, EVAL_RUN_UNWRITABLE and
   * EVAL_RUN_UNREADABLE.
   */
  static async open(file: string, {resume}: {readonly resume: boolean}): Promise<ResultsFile> {
    const lock = await unlessUnwritable(file, async () => {
      await makePrivateFolder(dirname(file));
      return takeLock(`${file}.lock`);
    });
    if (!isHeld(lock))
      throw new KernelError('EVAL_RUN_BUSY', `Another process writes to ${file}.`, {hint: 'Wait for its end.'});
    try {
      return new ResultsFile(file, await readBefore(file, resume), lock);
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  async append(line: RunHeader | Result): Promise<void> {
    await unlessUnwritable(this.file, () => appendPrivateFile(this.file, `${JSON.stringify(line)}\n`));
  }

  async close(): Promise<void> {
    await this.lock.release();
  }
}

async function readBefore(file: string, resume: boolean): Promise<Run | undefined> {
  const text = await readText(file, {limit: LARGEST}).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new KernelError('EVAL_RUN_UNREADABLE', `Cannot read ${file}: ${messageOf(error)}`, {cause: error});
  });
  if (text === undefined) {
    if (!resume) return undefined;
    throw new KernelError('EVAL_RUN_UNKNOWN', `There is no run to continue in ${file}.`, {
      hint: 'Start one without --resume.',
    });
  }
  if (!resume && text !== '')
    throw new KernelError('EVAL_RUN_UNWRITABLE', `There are results in ${file} already.`, {
      hint: `Continue them with --resume ${file}, or name another file.`,
    });
  if (text === '') return undefined;
  const run = parseRun(file, text);
  // A line that was cut off is no part of the next one.
  const whole = Buffer.byteLength(text.slice(0, text.lastIndexOf('\n') + 1));
  await unlessUnwritable(file, () => truncate(file, whole));
  return run;
}

async function unlessUnwritable<T>(file: string, act: () => Promise<T>): Promise<T> {
  return act().catch((cause: unknown) => {
    throw new KernelError('EVAL_RUN_UNWRITABLE', `Cannot write results to ${file}: ${messageOf(cause)}`, {
      cause,
      hint: 'Name another file with --output.',
    });
  });
}
