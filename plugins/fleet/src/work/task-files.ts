import {mkdir, rm, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {readText} from '@gemini-kernel/files';
import {ifMissing} from '../queue/if-missing.js';
import type {RunEnd} from './task-run.js';
import {readTokens} from './worker-report.js';

/** A run that ended, in its session. */
export interface Ran {
  readonly session: string;
  readonly end: RunEnd;
  readonly seconds: number;
}

/**
 * What this machine knows of a task between its attempts. It is written here, and not only in the queue, since it is
 * needed here alone, and a process may be killed before it could tell the queue.
 */
export class TaskFiles {
  /** Runs of the task report their tokens in it. */
  readonly report: string;

  /** In the folder of a fleet. */
  constructor(folder: string, name: string) {
    this.report = join(folder, 'reports', name);
  }

  async open(): Promise<void> {
    await mkdir(dirname(this.report), {recursive: true, mode: 0o700});
  }

  tokens(): Promise<number> {
    return readTokens(this.report);
  }

  /** The session that works in the checkout that is there; undefined while none was whole. */
  async session(): Promise<string | undefined> {
    const text = await readText(this.#of('session')).catch(ifMissing);
    return text === '' ? undefined : text;
  }

  /** Notes that the checkout is whole, before its session begins. */
  async begin(session: string): Promise<void> {
    await writeFile(this.#of('session'), session, {mode: 0o600});
  }

  /** Before the checkout is made again. */
  async forget(): Promise<void> {
    for (const kind of ['session', 'end'] as const) await rm(this.#of(kind), {force: true});
  }

  /** A run that was done, and whose result did not come to be kept. */
  async ended(session: string): Promise<Ran | undefined> {
    const text = (await readText(this.#of('end')).catch(ifMissing)) ?? '';
    const ran = parse(text);
    return ran?.session === session ? ran : undefined;
  }

  async keep(ran: Ran): Promise<void> {
    await writeFile(this.#of('end'), JSON.stringify(ran), {mode: 0o600});
  }

  /** Gives the file with the schema of the answer. */
  async writeSchema(schema: unknown): Promise<string> {
    const file = this.#of('schema.json');
    await writeFile(file, JSON.stringify(schema), {mode: 0o600});
    return file;
  }

  async clear(): Promise<void> {
    await this.forget();
    await rm(this.#of('schema.json'), {force: true});
    await rm(this.report, {force: true});
  }

  #of(kind: 'session' | 'end' | 'schema.json'): string {
    return `${this.report}.${kind}`;
  }
}

function parse(text: string): Ran | undefined {
  try {
    return JSON.parse(text) as Ran;
  } catch {
    // It was cut off with its process: the session knows what was done.
    return undefined;
  }
}
