import {makeVisible} from '@gemini-kernel/command/visible';
import {
  edits,
  emptyDraft,
  moveLine,
  namePaste,
  paste,
  startFrom,
  textOf,
  type,
  splice,
  type Draft,
} from './edit-text.js';
import type {Graphemes} from './graphemes.js';
import {KeyBindings} from './bindings/key-bindings.js';
import type {Key} from './keys.js';

/** Actions of the prompt that its owner performs. */
export type Act =
  'submit' | 'interrupt' | 'end' | 'escape' | 'complete' | 'clear' | 'mode' | 'editor' | 'keys' | 'suspend';

export interface LineSettings {
  /** Earlier prompts. */
  readonly history?: readonly string[];
  /** What stands before the text. */
  readonly label?: string;
  readonly keys?: KeyBindings;
}

/** The visible state of a prompt: its characters as displayed, and the position of the cursor. */
export interface InputView {
  readonly label: string;
  readonly cells: readonly string[];
  readonly cursor: number;
}

interface Search {
  readonly query: string;
  /** Index of the match in the history; undefined = no match. */
  readonly at: number | undefined;
  readonly before: Draft;
}

/** A prompt being edited: text, earlier prompts and the search in them. Does not touch the terminal. */
export class LineInput {
  #draft = emptyDraft;
  #search: Search | undefined;
  /** The displayed entry; the length of the history means the new draft. */
  #at: number;
  #begun = emptyDraft;
  private readonly history: readonly string[];
  private readonly label: string;
  private readonly keys: KeyBindings;

  constructor(
    private readonly graphemes: Graphemes,
    {history = [], label = '> ', keys = new KeyBindings()}: LineSettings = {},
  ) {
    this.history = history;
    this.label = label;
    this.keys = keys;
    this.#at = history.length;
  }

  get isEmpty(): boolean {
    return this.#draft.text === '';
  }

  get draft(): Draft {
    return this.#draft;
  }

  /** The text as sent, including long pastes. */
  get text(): string {
    return textOf(this.#draft);
  }

  /** Empties the prompt; with `keep`, undo brings the text back. */
  clear({keep = false} = {}): void {
    this.#draft = keep ? startFrom(this.#draft, '') : {...emptyDraft, kills: this.#draft.kills};
    this.#search = undefined;
    this.#at = this.history.length;
  }

  set(text: string): void {
    this.#draft = startFrom(this.#draft, text);
  }

  /** Replaces the text between two positions with `inserted`. */
  replace(from: number, to: number, inserted: string): void {
    this.#draft = splice(this.#draft, from, to, inserted);
  }

  press(key: Key): Act | undefined {
    if (this.#search) return this.#pressInSearch(this.#search, key);
    const name = key.kind === 'key' ? this.keys.actOf('prompt', key.name) : undefined;
    if (key.kind === 'key') return name === undefined ? undefined : this.#command(name);
    if (key.kind === 'text' && key.text === '?' && this.isEmpty) return 'keys';
    this.#draft = key.kind === 'paste' ? paste(this.#draft, key.text) : type(this.#draft, key.text);
    return undefined;
  }

  #command(name: string): Act | undefined {
    switch (name) {
      case 'up':
      case 'down':
        this.#upOrDown(name === 'up' ? -1 : 1);
        return undefined;
      case 'earlier':
      case 'later':
        this.#recall(name === 'earlier' ? -1 : 1);
        return undefined;
      case 'search':
        this.#search = {query: '', at: undefined, before: this.#draft};
        return undefined;
      case 'submit':
        return this.#submit();
      case 'end':
        if (this.isEmpty) return 'end';
        return this.#command('delete-right');
      default: {
        const edit = edits[name];
        if (!edit) return name as Act;
        this.#draft = edit(this.#draft, this.graphemes);
        return undefined;
      }
    }
  }

  /** A backslash at the end asks for another line. */
  #submit(): Act | undefined {
    const {text, cursor} = this.#draft;
    const backslashes = /\\*$/.exec(text)?.[0].length ?? 0;
    if (cursor !== text.length || backslashes % 2 === 0) return 'submit';
    this.#draft = splice(this.#draft, cursor - 1, cursor, '\n');
    return undefined;
  }

  #upOrDown(by: -1 | 1): void {
    const moved = moveLine(this.#draft, this.graphemes, by);
    if (moved) this.#draft = moved;
    else this.#recall(by);
  }

  #recall(by: -1 | 1): void {
    const at = this.#at + by;
    if (at < 0 || at > this.history.length) return;
    if (this.#at === this.history.length) this.#begun = this.#draft;
    this.#at = at;
    const text = this.history[at];
    this.#draft =
      text === undefined ? this.#begun : {...emptyDraft, kills: this.#draft.kills, text, cursor: text.length};
  }

  #find(query: string, from: number): number | undefined {
    const at =
      query === ''
        ? -1
        : this.history.findLastIndex(
            (entry, index) => index <= from && entry.toLowerCase().includes(query.toLowerCase()),
          );
    return at < 0 ? undefined : at;
  }

  #pressInSearch(search: Search, key: Key): Act | undefined {
    if (key.kind !== 'key') {
      this.#lookFor(search, search.query + key.text.replace(/[\r\n]+/g, ' '), this.history.length);
      return undefined;
    }
    const act = this.keys.actOf('search', key.name);
    switch (act) {
      case 'delete-left':
        this.#lookFor(search, this.graphemes.split(search.query).slice(0, -1).join(''), this.history.length);
        return undefined;
      case 'older':
        this.#lookFor(search, search.query, (search.at ?? this.history.length) - 1);
        return undefined;
      case 'cancel':
        this.#draft = search.before;
        this.#search = undefined;
        return undefined;
      default:
        this.#takeMatch(search);
        // Another key that ends the search also does its own work.
        return act === 'take' ? undefined : this.press(key);
    }
  }

  #takeMatch(search: Search): void {
    this.#search = undefined;
    const text = search.at === undefined ? undefined : this.history[search.at];
    if (text !== undefined) this.#draft = startFrom(search.before, text);
  }

  #lookFor(search: Search, query: string, from: number): void {
    const at = this.#find(query, from);
    // If there is no further match, the current one stays.
    this.#search = {...search, query, at: at ?? (query === search.query ? search.at : undefined)};
  }

  get view(): InputView {
    if (this.#search) {
      const {query, at} = this.#search;
      const found = at === undefined ? '' : (this.history[at] ?? '');
      const state = query !== '' && at === undefined ? 'no match for' : 'search';
      const cells = this.#cellsOf(found, []);
      return {label: `(${state} "${makeVisible(query)}") `, cells, cursor: cells.length};
    }
    const {text, cursor, pastes} = this.#draft;
    const before = this.#cellsOf(text.slice(0, cursor), pastes);
    return {label: this.label, cells: [...before, ...this.#cellsOf(text.slice(cursor), pastes)], cursor: before.length};
  }

  #cellsOf(text: string, pastes: readonly string[]): readonly string[] {
    return this.graphemes
      .split(text)
      .map((one) => namePaste(one, pastes) ?? (one === '\t' ? '    ' : makeVisible(one)));
  }
}
