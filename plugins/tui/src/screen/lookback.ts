import {
  fitWidth,
  layoutInput,
  LineInput,
  safeLine,
  type Graphemes,
  type Key,
  type KeyBindings,
  type Paint,
} from '@gemini-kernel/terminal';
import type {HistoryRows} from './history-rows.js';
import type {LiveView} from './live-view.js';
import {Scroller} from './scroller.js';

interface LookbackParts {
  readonly graphemes: Graphemes;
  readonly keys: KeyBindings;
  readonly paint: Paint;
}

/** Rows of one step of the wheel. */
const WHEEL_ROWS = 3;
const STEPS: Readonly<Record<string, 1 | -1>> = {up: -1, down: 1};
const WHEEL: Readonly<Record<string, number>> = {wheelup: -WHEEL_ROWS, wheeldown: WHEEL_ROWS};

/** A person who looks back in a history: the keys that scroll it, and the line in which a search is typed. */
export class Lookback {
  readonly #scroller: Scroller;
  #search: LineInput | undefined;
  #sought = '';
  #note = '';

  constructor(
    history: HistoryRows,
    private readonly parts: LookbackParts,
  ) {
    this.#scroller = new Scroller(history);
  }

  /** Uses a key in a history of so many visible rows; returns whether it did. */
  press(key: Key, room: number): boolean {
    const name = key.kind === 'key' ? key.name : '';
    const act = this.parts.keys.actOf('history', name) ?? this.#plainAct(name);
    if (act !== undefined) return this.#act(act, room);
    const wheel = WHEEL[name];
    if (wheel !== undefined) return this.#by(wheel, room);
    if (this.#search) return this.#type(this.#search, key, room);
    // What a person sends is at the end.
    if (name === 'enter') this.#scroller.last();
    return name === 'escape' && this.#leave();
  }

  /** Rows of history, and as the last one of them where these are. */
  rows(room: number, columns: number): readonly string[] {
    const rows = this.#scroller.rows(room);
    const below = this.#scroller.below(room);
    if (!this.#scroller.isBack || rows.length < 2) return rows;
    const {paint, graphemes} = this.parts;
    const text = `─── ${below + 1} more ${below === 0 ? 'row' : 'rows'} below · Esc or Shift+End goes there ───`;
    return [...rows.slice(0, -1), paint('dim', fitWidth(text, columns, graphemes))];
  }

  /** The line in which a search is typed, if one is. */
  line(columns: number): LiveView | undefined {
    if (!this.#search) return undefined;
    const {graphemes, paint} = this.parts;
    const said =
      this.#note === '' ? 'Enter or F3: the match before · Down: the next · Esc: back to the prompt' : this.#note;
    const {rows, row, column} = layoutInput(this.#search.view, columns, 1);
    return {rows: ['', ...rows, paint('dim', fitWidth(said, columns, graphemes))], row: 1 + row, column};
  }

  clear(): void {
    this.#scroller.clear();
  }

  fit(): void {
    this.#scroller.fit();
  }

  /** To a person who looks back, keys that otherwise move in the prompt move in the history. */
  #plainAct(name: string): string | undefined {
    if (!this.#scroller.isBack || this.#search) return undefined;
    return name === 'home' ? 'first' : name === 'end' ? 'last' : undefined;
  }

  #act(act: string, room: number): boolean {
    const page = Math.max(1, room - 2);
    const steps: Readonly<Record<string, number>> = {up: -1, down: 1, 'page-up': -page, 'page-down': page};
    if (act === 'search') return this.#startOrRepeat(room);
    if (act === 'first') this.#scroller.first();
    else if (act === 'last') this.#scroller.last();
    return this.#by(steps[act] ?? 0, room);
  }

  #by(rows: number, room: number): boolean {
    if (rows !== 0) this.#scroller.move(rows, room);
    return true;
  }

  #startOrRepeat(room: number): boolean {
    if (this.#search) this.#find(-1, room);
    else this.#search = new LineInput(this.parts.graphemes, {keys: this.parts.keys, label: '/'});
    return true;
  }

  #type(search: LineInput, key: Key, room: number): boolean {
    this.#note = '';
    const step = key.kind !== 'key' ? undefined : STEPS[key.name];
    const act = step === undefined ? search.press(key) : undefined;
    if (step !== undefined || act === 'submit') this.#find(step ?? -1, room);
    if (act === 'escape' || act === 'interrupt' || act === 'end') this.#leave();
    return true;
  }

  #find(step: 1 | -1, room: number): void {
    const text = this.#search?.text ?? '';
    if (text === '') return void (this.#note = 'Type what you look for.');
    const isNew = text !== this.#sought;
    this.#sought = text;
    if (this.#scroller.find(text, step, room)) return;
    this.#note = `"${safeLine(text)}" is not ${isNew ? 'in the history' : step < 0 ? 'further up' : 'further down'}.`;
  }

  /** Back to the prompt and to the end; returns whether that was not there. */
  #leave(): boolean {
    const wasBack = this.#search !== undefined || this.#scroller.isBack;
    this.#search = undefined;
    this.#sought = '';
    this.#scroller.last();
    return wasBack;
  }
}
