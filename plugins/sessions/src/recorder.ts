import type {FileHandle} from 'node:fs/promises';
import {dirname} from 'node:path';
import {makePrivateFolder, openToAppend} from '@gemini-kernel/files';
import type {Tell} from '@gemini-kernel/kernel';
import type {HistoryChange} from '@gemini-kernel/plugin-agent/contract';
import {entryToLine} from './entry-to-line.js';
import {lineOf, type Metadata} from './records.js';
import {systemCode, systemReason} from './system-code.js';

/** How much to buffer for a full disk before recording stops. */
const MOST_PENDING = 16 * 1024 * 1024;

export interface RecorderParts {
  readonly file: string;
  /** The first line of a new file. */
  readonly metadata: Metadata;
  /** Whether the file is being continued. */
  readonly goesOn: boolean;
  /** The name of the session, which is written again with each turn: lists read the end of the file only. */
  readonly title?: string | undefined;
  readonly tell: Tell;
}

/**
 * Appends to one session file, line by line and in order. Never throws for disk errors: it warns once, and resumes
 * when it can.
 */
export class Recorder {
  readonly #parts: RecorderParts;
  #title: string | undefined;
  #handle: FileHandle | undefined;
  #last: Promise<unknown> = Promise.resolve();
  /** What is not yet written. */
  #pending: Buffer[] = [];
  #isBehind = false;
  #hasGivenUp = false;
  /** The last line in the file may be truncated. */
  #isTorn: boolean;

  constructor(parts: RecorderParts) {
    this.#parts = parts;
    this.#title = parts.title;
    this.#isTorn = parts.goesOn;
  }

  get file(): string {
    return this.#parts.file;
  }

  /** Records a change. Resolves when the system has it; after `settled`, when the disk has it. */
  change(change: HistoryChange): Promise<void> {
    const settles = change.kind === 'settled';
    return this.#inOrder(() => this.#write(recordOf(change, this.#title), settles));
  }

  /** Sets fields of the session as a whole. */
  set(values: Partial<Pick<Metadata, 'directories' | 'summary'>>): Promise<void> {
    this.#title = values.summary ?? this.#title;
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
      // Start a new line whatever the last one is; readers ignore an empty line.
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
        `This conversation is no longer being recorded: ${systemReason(error)} (${this.#parts.file}). It ` +
          'continues, and recording resumes as soon as possible.',
      );
    } else if (isTooMuch) {
      this.#say(
        'Too much is waiting for a disk that cannot be written: the rest of this conversation is not ' +
          `recorded (${this.#parts.file}).`,
      );
    }
    this.#isBehind = true;
    this.#hasGivenUp = isTooMuch;
    if (isTooMuch) this.#pending = [];
  }
}

function recordOf(change: HistoryChange, title: string | undefined): object {
  const lastUpdated = new Date().toISOString();
  if (change.kind === 'put') return entryToLine(change.entry);
  if (change.kind === 'rewind') return {$rewindTo: change.to};
  if (change.kind === 'replace') return {$set: {messages: change.entries.map(entryToLine), lastUpdated}};
  return {$set: {...(title === undefined ? {} : {summary: title}), lastUpdated, kernel: {settled: true}}};
}
