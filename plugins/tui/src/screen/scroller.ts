import {withoutStyle} from '@gemini-kernel/terminal';
import type {HistoryRows, RowPlace} from './history-rows.js';

/** Where a person looks in the history: at its end, which moves on, or at a place that stays. */
export class Scroller {
  /** The first row that is shown; undefined: the last rows are. */
  #top: RowPlace | undefined;
  /** Rows before this place are not shown at the end. */
  #start: RowPlace = {line: 0, row: 0};
  #sought: {readonly text: string; readonly line: number} | undefined;

  constructor(private readonly history: HistoryRows) {}

  /** Whether something else than the end is shown. */
  get isBack(): boolean {
    return this.#top !== undefined;
  }

  /** The rows to show in a room, from the first one on. */
  rows(room: number): readonly string[] {
    const rows = this.history.take(this.#top ?? this.#last(room), room);
    const {text} = this.#sought ?? {};
    return text === undefined ? rows : rows.map((row) => mark(row, text));
  }

  /** How many rows are below those that are shown. */
  below(room: number): number {
    return this.#top ? Math.max(0, this.history.countFrom(this.#top) - room) : 0;
  }

  /** Moves by so many rows. */
  move(by: number, room: number): void {
    const {history} = this;
    const top = this.#top ?? this.#last(room);
    this.#settle(by < 0 ? history.back(top, -by) : history.on(top, by), room);
  }

  first(): void {
    this.#top = this.history.count > 0 ? {line: 0, row: 0} : undefined;
  }

  last(): void {
    this.#top = undefined;
    this.#sought = undefined;
  }

  /** The history before now is shown only to a person who looks back. */
  clear(): void {
    this.last();
    this.#start = this.history.end;
  }

  /** Another width: the row of a line is another one. */
  fit(): void {
    if (this.#top) this.#top = {line: this.#top.line, row: 0};
    this.#start = {line: this.#start.line, row: 0};
  }

  /** Shows the next line that contains a text, from the end or from the last match; returns whether there is one. */
  find(text: string, step: 1 | -1, room: number): boolean {
    const {history} = this;
    const last = this.#sought?.text === text ? this.#sought.line + step : history.count - 1;
    const line = history.find(text, last, step);
    if (line === undefined) return false;
    this.#sought = {text, line};
    const row = history.rowsOf(line).findIndex((one) => includes(one, text));
    this.#settle(history.back({line, row: Math.max(0, row)}, Math.floor(room / 3)), room);
    return true;
  }

  #settle(top: RowPlace, room: number): void {
    this.#top = this.history.countFrom(top) > room ? top : undefined;
  }

  /** The first of the last rows. */
  #last(room: number): RowPlace {
    const {history} = this;
    const from = history.back(history.end, room);
    return isBefore(from, this.#start) ? this.#start : from;
  }
}

function isBefore(a: RowPlace, b: RowPlace): boolean {
  return a.line < b.line || (a.line === b.line && a.row < b.row);
}

function includes(row: string, text: string): boolean {
  return withoutStyle(row).toLowerCase().includes(text.toLowerCase());
}

/** A row with the text that was searched for in exchanged colours; it has no others then. */
function mark(row: string, text: string): string {
  if (text === '' || !includes(row, text)) return row;
  const plain = withoutStyle(row);
  const at = plain.toLowerCase().indexOf(text.toLowerCase());
  const end = at + text.length;
  return `${plain.slice(0, at)}\u001b[7m${plain.slice(at, end)}\u001b[27m${plain.slice(end)}`;
}
