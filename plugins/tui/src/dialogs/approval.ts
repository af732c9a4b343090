import type {Confirmation} from '@gemini-kernel/kernel';
import {briefKept, choicesOf, introduceCall, wholeKept} from '@gemini-kernel/plugin-agent/front';
import type {Asked, Asking, Choice} from '@gemini-kernel/plugin-agent/front';
import {
  layoutInput,
  LineInput,
  type Graphemes,
  type Key,
  type KeyBindings,
  type Layout,
  type Look,
} from '@gemini-kernel/terminal';
import type {TerminalScreen} from '../terminal-screen.js';
import {ChoiceList} from './choice-list.js';

interface ApprovalParts {
  readonly screen: TerminalScreen;
  readonly graphemes: Graphemes;
  readonly keys: KeyBindings;
  readonly look: Look;
}

const SENTENCES: Readonly<Record<string, string>> = {
  yes: 'Yes, once',
  session: 'Yes, and do not ask again in this session',
  always: 'Yes, and do not ask again',
  no: 'No',
  reason: 'No, and tell gemini what to do instead',
  view: 'View all of it',
  rule: 'View the rules that an answer saves',
};

/** Asks whether a call may run: what it does stays in the history, the answers are a list below it. */
export class Approval implements Asking<Confirmation> {
  readonly refusal: Confirmation = {decision: 'no', reason: 'The person stopped it.'};
  #hidden: readonly string[] = [];
  #rest = '';
  #list: ChoiceList<Choice> | undefined;
  #reason: LineInput | undefined;

  constructor(
    private readonly asked: Asked,
    private readonly parts: ApprovalParts,
  ) {}

  get restOfAnswer(): string {
    return this.#rest;
  }

  introduce(): void {
    const {screen} = this.parts;
    const {lines, hidden} = introduceCall({...this.asked, choices: []}, {...this.parts, paint: this.parts.look.paint});
    this.#hidden = hidden;
    screen.endLine();
    screen.print([...lines, ''].join('\n'));
  }

  open(): void {
    const {graphemes, keys, look} = this.parts;
    const choices = choicesOf(this.asked.choices).filter(
      ({word, refusal}) => refusal === undefined && (word !== 'view' || this.#hidden.length > 0),
    );
    const options = choices.map((value) => ({
      value,
      label: SENTENCES[value.word] ?? value.word,
      key: value.key,
      details: briefKept(this.asked.choices.filter(({label}) => label === value.word)),
    }));
    this.#list = new ChoiceList(options, {paint: look.paint, graphemes, keys});
    this.#reason = undefined;
    this.refresh();
  }

  press(key: Key): Confirmation | undefined {
    if (this.#reason) return this.#pressInReason(this.#reason, key);
    const isEscape = key.kind === 'key' && this.parts.keys.actOf('list', key.name) === 'close';
    const chosen = this.#list?.press(isEscape ? {kind: 'text', text: 'n'} : key);
    if (chosen) return this.#choose(chosen.value);
    this.refresh();
    return undefined;
  }

  withdraw(): void {
    const {screen, look} = this.parts;
    screen.ask(undefined);
    screen.endLine();
    screen.print(`${look.paint('dim', 'This is no longer asked.')}\n`);
  }

  refresh(): void {
    this.parts.screen.ask((columns, most) => this.#lay(columns, most));
  }

  #choose({word, answer}: Choice): Confirmation | undefined {
    if (answer) return this.#end(word, answer);
    if (word === 'rule') return this.#tell(wholeKept(this.asked.choices));
    if (word === 'view') {
      const hidden = this.#hidden;
      this.#hidden = [];
      return this.#tell(hidden);
    }
    const {graphemes, keys} = this.parts;
    this.#reason = new LineInput(graphemes, {keys, label: 'What should gemini do instead? '});
    this.refresh();
    return undefined;
  }

  #pressInReason(input: LineInput, key: Key): Confirmation | undefined {
    const act = key.kind === 'text' && key.text === '?' && input.isEmpty ? undefined : input.press(key);
    if (act === 'escape') this.open();
    else if (act !== 'submit') this.refresh();
    else {
      const said = input.text.trim();
      return this.#end(said === '' ? 'no' : `no: ${said}`, {
        decision: 'no',
        reason: said === '' ? 'The person refused.' : `The person refused: ${said}`,
      });
    }
    return undefined;
  }

  /** Prints lines above the question, and asks again. */
  #tell(lines: readonly string[]): undefined {
    this.parts.screen.print(lines.map((line) => `${line}\n`).join(''));
    this.open();
  }

  /** Keeps the answer in the history. */
  #end(word: string, answer: Confirmation): Confirmation {
    const {screen, graphemes} = this.parts;
    this.#rest = this.#reason ? '' : word.slice(1);
    screen.keepPrompt({label: 'Allow this? ', cells: graphemes.split(word), cursor: 0});
    return answer;
  }

  #lay(columns: number, most: number): Layout {
    const {paint} = this.parts.look;
    if (this.#reason) return layoutInput(this.#reason.view, columns, most);
    const title = paint('strong', 'Allow this?');
    const {rows = [], marked = 0} = this.#list?.rows(columns, Math.max(1, most - 1)) ?? {};
    return {rows: [title, ...rows], row: marked + 1, column: 0};
  }
}
