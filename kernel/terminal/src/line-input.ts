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
import {HistorySearch} from './history-search.js';
import type {Graphemes} from './graphemes.js';
import {invert} from './style.js';
import {KeyBindings} from './bindings/key-bindings.js';
import type {Key} from './keys.js';
import type {Act, LineSettings} from './line-settings.js';
import {Vim, type VimMode} from './vim/vim.js';

/** So many characters are typed before an earlier prompt is offered. */
const LEAST_TYPED = 3;

/** The visible state of a prompt: its characters as displayed, and the position of the cursor. */
export interface InputView {
  readonly label: string;
  readonly cells: readonly string[];
  readonly cursor: number;
}

/** A prompt being edited: text, earlier prompts and the search in them. Does not touch the terminal. */
export class LineInput {
  #draft = emptyDraft;
  #search: HistorySearch | undefined;
  /** The displayed entry; the length of the history means the new draft. */
  #at: number;
  #begun = emptyDraft;
  private readonly history: readonly string[];
  private readonly label: string;
  private readonly offersEarlier: boolean;
  private readonly keys: KeyBindings;
  #vim: Vim | undefined;

  constructor(
    private readonly graphemes: Graphemes,
    {history = [], label = '> ', keys = new KeyBindings(), isVim = false, offersEarlier = false}: LineSettings = {},
  ) {
    this.offersEarlier = offersEarlier;
    this.history = history;
    this.label = label;
    this.keys = keys;
    this.#at = history.length;
    if (isVim) this.toggleVim();
  }

  /** Switches the keys of vim on or off; returns whether they are on. */
  toggleVim(): boolean {
    this.#vim = this.#vim ? undefined : new Vim(this.graphemes, (draft, key) => this.#type(draft, key));
    return this.#vim !== undefined;
  }

  /** The mode of vim, if its keys are on. */
  get vimMode(): VimMode | undefined {
    return this.#vim?.mode;
  }

  get isEmpty(): boolean {
    return this.#draft.text === '';
  }

  /** Whether nothing is typed and nothing is looked for. */
  get isBlank(): boolean {
    return this.isEmpty && !this.#search;
  }

  get draft(): Draft {
    return this.#draft;
  }

  /** How an earlier prompt continues that starts with the text, while the cursor is at its end; else nothing. */
  get ghost(): string {
    const {text, cursor, pastes} = this.#draft;
    const isTyped = cursor === text.length && text.length >= LEAST_TYPED && pastes.length === 0;
    if (!this.offersEarlier || !isTyped || this.#search || this.#isCommanding || text.includes('\n')) return '';
    const earlier = this.history.findLast((one) => one.length > text.length && one.startsWith(text));
    return earlier?.slice(text.length).split('\n')[0] ?? '';
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
    this.#vim?.reset();
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
    if (key.kind === 'text' && key.text === '?' && this.isEmpty) return 'keys';
    const typed = key.kind === 'text' && this.#isCommanding ? this.graphemes.split(key.text) : [];
    // One character may change what the next one means.
    if (typed.length > 1) return typed.map((text) => this.press({kind: 'text', text})).findLast((act) => act);
    const pressed = this.#vim?.press(key, this.#draft);
    if (!pressed) return this.#pressPlain(key);
    this.#draft = pressed.draft;
    return pressed.command === undefined ? undefined : this.#command(pressed.command);
  }

  #pressPlain(key: Key): Act | undefined {
    if (key.kind !== 'key') {
      this.#draft = this.#type(this.#draft, key);
      return undefined;
    }
    const name = this.keys.actOf('prompt', key.name);
    // Outside of vim's insert mode, the editing keys of the prompt do nothing.
    const isIdle = name === undefined || (edits[name] && this.#isCommanding);
    return isIdle ? undefined : this.#command(name);
  }

  /** Whether keys are commands of vim, and not text. */
  get #isCommanding(): boolean {
    return (this.vimMode ?? 'insert') !== 'insert';
  }

  /** What a key does to a text that a person types. */
  #type(draft: Draft, key: Key): Draft {
    if (key.kind !== 'key') return key.kind === 'text' ? type(draft, key.text) : paste(draft, key.text);
    const edit = edits[this.keys.actOf('prompt', key.name) ?? ''];
    return edit ? edit(draft, this.graphemes) : draft;
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
        this.#search = new HistorySearch({history: this.history, graphemes: this.graphemes, keys: this.keys});
        return undefined;
      case 'submit':
        return this.#submit();
      case 'end':
        if (this.isEmpty) return 'end';
        return this.#command('delete-right');
      default:
        return this.#edit(name);
    }
  }

  #edit(name: string): Act | undefined {
    if ((name === 'right' || name === 'line-end') && this.#takeGhost()) return undefined;
    const edit = edits[name];
    if (!edit) return name as Act;
    this.#draft = edit(this.#draft, this.graphemes);
    return undefined;
  }

  #takeGhost(): boolean {
    const {ghost} = this;
    const {length} = this.#draft.text;
    if (ghost !== '') this.#draft = splice(this.#draft, length, length, ghost);
    return ghost !== '';
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

  #pressInSearch(search: HistorySearch, key: Key): Act | undefined {
    const state = search.press(key);
    if (state === 'continue') return undefined;
    this.#search = undefined;
    if (state === 'cancel') return undefined;
    if (search.match !== undefined) this.#draft = startFrom(this.#draft, search.match);
    // Another key that ends the search also does its own work.
    return state === 'take' ? undefined : this.press(key);
  }

  get view(): InputView {
    if (this.#search) {
      const cells = this.#cellsOf(this.#search.match ?? '', []);
      return {label: this.#search.label, cells, cursor: cells.length};
    }
    const {text, cursor, pastes} = this.#draft;
    const before = this.#cellsOf(text.slice(0, cursor), pastes);
    const cells = [...before, ...this.#cellsOf(text.slice(cursor), pastes)];
    const [from, to] = this.#vim?.selected(this.#draft) ?? [0, 0];
    const shown = cells.map((cell, index) => (index >= from && index < to && cell !== '\n' ? invert(cell) : cell));
    return {label: this.label, cells: shown, cursor: before.length};
  }

  #cellsOf(text: string, pastes: readonly string[]): readonly string[] {
    return this.graphemes
      .split(text)
      .map((one) => namePaste(one, pastes) ?? (one === '\t' ? '    ' : makeVisible(one)));
  }
}
