import {dirname} from 'node:path';
import {makePrivateFolder, readTextSync} from '@gemini-kernel/files';
import type {SkillHead} from './skill-head.js';

/** Grows with the form of the file. */
const FORM = 1;
/** A file that changed within this time may change again without a new time. */
const FRESH_MS = 2000;
/** A file with more heads keeps only those that were just seen. */
const MOST = 1000;
const LARGEST = 4 * 1024 * 1024;

interface Noted {
  readonly mark: string;
  readonly head: SkillHead;
}

interface Place {
  readonly file: string;
  /** Milliseconds since 1970. */
  now(): number;
}

/**
 * Heads of skills as they were when they were last read, in one file of the person: a start that opens each of thirty
 * files waits longer. A head counts while its file has the same times, size and inode.
 */
export class NotedHeads {
  readonly #before: ReadonlyMap<string, Noted>;
  readonly #seen = new Map<string, Noted>();
  #isChanged = false;

  constructor(private readonly place: Place) {
    this.#before = readNoted(place.file);
  }

  find(file: string, mark: string): SkillHead | undefined {
    const noted = this.#before.get(file);
    if (noted?.mark !== mark) return undefined;
    this.#seen.set(file, noted);
    return noted.head;
  }

  note(file: string, noted: Noted, changedMs: number): void {
    if (Math.abs(this.place.now() - changedMs) < FRESH_MS) return;
    this.#seen.set(file, noted);
    this.#isChanged = true;
  }

  /** Writes what is new. Where it cannot be written, the next start reads the skills. */
  async keep(): Promise<void> {
    if (!this.#isChanged) return;
    this.#isChanged = false;
    const all = new Map([...this.#before, ...this.#seen]);
    const heads = Object.fromEntries(all.size > MOST ? this.#seen : all);
    const {writeAtomically} = await import('@gemini-kernel/files/writing');
    try {
      await makePrivateFolder(dirname(this.place.file));
      await writeAtomically(this.place.file, JSON.stringify({form: FORM, heads}), {durable: false});
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    }
  }
}

function readNoted(file: string): ReadonlyMap<string, Noted> {
  try {
    const {form, heads} = JSON.parse(readTextSync(file, LARGEST)) as {form?: unknown; heads?: Record<string, unknown>};
    if (form !== FORM || typeof heads !== 'object') return new Map();
    return new Map(Object.entries(heads).filter((entry): entry is [string, Noted] => isNoted(entry[1])));
  } catch {
    // Never written, or not by this version.
    return new Map();
  }
}

function isNoted(value: unknown): value is Noted {
  const {mark, head} = (value ?? {}) as {mark?: unknown; head?: Partial<Record<keyof SkillHead, unknown>>};
  return typeof mark === 'string' && typeof head?.name === 'string' && typeof head.description === 'string';
}
