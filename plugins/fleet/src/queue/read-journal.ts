import {closeSync, readSync} from 'node:fs';
import {isFileFault, openRegularSync} from '@gemini-kernel/files';
import {isKernelError, KernelError, messageOf} from '@gemini-kernel/kernel';
import type {JournalLine} from './records.js';
import {QueueTasks} from './tasks.js';

/** A journal of more tasks than fit into this is not one of ours. */
const LARGEST = 2 ** 30;
const NEWLINE = 0x0a;
/** A journal is read in pieces, so that only its tasks are in memory. */
const PIECE = 1 << 20;

export interface ReadJournal {
  readonly tasks: QueueTasks;
  /** Bytes up to the end of the last whole line: what follows was cut off while it was written. */
  readonly size: number;
}

/** What a journal says. Undefined when there is none. Throws KernelError QUEUE_UNREADABLE. */
export function readJournal(file: string): ReadJournal | undefined {
  const tasks = new QueueTasks();
  let [size, number] = [0, 0];
  try {
    const {file: opened} = openRegularSync(file, LARGEST);
    try {
      for (const {text, end} of linesOf(piecesOf(opened))) {
        [size, number] = [end, number + 1];
        if (text !== '') apply(tasks, text, {file, number});
      }
    } finally {
      closeSync(opened);
    }
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    if (!isKernelError(error) && (isFileFault(error) || typeof code === 'string'))
      throw unreadable(file, messageOf(error), error);
    throw error;
  }
  return {tasks, size};
}

function apply(
  tasks: QueueTasks,
  text: string,
  {file, number}: {readonly file: string; readonly number: number},
): void {
  try {
    tasks.apply(JSON.parse(text) as JournalLine);
  } catch (error) {
    throw unreadable(file, `line ${number} is no record`, error);
  }
}

function* piecesOf(opened: number): Iterable<Buffer> {
  for (;;) {
    const piece = Buffer.allocUnsafe(PIECE);
    const read = readSync(opened, piece, 0, PIECE, null);
    if (read === 0) return;
    yield piece.subarray(0, read);
  }
}

export interface Line {
  readonly text: string;
  /** Bytes up to its end. */
  readonly end: number;
}

/** Whole lines one after the other: a journal can be longer than a string. */
export function* linesOf(pieces: Iterable<Buffer>): Iterable<Line> {
  let rest: Buffer = Buffer.alloc(0);
  let before = 0;
  for (const piece of pieces) {
    const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      yield {text: bytes.toString('utf8', start, end), end: before + end + 1};
      start = end + 1;
    }
    before += start;
    rest = bytes.subarray(start);
  }
}

function unreadable(file: string, reason: string, cause: unknown): KernelError {
  return new KernelError('QUEUE_UNREADABLE', `Cannot read the journal ${file}: ${reason}.`, {
    cause,
    hint: 'What was finished is in the results of the fleet. Start the fleet under another name.',
  });
}
