import type {Answers, Requests, Send} from './reach.js';

/** What a call does: it reaches its client by `send` until the signal aborts. */
export type Act<T> = (send: Send, signal: AbortSignal) => Promise<T>;

/** How far a call came: its result, what it asks, or neither within the time that was given. */
export type Step<T> = {readonly result: T} | {readonly requests: Requests} | {readonly isLate: true};

/** How a call stands at this moment. */
export type Standing<T> =
  | {readonly status: 'working'}
  | {readonly status: 'input_required'; readonly requests: Requests}
  | {readonly status: 'completed'; readonly result: T}
  | {readonly status: 'failed'; readonly error: unknown};

interface Pending {
  readonly request: Requests[string];
  answer(value: Answers[string] | undefined): void;
}

/** A call that stops with questions to its client, and continues when another request has brought the answers. */
export class PausableCall<T> {
  readonly #end = new AbortController();
  readonly #result: Promise<Step<T>>;
  readonly #pending = new Map<string, Pending>();
  readonly #used = new Set<string>();
  #ended: Standing<T> | undefined;
  #tellAsked: () => void = () => undefined;
  #changed: () => void = () => undefined;

  constructor(act: Act<T>) {
    this.#result = act((requests, signal) => this.#ask(requests, signal), this.#end.signal).then(
      (result) => this.#finish({status: 'completed', result}, {result}),
      (error: unknown) => {
        this.#finish({status: 'failed', error}, undefined);
        throw error;
      },
    );
    // A call that fails while it is paused is reported when it continues.
    this.#result.catch(() => undefined);
  }

  /** From now on, `changed` hears of every change of its standing, and now. */
  onChange(changed: () => void): void {
    this.#changed = changed;
    changed();
  }

  get standing(): Standing<T> {
    if (this.#ended) return this.#ended;
    if (this.#pending.size === 0) return {status: 'working'};
    return {status: 'input_required', requests: this.#asked()};
  }

  /** Until the call ends or asks, or the time is up. Aborting the signal ends the call. */
  async step(signal: AbortSignal, limitMs?: number): Promise<Step<T>> {
    const abort = (): void => this.abort(signal.reason);
    signal.addEventListener('abort', abort, {once: true});
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<Step<T>>((resolve) => {
      if (limitMs !== undefined) timer = setTimeout(() => resolve({isLate: true}), limitMs);
    });
    try {
      return await Promise.race([this.#result, this.#nextQuestion(), late]);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    }
  }

  /** Takes answers to what it asks; other names are ignored. */
  answer(answers: Readonly<Record<string, unknown>>): void {
    for (const [name, {answer}] of [...this.#pending]) {
      const value = answers[name];
      if (typeof value !== 'object' || value === null || Array.isArray(value)) continue;
      this.#pending.delete(name);
      answer(value as Answers[string]);
    }
    this.#changed();
  }

  abort(reason: unknown): void {
    this.#end.abort(reason);
    for (const {answer} of this.#pending.values()) answer(undefined);
    this.#pending.clear();
  }

  #finish(ended: Standing<T>, step: Step<T> | undefined): Step<T> {
    this.#ended = ended;
    this.#changed();
    return step ?? {isLate: true};
  }

  #asked(): Requests {
    return Object.fromEntries([...this.#pending].map(([name, {request}]) => [name, request]));
  }

  #nextQuestion(): Promise<Step<T>> {
    return new Promise((resolve) => {
      const tell = (): void => resolve({requests: this.#asked()});
      if (this.#pending.size > 0) tell();
      else this.#tellAsked = tell;
    });
  }

  async #ask(requests: Requests, signal: AbortSignal): Promise<Answers | undefined> {
    if (this.#end.signal.aborted || signal.aborted) return undefined;
    const names = Object.keys(requests).map((name) => [name, this.#newName(name)] as const);
    const waiting = names.map(
      ([name, unique]) =>
        new Promise<Answers[string] | undefined>((answer) => {
          const request = requests[name];
          if (request) this.#pending.set(unique, {request, answer});
        }),
    );
    const giveUp = (): void => {
      for (const [, unique] of names) {
        this.#pending.get(unique)?.answer(undefined);
        this.#pending.delete(unique);
      }
    };
    signal.addEventListener('abort', giveUp, {once: true});
    this.#changed();
    this.#tellAsked();
    const answers = await Promise.all(waiting);
    signal.removeEventListener('abort', giveUp);
    if (answers.includes(undefined)) return undefined;
    return Object.fromEntries(names.map(([name], at) => [name, answers[at] ?? {}]));
  }

  /** A name that this call has not used, so that a late answer never counts for a later question. */
  #newName(wanted: string): string {
    let name = wanted;
    for (let next = 2; this.#used.has(name); next += 1) name = `${wanted}-${next}`;
    this.#used.add(name);
    return name;
  }
}
