import type {FileHandle} from 'node:fs/promises';
import {dirname} from 'node:path';
import {makePrivateFolder, openToAppend} from '@gemini-kernel/files';
import type {Tell} from '@gemini-kernel/kernel';
import type {HistoryChange} from '@gemini-kernel/plugin-agent/contract';
import {entryToLine} from './entry-to-line.js';
import {lineOf, type Metadata} from './records.js';
import {systemCode, systemReason} from './system-code.js';

/** How much is kept for a disk that has no room, before recording is given up. */
const MOST_PENDING = 16 * 1024 * 1024;

export interface RecorderParts {
  readonly file: string;
  /** The first line of a file that is new. */
  readonly metadata: Metadata;
  /** Whether the file goes on. */
  readonly goesOn: boolean;
  readonly tell: Tell;
}

/**
 * Appends to one session file, a line at a time and in order. Never throws for what a disk does: it warns once, and
 * goes on when it can.
 */
export class Recorder {
  readonly #parts: RecorderParts;
  #handle: FileHandle | undefined;
  #last: Promise<unknown> = Promise.resolve();
  /** What the disk has not taken. */
  #pending: Buffer[] = [];
  #isBehind = false;
  #hasGivenUp = false;
  /** The last line in the file is not known to be whole. */
  #isTorn: boolean;

  constructor(parts: RecorderParts) {
    this.#parts = parts;
    this.#isTorn = parts.goesOn;
  }

  get file(): string {
    return this.#parts.file;
  }

  /** Keeps a change. Resolves when the system has it; after `settled`, when the disk has it. */
  change(change: HistoryChange): Promise<void> {
    const settles = change.kind === 'settled';
    return this.#inOrder(() => this.#write(recordOf(change), settles));
  }

  /** Sets what stands about the session as a whole. */
  set(values: Partial<Pick<Metadata, 'directories' | 'summary'>>): Promise<void> {
    return this.#inOrder(() => this.#write({$set: values}, false));
  }

  async close(): Promise<void> {
    await this.#last;
    await this.#handle?.close();
    this.#handle = undefined;
  }

  #inOrder(act: () => Promise<void>): Promise<void> {
    const turn = this.#last.then(act);
    this.#last = turn;
    return turn;
  }

  async #write(record: object, settles: boolean): Promise<void> {
    if (this.#hasGivenUp) return;
    this.#pending.push(Buffer.from(lineOf(record)));
    try {
      this.#handle ??= await this.#open();
      await this.#flush(this.#handle);
      if (settles) await this.#handle.sync();
      if (this.#isBehind)
        this.#say('The conversation is being recorded again; nothing is missing.', 'CONVERSATION_RECORDED');
      this.#isBehind = false;
    } catch (error) {
      if (systemCode(error) === undefined) throw error;
      this.#fallBehind(error);
    }
  }

  async #open(): Promise<FileHandle> {
    const {file, goesOn, metadata} = this.#parts;
    await makePrivateFolder(dirname(file));
    const handle = await openToAppend(file, {isNew: !goesOn});
    if (!goesOn) this.#pending.unshift(Buffer.from(lineOf({...metadata, kernel: {settled: false}})));
    return handle;
  }

  async #flush(handle: FileHandle): Promise<void> {
    for (let [line] = this.#pending; line !== undefined; [line] = this.#pending) {
      // Whatever the last line is, ours begins a new one; an empty line says nothing to anybody.
      if (this.#isTorn) await handle.write('\n');
      this.#isTorn = true;
      await handle.writeFile(line);
      this.#isTorn = false;
      this.#pending.shift();
    }
  }

  #say(sentence: string, code = 'CONVERSATION_NOT_RECORDED'): void {
    this.#parts.tell({code, sentence});
  }

  #fallBehind(error: unknown): void {
    const isTooMuch = this.#pending.reduce((sum, {length}) => sum + length, 0) > MOST_PENDING;
    if (!this.#isBehind) {
      this.#say(
        `This conversation is not being recorded any more: ${systemReason(error)} (${this.#parts.file}). It goes ` +
          'on all the same, and recording goes on as soon as it can.',
      );
    } else if (isTooMuch) {
      this.#say(
        'What was said is too much to be kept for a disk that takes nothing: the rest of this conversation is not ' +
          `recorded (${this.#parts.file}).`,
      );
    }
    this.#isBehind = true;
    this.#hasGivenUp = isTooMuch;
    if (isTooMuch) this.#pending = [];
  }
}

function recordOf(change: HistoryChange): object {
  const lastUpdated = new Date().toISOString();
  if (change.kind === 'put') return entryToLine(change.entry);
  if (change.kind === 'rewind') return {$rewindTo: change.to};
  if (change.kind === 'replace') return {$set: {messages: change.entries.map(entryToLine), lastUpdated}};
  return {$set: {lastUpdated, kernel: {settled: true}}};
}
