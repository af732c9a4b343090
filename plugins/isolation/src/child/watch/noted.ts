import type {Watched} from '../../wire/watched.js';

const SEND_MS = 250;
const MOST_KINDS = 100;
const LONGEST = 200;
const MOST_COUNT = 1_000_000;

/** What was seen and is not sent yet, each kind once with how often. */
export class Noted {
  readonly #seen = new Map<string, Watched>();
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly send: (watched: readonly Watched[]) => void) {}

  add(what: string, outcome: Watched['outcome']): void {
    const key = `${outcome} ${what}`;
    const known = this.#seen.get(key);
    if (!known && this.#seen.size >= MOST_KINDS) return;
    const count = Math.min((known?.count ?? 0) + 1, MOST_COUNT);
    this.#seen.set(key, {what: what.slice(0, LONGEST), outcome, count});
    this.#timer ??= setTimeout(() => this.flush(), SEND_MS).unref();
  }

  /** Sends what there is. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#seen.size === 0) return;
    const all = [...this.#seen.values()];
    this.#seen.clear();
    this.send(all);
  }
}
