import {fitWidth, LineInput, safeLine, type Key, type KeyBindings, type Layout} from '@gemini-kernel/terminal';
import type {ViewText} from '../../views.js';
import {TextBody, type BodyParts} from './text-body.js';

export interface TextViewerParts extends BodyParts {
  readonly keys: KeyBindings;
  onChange(): void;
  onClose(outcome: undefined): void;
}

/** A title, a line of keys, and at least one row of text. */
const ROWS_BESIDE = 2;
const ACTS: Readonly<Record<string, string>> = {
  q: 'close',
  g: 'first',
  G: 'last',
  j: 'down',
  k: 'up',
  ' ': 'page-down',
  b: 'page-up',
  d: 'half-down',
  u: 'half-up',
  '/': 'search',
  n: 'next',
  N: 'previous',
  s: 'sides',
};

/** A text of any length, read page by page; diffs in two columns where the window is wide. */
export class TextViewer {
  readonly #body: TextBody;
  #top = 0;
  #size = {columns: 80, room: 20};
  #search: LineInput | undefined;
  #sought = '';
  #note = '';

  constructor(
    private readonly shown: {readonly title: string; readonly texts: readonly ViewText[]},
    private readonly parts: TextViewerParts,
  ) {
    this.#body = new TextBody(shown.texts, parts);
  }

  press(key: Key): void {
    this.#note = '';
    if (this.#search) this.#pressInSearch(this.#search, key);
    else this.#act((key.kind === 'key' ? this.parts.keys.actOf('list', key.name) : ACTS[key.text]) ?? '');
    this.parts.onChange();
  }

  note(sentence: string): void {
    this.#note = sentence;
    this.parts.onChange();
  }

  lay(columns: number, rows: number): Layout {
    const {look, graphemes} = this.parts;
    const room = Math.max(1, rows - ROWS_BESIDE);
    this.#size = {columns, room};
    const all = this.#body.rows(columns);
    this.#top = Math.max(0, Math.min(this.#top, all.length - room));
    const body = all.slice(this.#top, this.#top + room);
    const title = look.paint('strong', fitWidth(safeLine(this.shown.title), columns, graphemes));
    const blank = Array.from({length: room - body.length}, () => '');
    const {row, column} = this.#last(columns, all.length);
    return {rows: [title, ...body, ...blank, row].slice(0, rows), row: rows - 1, column};
  }

  #last(columns: number, count: number): {readonly row: string; readonly column: number} {
    const {look, graphemes} = this.parts;
    if (this.#search) {
      const text = fitWidth(`/${this.#search.view.cells.join('')}`, columns, graphemes);
      return {row: text, column: Math.min(columns - 1, text.length)};
    }
    const last = Math.min(count, this.#top + this.#size.room);
    const place = `${count === 0 ? 0 : this.#top + 1}-${last} of ${count}`;
    const keys = ['Esc closes', '/ searches', ...(this.#body.hasDiff ? ['s sides'] : []), 'Space pages'];
    const text = [place, ...(this.#note === '' ? keys : [this.#note])].join(' · ');
    return {row: look.paint('dim', fitWidth(text, columns, graphemes)), column: 0};
  }

  #act(act: string): void {
    const {columns, room} = this.#size;
    const steps: Readonly<Record<string, number>> = {
      up: -1,
      down: 1,
      'page-up': 1 - room,
      'page-down': room - 1,
      'half-up': -Math.floor(room / 2),
      'half-down': Math.floor(room / 2),
      first: -Infinity,
      last: Infinity,
      confirm: 1,
    };
    const step = steps[act];
    if (step !== undefined) this.#move(step);
    else if (act === 'close') this.parts.onClose(undefined);
    else if (act === 'search') this.#search = new LineInput(this.parts.graphemes, {keys: this.parts.keys, label: '/'});
    else if (act === 'next' || act === 'previous') this.#find(act === 'next' ? 1 : -1, 1);
    else if (act === 'sides') this.#body.toggleSides(columns);
  }

  #move(by: number): void {
    const most = Math.max(0, this.#body.rows(this.#size.columns).length - this.#size.room);
    this.#top = Math.max(0, Math.min(most, this.#top + by));
  }

  #pressInSearch(search: LineInput, key: Key): void {
    const act = search.press(key);
    if (act === 'escape' || act === 'interrupt') this.#search = undefined;
    if (act !== 'submit') return;
    this.#search = undefined;
    this.#sought = search.text;
    this.#find(1, 0);
  }

  #find(step: 1 | -1, beside: number): void {
    if (this.#sought === '') return void (this.#note = 'Type / and a text to search for.');
    const at = this.#body.find(this.#sought, this.#top + step * beside, {columns: this.#size.columns, step});
    if (at < 0) this.#note = `"${safeLine(this.#sought)}" is not in it.`;
    else this.#top = at;
  }
}
