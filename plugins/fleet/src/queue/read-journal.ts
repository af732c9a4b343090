import {isFileFault, readRegularSync} from '@gemini-kernel/files';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import type {JournalLine} from './records.js';
import {QueueTasks} from './tasks.js';

/** A journal of more tasks than fit into this is not one of ours. */
const LARGEST = 2 ** 30;
const NEWLINE = 0x0a;

export interface ReadJournal {
  readonly tasks: QueueTasks;
  /** Bytes up to the end of the last whole line: what follows was cut off while it was written. */
  readonly size: number;
}

/** What a journal says. Undefined when there is none. Throws KernelError QUEUE_UNREADABLE. */
export function readJournal(file: string): ReadJournal | undefined {
  const bytes = readBytes(file);
  if (bytes === undefined) return undefined;
  const size = bytes.lastIndexOf(NEWLINE) + 1;
  const tasks = new QueueTasks();
  for (const [index, line] of linesOf(bytes.subarray(0, size))) {
    try {
      tasks.apply(JSON.parse(line) as JournalLine);
    } catch (error) {
      throw unreadable(file, `line ${index + 1} is no record`, error);
    }
  }
  return {tasks, size};
}

/** Lines one after the other: a journal can be longer than a string. */
export function* linesOf(bytes: Buffer): Iterable<readonly [index: number, line: string]> {
  let [start, index] = [0, 0];
  for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
    if (end > start) yield [index, bytes.toString('utf8', start, end)];
    start = end + 1;
    index += 1;
  }
}

function readBytes(file: string): Buffer | undefined {
  try {
    return readRegularSync(file, LARGEST);
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    if (isFileFault(error) || typeof code === 'string') throw unreadable(file, messageOf(error), error);
    throw error;
  }
}

function unreadable(file: string, reason: string, cause: unknown): KernelError {
  return new KernelError('QUEUE_UNREADABLE', `Cannot read the journal ${file}: ${reason}.`, {
    cause,
    hint: 'What was finished is in the results of the fleet. Start the fleet under another name.',
  });
}
