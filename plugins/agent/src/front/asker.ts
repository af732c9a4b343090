import {setImmediate as turnOfEvents, setTimeout as delay} from 'node:timers/promises';
import type {Confirmation, FormReply, SentForm} from '@gemini-kernel/kernel';
import type {Asking} from './asking.js';
import type {Drawers, Reach} from './drawers.js';
import type {Key, KeyBindings} from '@gemini-kernel/terminal';
import type {Asked} from './question.js';
import type {Screen} from './screen.js';
import type {Viewing} from './views/viewing.js';

/** How long no key must have been pressed before a question accepts an answer. */
const QUIET_MS = 400;
const LEAST_MS = 250;
/** How long after an answer its remaining letters are ignored. */
const WORD_MS = 2000;

interface AskerParts {
  readonly drawers: Pick<Drawers, 'call' | 'form'>;
  readonly reach: Pick<Reach, 'edit' | 'read' | 'narrow'>;
  readonly screen: Screen;
  readonly keys: KeyBindings;
  /** Whether a command has the terminal, which then is needed back for a question. */
  isLent(): boolean;
  readonly viewing: Pick<Viewing, 'whenClosed'>;
  /** When a key was last pressed, and the same clock now. */
  lastKey(): number;
  now(): number;
  /** Called when the bottom of the screen is free for a question, or no longer needed for one. */
  onChange(): void;
}

/** A question that can be answered. */
interface Open {
  readonly isLong: boolean;
  press(key: Key): void;
  refuse(): void;
  refresh(): void;
}

/** Asks one question after the other. Text typed before a question appears never answers it. */
export class Asker {
  #last: Promise<unknown> = Promise.resolve();
  #open: Open | undefined;
  #isPreparing = false;
  /** Calls that are not yet asked about, and those of them that the person has allowed. */
  readonly #waiting = new Set<Asked>();
  readonly #allowed = new Set<Asked>();
  #rest = {text: '', until: 0, wasTyped: false};

  constructor(private readonly parts: AskerParts) {}

  /** Whether the bottom of the screen belongs to a question. */
  get isAsking(): boolean {
    return this.#isPreparing || this.#open !== undefined;
  }

  /** Whether a key moves by a page in the list of the open question, and so does not scroll the history. */
  pages(key: Key): boolean {
    const act = key.kind === 'key' ? this.parts.keys.actOf('list', key.name) : undefined;
    return (act === 'page-up' || act === 'page-down') && this.#open?.isLong === true;
  }

  /** Asks about a call; rejects with the reason of its signal. */
  async ask(asked: Asked, signal: AbortSignal): Promise<Confirmation> {
    this.#waiting.add(asked);
    const reach: Reach = {
      ...this.parts.reach,
      waiting: () => [...this.#waiting],
      allow: (calls) => calls.forEach((one) => this.#allowed.add(one)),
    };
    const begin = (): Asking<Confirmation> => {
      this.#waiting.delete(asked);
      return this.parts.drawers.call(asked, reach);
    };
    try {
      return await this.#inTurn(begin, signal, () => (this.#allowed.has(asked) ? {decision: 'yes'} : undefined));
    } finally {
      this.#waiting.delete(asked);
      this.#allowed.delete(asked);
    }
  }

  /** Shows a form; rejects with the reason of its signal. */
  fill(form: SentForm, signal: AbortSignal): Promise<FormReply> {
    return this.#inTurn(() => this.parts.drawers.form(form), signal);
  }

  #inTurn<A extends object>(make: () => Asking<A>, signal: AbortSignal, known?: () => A | undefined): Promise<A> {
    const asking = this.#last.then(() => known?.() ?? this.#ask(make, signal));
    this.#last = asking.catch(() => undefined);
    return asking;
  }

  /** Passes a key to the current question; returns whether the question used it. */
  press(key: Key): boolean {
    const open = this.#open;
    if (!open) return this.#belongsToAnswer(key);
    open.press(key);
    return true;
  }

  /** Whether a key only continues or ends the word whose first letter was the answer. */
  #belongsToAnswer(key: Key): boolean {
    const {text, until, wasTyped} = this.#rest;
    const isNext = key.kind === 'text' && text !== '' && text.startsWith(key.text.toLowerCase());
    const isEnd = key.kind === 'key' && key.name === 'enter' && wasTyped;
    const belongs = this.parts.now() < until && (isNext || isEnd);
    this.#rest =
      belongs && isNext
        ? {text: text.slice(key.text.length), until, wasTyped: true}
        : {text: '', until: 0, wasTyped: false};
    return belongs;
  }

  /** Refuses the open question, because the person stopped. */
  refuse(): void {
    this.#open?.refuse();
  }

  refresh(): void {
    this.#open?.refresh();
  }

  async #ask<A extends object>(make: () => Asking<A>, signal: AbortSignal): Promise<A> {
    signal.throwIfAborted();
    await this.parts.viewing.whenClosed(signal);
    const question = make();
    const isLent = this.parts.isLent();
    this.#isPreparing = true;
    if (isLent) this.parts.screen.acquire();
    this.parts.onChange();
    try {
      question.introduce();
      await this.#awaitQuiet(signal);
      const answer = await this.#awaitAnswer(question, signal);
      this.parts.screen.prompt(undefined);
      return answer;
    } catch (error) {
      question.withdraw();
      throw error;
    } finally {
      this.#isPreparing = false;
      this.#open = undefined;
      this.parts.onChange();
      if (isLent && this.parts.isLent()) this.parts.screen.release();
    }
  }

  async #awaitQuiet(signal: AbortSignal): Promise<void> {
    const {now, lastKey} = this.parts;
    const from = now();
    for (;;) {
      const left = Math.max(lastKey() + QUIET_MS, from + LEAST_MS) - now();
      if (left > 0)
        await delay(Math.ceil(left), undefined, {signal}).catch((error: unknown) => {
          signal.throwIfAborted();
          throw error;
        });
      const before = lastKey();
      // Input that has arrived meanwhile is delivered before this resumes.
      await turnOfEvents();
      signal.throwIfAborted();
      if (left <= 0 && lastKey() === before) return;
    }
  }

  #awaitAnswer<A extends object>(question: Asking<A>, signal: AbortSignal): Promise<A> {
    return new Promise((resolve, reject) => {
      const onAbort = (): void => reject(signal.reason as Error);
      signal.addEventListener('abort', onAbort, {once: true});
      const settle = (answer: A): void => {
        signal.removeEventListener('abort', onAbort);
        this.#open = undefined;
        resolve(answer);
      };
      this.#open = {
        get isLong() {
          return question.isLong ?? false;
        },
        press: (key) => {
          const answer = question.press(key);
          if (!answer) return;
          this.#rest = {text: question.restOfAnswer, until: this.parts.now() + WORD_MS, wasTyped: false};
          settle(answer);
        },
        refuse: () => settle(question.refusal),
        refresh: () => question.refresh(),
      };
      question.open();
    });
  }
}
