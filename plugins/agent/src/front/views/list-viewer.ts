import {messageOf} from '@gemini-kernel/kernel';
import {LineInput, safeLine, type Key, type KeyBindings, type Layout} from '@gemini-kernel/terminal';
import type {View, ViewAction, ViewDescription, ViewItem, ViewOutcome} from '../../views.js';
import {layList, previewPlace, type ListFrame} from './lay-list.js';
import {ListState} from './list-state.js';
import {MarkedPreview} from './marked-preview.js';
import {refreshEvery} from './refreshing.js';
import type {BodyParts} from './text-body.js';

export interface ListViewerParts extends BodyParts {
  readonly keys: KeyBindings;
  /** Aborted when the view is closed. */
  readonly signal: AbortSignal;
  onChange(): void;
  onClose(outcome: ViewOutcome | undefined): void;
}

/** What the last row asks for, instead of naming the keys. */
type Asked =
  | {readonly kind: 'search'; readonly input: LineInput}
  | {readonly kind: 'text'; readonly action: ViewAction; readonly item: ViewItem; readonly input: LineInput}
  | {readonly kind: 'confirm'; readonly action: ViewAction; readonly item: ViewItem};

const SEARCH_MS = 150;
const ACTS: Readonly<Record<string, string>> = {
  '/': 'search',
  s: 'sort',
  r: 'reverse',
  g: 'first',
  G: 'last',
  q: 'close',
  j: 'down',
  k: 'up',
  ' ': 'preview',
};

/** A view as a list with a preview of the marked item. Keys do what the view offers. */
export class ListViewer {
  readonly #state: ListState;
  #asked: Asked | undefined;
  #note = '';
  #isBusy = false;
  readonly #preview: MarkedPreview;
  /** Whether keys move in the preview. */
  #isReading = false;
  #page = 10;
  #place: 'beside' | 'below' | 'instead' = 'beside';
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly shown: {readonly view: View; readonly description: ViewDescription},
    private readonly parts: ListViewerParts,
  ) {
    this.#state = new ListState({...shown, signal: parts.signal});
    this.#preview = new MarkedPreview({...parts, view: shown.view});
    const {refreshMs} = shown.description;
    if (refreshMs !== undefined) refreshEvery(refreshMs, {signal: parts.signal, act: () => this.#refresh()});
    parts.signal.addEventListener('abort', () => clearTimeout(this.#timer), {once: true});
    this.#load();
  }

  press(key: Key): void {
    // A key for what was marked must not act on what is marked afterwards.
    if (this.#isBusy) return;
    this.#note = '';
    if (this.#asked?.kind === 'confirm') this.#answer(this.#asked, key);
    else if (this.#asked) this.#pressInLine(this.#asked, key);
    else if (key.kind === 'key') this.#actOfKey(key.name);
    else if (key.kind === 'text') this.#actOfText(key.text);
    this.parts.onChange();
  }

  note(sentence: string): void {
    this.#note = sentence;
    this.parts.onChange();
  }

  lay(columns: number, rows: number): Layout {
    this.#place = previewPlace(columns, rows);
    this.#page = Math.max(1, rows - 4);
    return layList(this.#frame(), {...this.parts, columns, rows});
  }

  #frame(): ListFrame {
    const {description} = this.shown;
    const asked = this.#asked;
    return {
      ...{description, state: this.#state, place: this.#place, isReading: this.#isReading},
      body: this.#preview.body(this.#state.item?.id),
      top: this.#preview.top,
      onTop: (top) => {
        this.#preview.top = top;
      },
      note: this.#isBusy ? 'Working …' : this.#note,
      asked:
        asked === undefined
          ? undefined
          : asked.kind === 'confirm'
            ? `${asked.action.confirm ?? ''} (y/n)`
            : asked.input.view,
    };
  }

  #actOfKey(name: string): void {
    if (name === 'tab') return this.#read();
    const act = this.parts.keys.actOf('list', name);
    if (act === 'confirm') this.#start(this.shown.description.actions[0]);
    else if (act) this.#act(act);
  }

  #actOfText(text: string): void {
    const action = this.shown.description.actions.find(({key}) => key === text);
    if (action) this.#start(action);
    else this.#act(ACTS[text] ?? '');
  }

  #act(act: string): void {
    const {description} = this.shown;
    const steps: Readonly<Record<string, number>> = {
      up: -1,
      down: 1,
      'page-up': -this.#page,
      'page-down': this.#page,
      first: -Infinity,
      last: Infinity,
    };
    const step = steps[act];
    if (step !== undefined) this.#move(step);
    else if (act === 'preview') this.#read();
    else if (act === 'search') this.#asked = {kind: 'search', input: this.#line('/', this.#state.text)};
    else if (act === 'close') this.#close();
    else if (act === 'reverse') {
      this.#state.isReversed = !this.#state.isReversed;
      this.#load();
    } else if (act === 'sort' && description.sorts.length > 1) {
      this.#state.nextSort();
      this.#load();
    }
  }

  #read(isReading = !this.#isReading): void {
    this.#isReading = isReading;
  }

  #move(step: number): void {
    if (this.#isReading) return this.#preview.move(step);
    this.#state.move(step);
    this.#preview.show(this.#state.item?.id);
  }

  /** First back to the list, then to all items, then out. */
  #close(): void {
    if (this.#isReading) this.#isReading = false;
    else if (this.#state.text !== '') this.#search('');
    else this.parts.onClose(undefined);
  }

  #line(label: string, text: string): LineInput {
    const input = new LineInput(this.parts.graphemes, {keys: this.parts.keys, label});
    input.set(text);
    return input;
  }

  #pressInLine(asked: Exclude<Asked, {kind: 'confirm'}>, key: Key): void {
    const {input} = asked;
    const isPlain = key.kind === 'text' && key.text === '?' && input.isEmpty;
    const act = isPlain ? input.replace(0, 0, '?') : input.press(key);
    if (act === 'escape' || act === 'submit') this.#asked = undefined;
    if (asked.kind === 'text') {
      if (act === 'submit') void this.#run(asked.action, asked.item, input.text);
    } else if (act === 'escape') this.#search('');
    else this.#pressInSearch(asked, key);
  }

  /** Arrows leave the line of the search, and move in what it has found. */
  #pressInSearch({input}: {readonly input: LineInput}, key: Key): void {
    const act = key.kind === 'key' ? this.parts.keys.actOf('suggestions', key.name) : undefined;
    if (input.text !== this.#state.text) this.#search(input.text);
    if (act !== 'up' && act !== 'down') return;
    this.#asked = undefined;
    this.#move(act === 'up' ? -1 : 1);
  }

  #search(text: string): void {
    clearTimeout(this.#timer);
    if (this.#state.search(text)) this.#timer = setTimeout(() => this.#load(), SEARCH_MS);
    else this.#preview.show(this.#state.item?.id);
  }

  #start(action: ViewAction | undefined): void {
    const {item} = this.#state;
    if (!action || !item) return;
    if (action.input)
      this.#asked = {
        ...{kind: 'text', action, item},
        input: this.#line(`${action.input.label} `, action.input.isItem ? (item.text ?? item.label) : ''),
      };
    else if (action.confirm !== undefined) this.#asked = {kind: 'confirm', action, item};
    else void this.#run(action, item);
  }

  #answer({action, item}: {readonly action: ViewAction; readonly item: ViewItem}, key: Key): void {
    this.#asked = undefined;
    if (key.kind === 'text' && key.text.toLowerCase() === 'y') void this.#run(action, item);
  }

  async #run({name}: ViewAction, {id}: ViewItem, text?: string): Promise<void> {
    const {onChange, onClose} = this.parts;
    this.#isBusy = true;
    onChange();
    try {
      const outcome = await this.shown.view.act(name, id, text);
      if (outcome.kind === 'read') return this.#read(true);
      if (outcome.kind !== 'stay') return onClose(outcome);
      this.#note = safeLine(outcome.sentence ?? '');
      await this.#refresh();
    } catch (error) {
      this.#note = safeLine(messageOf(error));
    } finally {
      this.#isBusy = false;
      onChange();
    }
  }

  #load(): void {
    void this.#state
      .load()
      .then(() => this.#preview.show(this.#state.item?.id))
      .catch((error: unknown) => {
        this.#note = safeLine(messageOf(error));
      })
      .finally(() => this.parts.onChange());
  }

  /** Asks for all that is shown again. */
  async #refresh(): Promise<void> {
    await this.#state.load();
    const {item} = this.#state;
    if (this.#preview.body(item?.id)) await this.#preview.refresh();
    else this.#preview.show(item?.id);
    this.parts.onChange();
  }
}
