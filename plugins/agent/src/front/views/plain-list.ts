import {messageOf} from '@gemini-kernel/kernel';
import {LineInput, safeLine, type Graphemes, type Key, type KeyBindings, type Look} from '@gemini-kernel/terminal';
import type {View, ViewAction, ViewDescription, ViewItem} from '../../views.js';
import type {Screen} from '../screen.js';
import {ListState} from './list-state.js';
import type {OpenView, ViewEnds} from './open-view.js';
import {TextBody} from './text-body.js';

interface PlainParts extends ViewEnds {
  readonly screen: Screen;
  readonly look: Look;
  readonly graphemes: Graphemes;
  readonly keys: KeyBindings;
}

/** What the next line is for: a choice, a text for an action, or yes to it. */
interface Awaited {
  readonly action: ViewAction;
  readonly item: ViewItem;
  readonly kind: 'text' | 'confirm';
}

const MOST_ITEMS = 30;

/** A view in plain lines: a numbered list, and a line that says what to do. */
export class PlainList implements OpenView {
  readonly #state: ListState;
  #awaited: Awaited | undefined;
  #input: LineInput;
  #isBusy = true;
  /** Keys that were pressed while something was loaded. */
  #early: Key[] = [];

  constructor(
    private readonly shown: {readonly view: View; readonly description: ViewDescription},
    private readonly parts: PlainParts,
  ) {
    this.#state = new ListState({...shown, signal: parts.signal});
    this.#input = this.#line('Which one? ');
  }

  /** Loads and prints the list. */
  async begin(): Promise<void> {
    await this.#load();
  }

  press(key: Key): void {
    if (this.#isBusy) return void this.#early.push(key);
    const isPlain = key.kind === 'text' && key.text === '?' && this.#input.isEmpty;
    const act = isPlain ? this.#input.replace(0, 0, '?') : this.#input.press(key);
    if (act === 'escape' || act === 'end') return this.#leave();
    if (act === 'submit') return this.#take();
    this.redraw();
  }

  redraw(): void {
    if (!this.#isBusy) this.parts.screen.prompt(this.#input.view);
  }

  note(sentence: string): void {
    this.#say(sentence);
    this.redraw();
  }

  close(): void {
    this.parts.screen.prompt(undefined);
  }

  #leave(): void {
    if (!this.#awaited) return this.parts.onClose(undefined);
    this.#ask(undefined);
  }

  #line(label: string, text = ''): LineInput {
    const input = new LineInput(this.parts.graphemes, {keys: this.parts.keys, label});
    if (text !== '') input.set(text);
    return input;
  }

  #say(...lines: readonly string[]): void {
    const {screen} = this.parts;
    screen.prompt(undefined);
    screen.endLine();
    screen.print(lines.map((line) => `${line}\n`).join(''));
  }

  #ask(awaited: Awaited | undefined): void {
    this.#awaited = awaited;
    const {confirm = '', input} = awaited?.action ?? {};
    if (!awaited) this.#input = this.#line('Which one? ');
    else if (awaited.kind === 'confirm') {
      this.#say(confirm);
      this.#input = this.#line('(y/n) ');
    } else
      this.#input = this.#line(
        `${input?.label ?? ''} `,
        input?.isItem ? (awaited.item.text ?? awaited.item.label) : '',
      );
    this.redraw();
  }

  #take(): void {
    const said = this.#input.text.trim();
    this.parts.screen.keepPrompt(this.#input.view);
    const awaited = this.#awaited;
    this.#ask(undefined);
    if (awaited?.kind === 'text') void this.#run(awaited.action, awaited.item, said);
    else if (awaited && /^y(?:es)?$/i.test(said)) void this.#run(awaited.action, awaited.item);
    else if (!awaited) this.#obey(said);
  }

  /** A number does the first action, `r 2` another one; `/text` searches. */
  #obey(said: string): void {
    if (said === '') return this.parts.onClose(undefined);
    if (said.startsWith('/')) return void this.#search(said.slice(1));
    if (said === 's' || said === 'r') return this.#order(said);
    const {actions} = this.shown.description;
    const [, key, number] = /^(\S*?)\s*(\d+)$/.exec(said) ?? [];
    const item = number === undefined ? undefined : this.#state.items[Number(number) - 1];
    const action = key === '' ? actions[0] : actions.find((one) => one.key === key);
    if (item && key === 'v') void this.#show(item);
    else if (item && action) this.#start(action, item);
    else this.#help();
  }

  #order(said: 's' | 'r'): void {
    if (said === 's') this.#state.nextSort();
    else this.#state.isReversed = !this.#state.isReversed;
    void this.#load();
  }

  #help(): void {
    const [first, ...others] = this.shown.description.actions;
    this.#say(
      ...(first ? [`A number: ${first.label}.`] : []),
      ...others.map(({key, label}) => `${key} and a number: ${label}.`),
      'v and a number: read it. / and a text: search. s: sort otherwise. r: reverse. Enter alone: close.',
    );
    this.redraw();
  }

  #start(action: ViewAction, item: ViewItem): void {
    if (action.input) this.#ask({action, item, kind: 'text'});
    else if (action.confirm !== undefined) this.#ask({action, item, kind: 'confirm'});
    else void this.#run(action, item);
  }

  async #search(text: string): Promise<void> {
    if (this.#state.search(text)) await this.#load();
    else this.#list();
  }

  async #run({name}: ViewAction, {id}: ViewItem, text?: string): Promise<void> {
    await this.#busy(async () => {
      const outcome = await this.shown.view.act(name, id, text);
      if (outcome.kind === 'read') return this.#read(id);
      if (outcome.kind !== 'stay') return this.parts.onClose(outcome);
      if (outcome.sentence !== undefined) this.#say(safeLine(outcome.sentence));
      await this.#state.load();
      this.#list();
    });
  }

  async #show({id}: ViewItem): Promise<void> {
    await this.#busy(() => this.#read(id));
  }

  async #read(id: string): Promise<void> {
    const texts = await this.shown.view.preview(id, this.parts.signal);
    this.#say(...new TextBody(texts, this.parts).rows(Math.max(20, this.parts.screen.columns - 1)));
  }

  async #load(): Promise<void> {
    await this.#busy(async () => {
      await this.#state.load();
      this.#list();
    });
  }

  /** Takes no keys meanwhile; an error is printed. */
  async #busy(act: () => Promise<void>): Promise<void> {
    this.#isBusy = true;
    try {
      await act();
    } catch (error) {
      this.#say(this.parts.look.paint('bad', safeLine(messageOf(error))));
    } finally {
      this.#isBusy = false;
      if (!this.parts.signal.aborted) this.#continue();
    }
  }

  #continue(): void {
    this.redraw();
    while (!this.#isBusy && this.#early.length > 0) {
      const [key] = this.#early.splice(0, 1);
      if (key) this.press(key);
    }
  }

  #list(): void {
    const {paint} = this.parts.look;
    const {description} = this.shown;
    const {items, sort, isReversed, text} = this.#state;
    const order = sort === undefined ? '' : `, by ${sort}${isReversed ? ', reversed' : ''}`;
    const none = text === '' ? description.empty : `Nothing contains ${safeLine(text)}.`;
    this.#say(
      paint('strong', `${safeLine(description.title)}${order}`),
      ...items
        .slice(0, MOST_ITEMS)
        .flatMap(({label, details, found}, index) => [
          `${index + 1}. ${safeLine(label)}${details === undefined ? '' : ` (${safeLine(details)})`}`,
          ...(found === undefined ? [] : [paint('dim', `   ${safeLine(found)}`)]),
        ]),
      ...(items.length > MOST_ITEMS ? [`… and ${items.length - MOST_ITEMS} more; / and a text searches.`] : []),
      ...(items.length === 0 ? [none] : ['A number chooses, ? lists what else is possible, Enter closes.']),
    );
  }
}
