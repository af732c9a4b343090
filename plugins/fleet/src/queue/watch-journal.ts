import {open, stat, type FileHandle} from 'node:fs/promises';
import {setTimeout} from 'node:timers/promises';
import type {QueueEvent} from '../contract.js';
import {eventOf} from './event-of.js';
import {ifMissing} from './if-missing.js';
import {linesOf} from './read-journal.js';
import type {ChangeRecord, JournalLine} from './records.js';

const PAUSE_MS = 100;
const PIECE = 1 << 20;

/** The events of a journal with a higher number than `after`, and those that are added to it, until it is aborted. */
export async function* watchJournal(file: string, after: number, signal: AbortSignal): AsyncIterable<QueueEvent> {
  const place = new Place(file);
  let last = after;
  try {
    for (;;) {
      for (const line of await place.read()) {
        if (!isChange(line) || line.number <= last) continue;
        last = line.number;
        yield eventOf(line);
      }
      if (signal.aborted) return;
      await setTimeout(PAUSE_MS, undefined, {signal}).catch(() => undefined);
      if (signal.aborted) return;
    }
  } finally {
    await place.close();
  }
}

/** How far a journal was read. One that was compacted is another file, which is read from its beginning. */
class Place {
  #handle: FileHandle | undefined;
  #inode: number | undefined;
  #at = 0;

  constructor(private readonly file: string) {}

  async read(): Promise<readonly JournalLine[]> {
    const handle = await this.#open();
    if (handle === undefined) return [];
    const pieces: Buffer[] = [];
    for (let at = this.#at; ;) {
      const {bytesRead, buffer} = await handle.read(Buffer.alloc(PIECE), 0, PIECE, at);
      if (bytesRead === 0) break;
      pieces.push(buffer.subarray(0, bytesRead));
      at += bytesRead;
    }
    const lines = [...linesOf(pieces)];
    this.#at += lines.at(-1)?.end ?? 0;
    return lines.filter(({text}) => text !== '').map(({text}) => JSON.parse(text) as JournalLine);
  }

  async close(): Promise<void> {
    await this.#handle?.close();
    this.#handle = undefined;
  }

  async #open(): Promise<FileHandle | undefined> {
    const found = await stat(this.file).catch(ifMissing);
    if (!found?.isFile()) return undefined;
    if (this.#handle && found.ino === this.#inode && found.size >= this.#at) return this.#handle;
    await this.close();
    this.#at = 0;
    this.#inode = found.ino;
    return (this.#handle = await open(this.file, 'r'));
  }
}

function isChange(line: JournalLine): line is ChangeRecord {
  return line.kind !== 'snapshot' && line.kind !== 'kept';
}
