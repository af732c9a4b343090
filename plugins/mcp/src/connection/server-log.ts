import {rm, type FileHandle} from 'node:fs/promises';
import {dirname} from 'node:path';
import {makePrivateFolder, openToAppend, readText} from '@gemini-kernel/files';

/** Bytes that one run of a server may add to its log. */
const MOST = 1024 * 1024;
/** The part that a sentence about a failure quotes. */
const QUOTED = 300;

/** What a server prints beside the protocol, in a file of this user that the next run overwrites. */
export class ServerLog {
  #file: Promise<FileHandle | undefined> | undefined;
  #written = 0;
  #tail = '';
  #isClosed = false;
  #last: Promise<unknown> = Promise.resolve();

  constructor(readonly path: string) {}

  /** Never throws: a log that cannot be written is lost, and the server still works. */
  write(text: string): void {
    this.#tail = `${this.#tail}${text}`.slice(-4096);
    const bytes = Buffer.from(text);
    if (this.#isClosed || this.#written >= MOST) return;
    const part = bytes.subarray(0, MOST - this.#written);
    this.#written += part.length;
    this.#last = this.#last.then(async () => {
      this.#file ??= openLog(this.path);
      await (await this.#file)?.write(part).catch(() => undefined);
    });
  }

  /** The last line with something in it, for an error that quotes it. */
  lastLine(): string | undefined {
    const line = this.#tail.trimEnd().split('\n').at(-1)?.trim();
    return line === undefined || line === '' ? undefined : line.slice(0, QUOTED);
  }

  /** What is written later is lost. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#last;
    await (await this.#file)?.close().catch(() => undefined);
  }
}

async function openLog(path: string): Promise<FileHandle | undefined> {
  const start = async (): Promise<FileHandle> => {
    await makePrivateFolder(dirname(path));
    await rm(path, {force: true});
    return openToAppend(path);
  };
  return start().catch(() => undefined);
}

/** The log of the last run; empty when there is none. */
export async function readLog(path: string): Promise<string> {
  try {
    return await readText(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
