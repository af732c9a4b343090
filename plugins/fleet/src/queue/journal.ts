import {truncateSync} from 'node:fs';
import type {FileHandle} from 'node:fs/promises';
import {openToAppend} from '@gemini-kernel/files';
import {writeAtomically} from '@gemini-kernel/files/writing';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import {readJournal} from './read-journal.js';
import type {Change, ChangeRecord, JournalLine} from './records.js';
import {QueueTasks, type Entry} from './tasks.js';

/** A journal that is larger, and twice what it was when it was written whole, is written whole again. */
const COMPACT_BYTES = 8 * 2 ** 20;

interface Waiting {
  readonly line: string;
  readonly isDurable: boolean;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * The journal of a queue, and the state that it makes. One process writes it. What happens while a write is under way
 * shares the next one, so that many workers cost one `fdatasync`.
 */
export class Journal {
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;
  #compactAt: number;
  /** Why nothing more can be written: what was cut off could not be dropped. */
  #broken: unknown;

  private constructor(
    readonly file: string,
    public tasks: QueueTasks,
    private size: number,
    private handle: FileHandle,
  ) {
    this.#compactAt = Math.max(COMPACT_BYTES, size * 2);
  }

  /** Opens a journal, new or not, and drops what was cut off. Throws KernelError QUEUE_UNREADABLE, QUEUE_UNWRITABLE. */
  static async open(file: string): Promise<Journal> {
    const found = readJournal(file);
    try {
      const handle = await openToAppend(file);
      if (found) await handle.truncate(found.size);
      return new Journal(file, found?.tasks ?? new QueueTasks(), found?.size ?? 0, handle);
    } catch (error) {
      throw unwritable(file, error);
    }
  }

  /**
   * Applies a change at once, and resolves when it is kept. Throws KernelError QUEUE_UNWRITABLE when it cannot be: then
   * it did not happen, nor what came after it.
   */
  commit(change: Change, {isDurable = true} = {}): Promise<void> {
    if (this.#broken !== undefined) return Promise.reject(unwritable(this.file, this.#broken));
    const record: ChangeRecord = {number: this.tasks.number + 1, at: new Date().toISOString(), ...change};
    this.tasks.apply(record);
    return new Promise((resolve, reject) => {
      this.#waiting.push({line: `${JSON.stringify(record)}\n`, isDurable, resolve, reject});
      this.#writing ??= this.#write();
    });
  }

  async close(): Promise<void> {
    while (this.#writing) await this.#writing;
    await this.handle.close();
  }

  async #write(): Promise<void> {
    // What is said in the same turn of the event loop is written together.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        await this.#append(batch);
        batch.forEach(({resolve}) => resolve());
      } catch (error) {
        this.#fail(error, batch);
      }
      // What waits is in the state already, and would be written twice.
      if (this.size > this.#compactAt && this.#waiting.length === 0) await this.#compact();
    }
    this.#writing = undefined;
  }

  async #append(batch: readonly Waiting[]): Promise<void> {
    const bytes = Buffer.from(batch.map(({line}) => line).join(''));
    await this.handle.writeFile(bytes);
    if (batch.some(({isDurable}) => isDurable)) await this.handle.datasync();
    this.size += bytes.length;
  }

  /** The state is again what the file says, without what was cut off. */
  #fail(error: unknown, batch: readonly Waiting[]): void {
    const all = [...batch, ...this.#waiting];
    this.#waiting = [];
    try {
      truncateSync(this.file, this.size);
      this.tasks = readJournal(this.file)?.tasks ?? new QueueTasks();
    } catch (reason) {
      this.#broken = reason;
    }
    all.forEach(({reject}) => reject(unwritable(this.file, error)));
  }

  async #compact(): Promise<void> {
    const lines = [...snapshotOf(this.tasks)].map((line) => Buffer.from(`${JSON.stringify(line)}\n`));
    try {
      await writeAtomically(this.file, lines, {durable: true});
    } catch {
      // The journal is whole as it is, only long.
      this.#compactAt = this.size * 2;
      return;
    }
    try {
      await this.handle.close();
      this.handle = await openToAppend(this.file);
    } catch (error) {
      this.#broken = error;
    }
    this.size = lines.reduce((sum, {length}) => sum + length, 0);
    this.#compactAt = Math.max(COMPACT_BYTES, this.size * 2);
  }
}

function* snapshotOf(tasks: QueueTasks): Iterable<JournalLine> {
  const {number, fence, isPaused, limits} = tasks;
  yield {kind: 'snapshot', at: new Date().toISOString(), number, fence, isPaused, limits};
  for (const entry of [...tasks.all()].sort((a, b) => a.order - b.order)) yield {kind: 'kept', kept: keptOf(entry)};
}

function keptOf(entry: Entry): Omit<Entry, 'order'> {
  return Object.fromEntries(Object.entries(entry).filter(([key]) => key !== 'order')) as unknown as Omit<
    Entry,
    'order'
  >;
}

function unwritable(file: string, cause: unknown): KernelError {
  return new KernelError('QUEUE_UNWRITABLE', `Cannot write the journal ${file}: ${messageOf(cause)}`, {
    cause,
    hint: 'Make room on the disk, then run the same command again: what is finished stays finished.',
  });
}
