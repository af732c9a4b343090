import type {Confirmation, Preview, ToolCall} from '@gemini-kernel/kernel';
import type {Asking} from './asking.js';
import {describeCall} from './describe.js';
import type {Graphemes} from './graphemes.js';
import type {Key} from './keys.js';
import {LineInput} from './line-input.js';
import {previewLines} from './preview-text.js';
import {revealedLine} from './safe-text.js';
import type {Screen} from './screen.js';
import type {Paint} from './style.js';

/** A call that a person is asked about. */
export interface Asked {
  readonly call: ToolCall;
  readonly preview: Preview | undefined;
  readonly reason: string;
}

export interface QuestionParts {
  readonly screen: Screen;
  readonly paint: Paint;
  readonly graphemes: Graphemes;
  /** Which kinds of yes the settings leave open. */
  readonly keeps: readonly ('session' | 'always')[];
  /** Whether answers are words, ended by Enter, and not single keys. */
  readonly inWords: boolean;
}

interface Choice {
  readonly key: string;
  readonly word: string;
  readonly label: string;
  readonly answer?: Confirmation;
}

/** A screen that is nearly full of a preview still shows the question. */
const ROWS_BESIDE = 8;
const LEAST_ROWS = 10;

/**
 * One question: what would be done, why it is asked, and what can be answered. Touches the terminal through its screen
 * only.
 */
export class Question implements Asking<Confirmation> {
  readonly refusal: Confirmation = {decision: 'no', reason: 'The person stopped it.'};
  #hidden: readonly string[] = [];
  #input: LineInput | undefined;
  #isReason = false;
  #rest = '';
  readonly #choices: readonly Choice[];

  constructor(
    private readonly asked: Asked,
    private readonly parts: QuestionParts,
  ) {
    this.#choices = choicesOf(parts.keeps);
  }

  introduce(): void {
    const {screen, paint, graphemes} = this.parts;
    const {call, preview, reason} = this.asked;
    const lines = previewLines(preview, call, paint);
    const most = Math.max(LEAST_ROWS, screen.rows - ROWS_BESIDE);
    const isLong = lines.length > most + 1;
    this.#hidden = isLong ? lines.slice(most) : [];
    const who = call.subagent === undefined ? '' : paint('dim', ` (${revealedLine(call.subagent)})`);
    const title =
      `${paint('warn', '?')} ` +
      `${paint('strong', preview ? revealedLine(call.tool) : describeCall(call.tool, call.input, graphemes))}${who}`;
    screen.endLine();
    screen.print(
      [
        title,
        ...(isLong ? lines.slice(0, most) : lines),
        ...(isLong ? [paint('dim', `… ${this.#hidden.length} more lines`)] : []),
        paint('dim', revealedLine(reason)),
        '',
      ].join('\n'),
    );
  }

  open(): void {
    this.#input = this.parts.inWords ? this.#lineOf(this.#offer(true)) : undefined;
    this.#show();
  }

  get restOfAnswer(): string {
    return this.#rest;
  }

  press(key: Key): Confirmation | undefined {
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
      return {decision: 'no', reason: said === '' ? 'The person said no.' : `The person said no: ${said}`};
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

  #choose({word, answer}: Choice): Confirmation | undefined {
    const {screen} = this.parts;
    if (answer) {
      this.#rest = this.parts.inWords ? '' : word.slice(1);
      if (!this.parts.inWords) screen.keepPrompt({label: this.#offer(false), cells: [word], cursor: 1});
      return answer;
    }
    if (word === 'view') {
      screen.prompt(undefined);
      screen.print(this.#hidden.map((line) => `${line}\n`).join(''));
      this.#hidden = [];
      this.open();
    } else {
      this.#isReason = true;
      this.#input = this.#lineOf('What should be done instead? ');
      this.#show();
    }
    return undefined;
  }

  #lineOf(label: string): LineInput {
    return new LineInput(this.parts.graphemes, [], label);
  }

  #show(): void {
    this.parts.screen.prompt(
      this.#input
        ? this.#input.view
        : {label: '', cells: [...this.parts.graphemes.split(this.#offer(true))], cursor: Number.MAX_SAFE_INTEGER},
    );
  }

  #offer(withChoices: boolean): string {
    if (!withChoices) return 'Allow this? ';
    const choices = this.#choices.filter(({word}) => word !== 'view' || this.#hidden.length > 0);
    return `Allow this? ${choices.map(({word, label}) => (this.parts.inWords ? word : label)).join(', ')}: `;
  }
}

function choicesOf(keeps: QuestionParts['keeps']): readonly Choice[] {
  const yes = {decision: 'yes'} as const;
  const all: readonly (Choice & {readonly keep?: 'session' | 'always'})[] = [
    {key: 'y', word: 'yes', label: '[y]es', answer: yes},
    {key: 's', word: 'session', label: '[s]ession', answer: {...yes, remember: 'session'}, keep: 'session'},
    {key: 'a', word: 'always', label: '[a]lways', answer: {...yes, remember: 'always'}, keep: 'always'},
    {key: 'n', word: 'no', label: '[n]o', answer: {decision: 'no', reason: 'The person said no.'}},
    {key: 'r', word: 'reason', label: 'no with a [r]eason'},
    {key: 'v', word: 'view', label: '[v]iew all'},
  ];
  return all.filter(({keep}) => keep === undefined || keeps.includes(keep));
}
