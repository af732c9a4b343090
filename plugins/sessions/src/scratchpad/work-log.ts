import type {Entry, HistoryChange} from '@gemini-kernel/plugin-agent/contract';
import type {Scratchpad} from '../contract.js';
import {describeWork, noteStep, type NotedStep} from './describe-work.js';

/** Follows what is done in a session, so that its end can be described without reading it again. */
export class WorkLog {
  /** By entry, in order. */
  readonly #steps = new Map<string, readonly NotedStep[]>();
  #isStale = false;

  constructor(
    earlier: readonly Pick<Entry, 'id' | 'calls'>[],
    private readonly root: string,
  ) {
    for (const entry of earlier) this.#put(entry);
  }

  note(change: HistoryChange): void {
    if (change.kind === 'settled') return;
    this.#isStale = true;
    if (change.kind === 'put') return this.#put(change.entry);
    if (change.kind === 'rewind') return this.#rewind(change.to);
    this.#steps.clear();
    for (const entry of change.entries) this.#put(entry);
  }

  /** What was done, once there is something new to say. */
  describe(): Scratchpad | undefined {
    const steps = [...this.#steps.values()].flat();
    if (!this.#isStale || steps.length === 0) return undefined;
    this.#isStale = false;
    return describeWork(steps);
  }

  #put({id, calls = []}: Pick<Entry, 'id' | 'calls'>): void {
    this.#steps.set(
      id,
      calls.map((call) => noteStep(call, this.root)),
    );
  }

  /** Removes an entry and everything after it. */
  #rewind(to: string): void {
    if (!this.#steps.has(to)) return;
    const ids = [...this.#steps.keys()];
    for (const id of ids.slice(ids.indexOf(to))) this.#steps.delete(id);
  }
}
