import {KernelError} from '@gemini-kernel/kernel';
import {textOf, toMessages} from './entry-text.js';
import {freezeJson} from './freeze-json.js';
import type {Entry, HistoryChange, Message, Piece} from './contract.js';

interface Parts {
  newId(): string;
  /** Announces a change; resolves when each listener has answered. */
  announce(change: HistoryChange): Promise<void>;
}

type Content = Pick<Entry, 'kind'> & Partial<Omit<Entry, 'kind' | 'message'>> & {readonly pieces: readonly Piece[]};

/**
 * The entries of one conversation. Every change is announced before the caller continues. Entries are frozen: each
 * request shows all of them to listeners, and only what is frozen is not copied for that.
 */
export class History {
  #entries: Entry[] = [];
  #revision = 0;

  constructor(private readonly parts: Parts) {}

  get entries(): readonly Entry[] {
    return this.#entries;
  }

  /** Another number after each change. */
  get revision(): number {
    return this.#revision;
  }

  get messages(): readonly Message[] {
    return toMessages(this.#entries);
  }

  /** Entries from an earlier run; not announced, because listeners provided them. */
  load(entries: readonly Entry[]): void {
    this.#revision += 1;
    this.#entries = entries.map(freezeJson);
  }

  /** Creates an entry without adding it. */
  make({pieces, id = this.parts.newId(), time = new Date().toISOString(), ...rest}: Content): Entry {
    return {...rest, id, time, message: {role: rest.kind === 'model' ? 'model' : 'user', pieces}};
  }

  /** Appends an entry, or replaces the one with its id. */
  async put(given: Entry): Promise<Entry> {
    const entry = freezeJson(given);
    this.#revision += 1;
    const at = this.#entries.findLastIndex(({id}) => id === entry.id);
    if (at < 0) this.#entries.push(entry);
    else this.#entries[at] = entry;
    await this.parts.announce({kind: 'put', entry});
    return entry;
  }

  async replace(entries: readonly Entry[], why: 'start' | 'compressed'): Promise<void> {
    this.#revision += 1;
    this.#entries = entries.map(freezeJson);
    await this.parts.announce({kind: 'replace', entries, why});
  }

  /** Removes a prompt and everything after it. Throws KernelError PROMPT_UNKNOWN. */
  async rewind(id: string): Promise<string> {
    const at = this.#entries.findIndex((entry) => entry.id === id && entry.origin === 'person');
    const entry = this.#entries[at];
    if (!entry)
      throw new KernelError('PROMPT_UNKNOWN', `There is no prompt ${id} in this conversation.`, {
        hint: 'List the prompts with gemini sessions show.',
      });
    this.#revision += 1;
    this.#entries = this.#entries.slice(0, at);
    await this.parts.announce({kind: 'rewind', to: id});
    return entry.shown ?? textOf(entry.message);
  }

  settle(): Promise<void> {
    return this.parts.announce({kind: 'settled'});
  }
}
