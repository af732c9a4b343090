import type {Confirmation, PayloadOf} from '@gemini-kernel/kernel';
import type {Asking} from './asking.js';
import {LineInput, type Graphemes, type Key, type KeyBindings, type Look, type Paint} from '@gemini-kernel/terminal';
import {choicesOf, introduceCall, type Choice} from './introduce-call.js';
import {KeptRules} from './limit-rules.js';
import {wholeKept} from './kept-rules.js';
import type {Reach} from './drawers.js';
import {editProposal, proposalOf, type Proposal} from './proposal.js';
import type {Screen} from './screen.js';

/** A call to ask a person about. */
export type Asked = PayloadOf<'tool:confirm'>;

export interface QuestionParts {
  readonly screen: Screen;
  readonly paint: Paint;
  readonly graphemes: Graphemes;
  readonly keys: KeyBindings;
  /** How paragraphs start, if the screen breaks them at words. */
  readonly look?: Pick<Look, 'paragraph'>;
  /** Whether answers are words followed by Enter, and not single keys. */
  readonly inWords: boolean;
}

/**
 * One question: what the call would do, why gemini asks, and the possible answers. Uses the terminal through its screen
 * only.
 */
export class Question implements Asking<Confirmation> {
  readonly refusal: Confirmation = {decision: 'no', reason: 'The person stopped it.'};
  #hidden: string[] = [];
  #input: LineInput | undefined;
  #isReason = false;
  #rest = '';
  #choices: readonly Choice[];
  readonly #kept: KeptRules;
  readonly #proposal: Proposal | undefined;
  /** The answer with what the person edited. */
  #edited: Confirmation | undefined;

  constructor(
    private readonly asked: Asked,
    private readonly parts: QuestionParts,
    private readonly reach: Pick<Reach, 'edit' | 'narrow'>,
  ) {
    this.#kept = new KeptRules({...{asked, narrow: reach.narrow}, ...parts, again: (lines) => this.#tell(lines)});
    this.#proposal = proposalOf(asked);
    this.#choices = this.#listChoices();
  }

  introduce(): void {
    const {screen} = this.parts;
    const {lines, hidden} = introduceCall(this.asked, this.parts);
    this.#hidden = [...hidden];
    screen.endLine();
    screen.print([...lines, ''].join('\n'));
  }

  open(): void {
    this.#input = this.parts.inWords ? this.#lineOf(this.#offer(true)) : undefined;
    this.#show();
  }

  get restOfAnswer(): string {
    return this.#rest;
  }

  press(key: Key): Confirmation | undefined {
    if (this.#kept.view) return this.#pressInRule(key);
    if (this.#input) return this.#pressInLine(this.#input, key);
    const pressed =
      key.kind === 'text' ? key.text.toLowerCase() : key.kind === 'key' && key.name === 'escape' ? 'n' : '';
    const choice = this.#choices.find((one) => one.key === pressed);
    return choice ? this.#choose(choice) : undefined;
  }

  withdraw(): void {
    this.parts.screen.prompt(undefined);
    this.parts.screen.endLine();
    this.parts.screen.print(`${this.parts.paint('dim', 'This is no longer asked.')}\n`);
  }

  refresh(): void {
    this.#show();
  }

  #pressInLine(input: LineInput, key: Key): Confirmation | undefined {
    const act = key.kind === 'text' && key.text === '?' && input.isEmpty ? undefined : input.press(key);
    if (act === 'escape') return this.#leaveLine();
    if (act !== 'submit') {
      this.#show();
      return undefined;
    }
    const said = input.text.trim();
    this.parts.screen.keepPrompt(input.view);
    if (this.#isReason)
      return {decision: 'no', reason: said === '' ? 'The person refused.' : `The person refused: ${said}`};
    const choice = this.#choices.find(
      ({key: letter, word}) => letter === said.toLowerCase() || word === said.toLowerCase(),
    );
    if (choice) return this.#choose(choice);
    this.open();
    return undefined;
  }

  #leaveLine(): Confirmation | undefined {
    this.#isReason = false;
    this.open();
    return undefined;
  }

  #choose({word, answer, refusal}: Choice): Confirmation | undefined {
    if (refusal !== undefined) return this.#tell([refusal]);
    if (answer) return this.#end(word, answer);
    if (word === 'edit') return void this.#edit();
    if (word === 'limit') this.#kept.begin();
    if (word === 'limit') return this.#show();
    if (word === 'rule') return this.#tell(wholeKept(this.#kept.choices));
    if (word === 'view') return this.#tell(this.#hidden.splice(0));
    this.#isReason = true;
    this.#input = this.#lineOf('What should gemini do instead? ');
    this.#show();
    return undefined;
  }

  #end(word: string, answer: Confirmation): Confirmation | undefined {
    const {screen, inWords} = this.parts;
    if (this.#edited && answer.remember) return this.#tell(['What you edited is allowed once only.']);
    this.#rest = inWords ? '' : word.slice(1);
    if (!inWords) screen.keepPrompt({label: this.#offer(false), cells: [word], cursor: 1});
    return answer.decision === 'yes' ? (this.#edited ?? answer) : answer;
  }

  #pressInRule(key: Key): undefined {
    const {view} = this.#kept;
    this.#kept.press(key);
    if (this.#kept.view) this.#show();
    else if (view) this.parts.screen.keepPrompt(view);
  }

  #listChoices(): readonly Choice[] {
    return choicesOf(this.#kept.choices, this.#proposal !== undefined, this.#kept.canLimit);
  }

  /** Asks again when the editor has closed. */
  async #edit(): Promise<void> {
    if (!this.#proposal) return;
    this.parts.screen.prompt(undefined);
    const edited = await editProposal(this.#proposal, this.#edited, this.reach);
    this.#edited = edited.answer;
    this.#tell([edited.sentence]);
  }

  /** Prints lines above the question, and asks again. */
  #tell(lines: readonly string[]): undefined {
    this.#choices = this.#listChoices();
    this.parts.screen.prompt(undefined);
    this.parts.screen.print(lines.map((line) => `${line}\n`).join(''));
    this.open();
  }

  #lineOf(label: string): LineInput {
    return new LineInput(this.parts.graphemes, {label, keys: this.parts.keys});
  }

  #show(): undefined {
    const view = this.#kept.view ?? this.#input?.view;
    this.parts.screen.prompt(
      view
        ? view
        : {label: '', cells: [...this.parts.graphemes.split(this.#offer(true))], cursor: Number.MAX_SAFE_INTEGER},
    );
  }

  #offer(withChoices: boolean): string {
    if (!withChoices) return 'Allow this? ';
    const choices = this.#choices.filter(
      ({word, refusal}) => refusal === undefined && (word !== 'view' || this.#hidden.length > 0),
    );
    return `Allow this? ${choices.map(({word, label}) => (this.parts.inWords ? word : label)).join(', ')}: `;
  }
}
