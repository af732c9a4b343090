import type {FileHandle} from 'node:fs/promises';
import {dirname} from 'node:path';
import {makePrivateFolder, openToAppend} from '@gemini-kernel/files';
import type {Tell} from '@gemini-kernel/kernel';
import type {Entry, HistoryChange} from '@gemini-kernel/plugin-agent/contract';
import {entryToLine} from './entry-to-line.js';
import {lineOf, type Metadata} from './records.js';
import type {WorkLog} from './scratchpad/work-log.js';
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
  /** Where the project is: what was done is described at the end. */
  readonly root?: string | undefined;
  /** What the session had before. */
  readonly earlier?: readonly Entry[];
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
  #work: Promise<WorkLog> | undefined;
  /** Entries before the first call. */
  readonly #quiet: Pick<Entry, 'id' | 'calls'>[];

  constructor(parts: RecorderParts) {
    this.#parts = parts;
    this.#title = parts.title;
    this.#isTorn = parts.goesOn;
    this.#quiet = [...(parts.earlier ?? [])];
  }

  get file(): string {
    return this.#parts.file;
  }

  /** Records a change. Resolves when the system has it; after `settled`, when the disk has it. */
  change(change: HistoryChange): Promise<void> {
    const settles = change.kind === 'settled';
    this.#follow(change);
    return this.#inOrder(() => this.#write(recordOf(change, this.#title), settles));
  }

  /** Sets fields of the session as a whole. */
  set(values: Partial<Pick<Metadata, 'directories' | 'summary' | 'memoryScratchpad'>>): Promise<void> {
    this.#title = values.summary ?? this.#title;
    return this.#inOrder(() => this.#write({$set: values}, false));
  }

  async close(): Promise<void> {
    const memoryScratchpad = (await this.#work)?.describe();
    if (memoryScratchpad) void this.set({memoryScratchpad});
    await this.#last;
    await this.#handle?.close();
    this.#handle = undefined;
  }

  /** A session without calls has nothing to describe, and loads nothing for it. */
  #follow(change: HistoryChange): void {
    const {root} = this.#parts;
    if (root === undefined) return;
    if (!this.#work && !hasCalls(change) && !this.#quiet.some(isWork)) {
      if (change.kind === 'put') this.#quiet.push({id: change.entry.id});
      return;
    }
    this.#work ??= import('./scratchpad/work-log.js').then(({WorkLog}) => new WorkLog(this.#quiet.splice(0), root));
    this.#work = this.#work.then((work) => {
      work.note(change);
      return work;
    });
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

function isWork({calls = []}: Pick<Entry, 'calls'>): boolean {
  return calls.length > 0;
}

function hasCalls(change: HistoryChange): boolean {
  if (change.kind === 'put') return isWork(change.entry);
  return change.kind === 'replace' && change.entries.some(isWork);
}

function recordOf(change: HistoryChange, title: string | undefined): object {
  const lastUpdated = new Date().toISOString();
  if (change.kind === 'put') return entryToLine(change.entry);
  if (change.kind === 'rewind') return {$rewindTo: change.to};
  if (change.kind === 'replace') return {$set: {messages: change.entries.map(entryToLine), lastUpdated}};
  return {$set: {...(title === undefined ? {} : {summary: title}), lastUpdated, kernel: {settled: true}}};
}
