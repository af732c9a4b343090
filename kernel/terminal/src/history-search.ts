import {makeVisible} from '@gemini-kernel/command/visible';
import type {KeyBindings} from './bindings/key-bindings.js';
import type {Graphemes} from './graphemes.js';
import type {Key} from './keys.js';

interface SearchParts {
  readonly history: readonly string[];
  readonly graphemes: Graphemes;
  readonly keys: KeyBindings;
}

/** A search in earlier prompts, from the newest to the oldest. */
export class HistorySearch {
  #query = '';
  /** Index of the match; undefined: there is none. */
  #at: number | undefined;

  constructor(private readonly parts: SearchParts) {}

  get match(): string | undefined {
    return this.#at === undefined ? undefined : this.parts.history[this.#at];
  }

  /** What stands before the match. */
  get label(): string {
    const state = this.#query !== '' && this.#at === undefined ? 'no match for' : 'search';
    return `(${state} "${makeVisible(this.#query)}") `;
  }

  /** What comes next: more keys, the prompt with the match (`take`) or without, or with it and this key (`leave`). */
  press(key: Key): 'continue' | 'take' | 'cancel' | 'leave' {
    const {history, graphemes, keys} = this.parts;
    if (key.kind !== 'key') {
      this.#lookFor(this.#query + key.text.replace(/[\r\n]+/g, ' '), history.length);
      return 'continue';
    }
    const act = keys.actOf('search', key.name);
    if (act === 'take' || act === 'cancel') return act;
    if (act === 'delete-left') this.#lookFor(graphemes.split(this.#query).slice(0, -1).join(''), history.length);
    else if (act === 'older') this.#lookFor(this.#query, (this.#at ?? history.length) - 1);
    else return 'leave';
    return 'continue';
  }

  #lookFor(query: string, from: number): void {
    const wanted = query.toLowerCase();
    const at =
      query === ''
        ? -1
        : this.parts.history.findLastIndex((entry, index) => index <= from && entry.toLowerCase().includes(wanted));
    // If there is no further match, the current one stays.
    this.#at = at >= 0 ? at : query === this.#query ? this.#at : undefined;
    this.#query = query;
  }
}
