import {markKey} from '@gemini-kernel/command/lines';
import type {ApprovalChoice, Confirmation, PayloadOf, ToolCall} from '@gemini-kernel/kernel';
import type {Asking} from './asking.js';
import {describeCall} from './describe.js';
import {
  LineInput,
  revealedLine,
  type Graphemes,
  type Key,
  type KeyBindings,
  type Look,
  type Paint,
} from '@gemini-kernel/terminal';
import {briefKept, refusalOf, wholeKept} from './kept-rules.js';
import {previewLines} from './preview-text.js';
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

/** An answer that a person can choose. */
export interface Choice {
  readonly key: string;
  readonly word: string;
  readonly label: string;
  readonly answer?: Confirmation;
  /** Why it cannot be chosen. */
  readonly refusal?: string | undefined;
}

/** The owner of a tool that is not part of the product. */
function ownerOf({plugin, server}: ToolCall): string | undefined {
  const foreign = plugin?.startsWith('@gemini-kernel/') ? undefined : plugin;
  return server === undefined ? foreign && `of ${foreign}` : `of ${server}${foreign ? `, ${foreign}` : ''}`;
}

/** Even a nearly full screen still shows the question. */
const ROWS_BESIDE = 8;
const LEAST_ROWS = 10;

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
  readonly #choices: readonly Choice[];
  readonly #proposal: Proposal | undefined;
  /** The answer with what the person edited. */
  #edited: Confirmation | undefined;

  constructor(
    private readonly asked: Asked,
    private readonly parts: QuestionParts,
    private readonly reach: Pick<Reach, 'edit'>,
  ) {
    this.#proposal = proposalOf(asked);
    this.#choices = choicesOf(asked.choices, this.#proposal !== undefined);
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
    if (word === 'rule') return this.#tell(wholeKept(this.asked.choices));
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
    this.parts.screen.prompt(undefined);
    this.parts.screen.print(lines.map((line) => `${line}\n`).join(''));
    this.open();
  }

  #lineOf(label: string): LineInput {
    return new LineInput(this.parts.graphemes, {label, keys: this.parts.keys});
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
    const choices = this.#choices.filter(
      ({word, refusal}) => refusal === undefined && (word !== 'view' || this.#hidden.length > 0),
    );
    return `Allow this? ${choices.map(({word, label}) => (this.parts.inWords ? word : label)).join(', ')}: `;
  }
}

/** What a call would do, why gemini asks, and what answers would keep; a long preview is cut. */
export function introduceCall(
  {call, preview, reason, choices}: Asked,
  {screen, paint, graphemes, look}: Pick<QuestionParts, 'screen' | 'paint' | 'graphemes' | 'look'>,
): {readonly lines: readonly string[]; readonly hidden: readonly string[]} {
  const lines = previewLines(preview, call, {paint, graphemes});
  const most = Math.max(LEAST_ROWS, screen.rows - ROWS_BESIDE);
  const isLong = lines.length > most + 1;
  const hidden = isLong ? lines.slice(most) : [];
  const who = [ownerOf(call), call.subagent]
    .flatMap((one) => (one === undefined ? [] : [paint('dim', ` (${revealedLine(one)})`)]))
    .join('');
  const title =
    `${paint('warn', '?')} ` +
    `${paint('strong', preview ? revealedLine(call.tool) : describeCall(call.tool, call.input, graphemes))}${who}`;
  const sentence = (text: string): string => `${look?.paragraph?.(0) ?? ''}${paint('dim', text)}`;
  return {
    lines: [
      title,
      ...(isLong ? lines.slice(0, most) : lines),
      ...(isLong ? [paint('dim', `… ${hidden.length} more lines`)] : []),
      sentence(revealedLine(reason)),
      ...briefKept(choices).map(sentence),
    ],
    hidden,
  };
}

/** The answers to a call, with a reason, the rest of the preview, and the rules. */
export function choicesOf(choices: readonly ApprovalChoice[], isEditable: boolean): readonly Choice[] {
  const hasRules = choices.some(({keeps, unavailable}) => keeps ?? unavailable);
  return [
    ...choices.map((choice) => ({
      key: choice.key ?? choice.label,
      word: choice.label,
      label: markKey(choice),
      answer: choice.answer,
      refusal: refusalOf(choice),
    })),
    ...(isEditable ? [{key: 'e', word: 'edit', label: '[e]dit'}] : []),
    {key: 'r', word: 'reason', label: '[r]eason'},
    {key: 'v', word: 'view', label: '[v]iew all'},
    ...(hasRules ? [{key: '?', word: 'rule', label: '[?] rule'}] : []),
  ];
}
