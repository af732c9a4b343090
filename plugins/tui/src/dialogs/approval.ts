import type {Confirmation} from '@gemini-kernel/kernel';
import {
  briefKept,
  choicesOf,
  editProposal,
  introduceCall,
  KeptRules,
  previewLines,
  proposalOf,
  textsOf,
  wholeKept,
} from '@gemini-kernel/plugin-agent/front';
import type {Asked, Asking, Choice, Proposal, Reach} from '@gemini-kernel/plugin-agent/front';
import {
  fitWidth,
  layoutInput,
  LineInput,
  revealedLine,
  widthOf,
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
};
/** What a key does beside the answers, which are listed. */
const BESIDES: Readonly<Record<string, string>> = {
  edit: 'edit',
  view: 'read all',
  rule: 'rules',
  limit: 'limit rule',
};

const ALL = 'all';
/** More rows of calls that wait are not seen at a glance, so each is asked about. */
const MOST_WAITING = 8;
/** Columns beside the details of an answer. */
const BESIDE = 6;

/** Asks whether a call may run: what it does stays in the history, the answers are a list below it. */
export class Approval implements Asking<Confirmation> {
  readonly refusal: Confirmation = {decision: 'no', reason: 'The person stopped it.'};
  #hidden: readonly string[] = [];
  #rest = '';
  #list: ChoiceList<Choice> | undefined;
  #besides: readonly Choice[] = [];
  #reason: LineInput | undefined;
  readonly #kept: KeptRules;
  readonly #proposal: Proposal | undefined;
  /** The answer with what the person edited. */
  #edited: Confirmation | undefined;

  constructor(
    private readonly asked: Asked,
    private readonly parts: ApprovalParts,
    private readonly reach: Reach,
  ) {
    this.#proposal = proposalOf(asked);
    this.#kept = new KeptRules({...{asked, narrow: reach.narrow}, ...parts, again: (lines) => this.#tell(lines)});
  }

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
    const others = this.#others();
    const choices = this.#choices(others);
    this.#besides = choices.filter(({word}) => BESIDES[word] !== undefined);
    const answers = choices.filter((one) => !this.#besides.includes(one));
    const options = answers.map((value) => ({
      value,
      label: this.#labelOf(value, others.length),
      key: value.key,
      details:
        value.word === ALL
          ? others.flatMap((one) => linesOf(one, this.parts))
          : briefKept(this.#kept.choices.filter(({label}) => label === value.word)),
    }));
    this.#list = new ChoiceList(options, {paint: look.paint, graphemes, keys});
    this.#reason = undefined;
    this.refresh();
  }

  #choices(others: readonly Asked[]): readonly Choice[] {
    const isLong = this.#hidden.length > 0 || this.asked.preview?.kind === 'diff';
    const canLimit = this.#kept.canLimit && !this.#edited;
    const all = choicesOf(this.#kept.choices, this.#proposal !== undefined, canLimit).filter(
      // What was edited is allowed once only.
      ({word, answer, refusal}) =>
        refusal === undefined && (word !== 'view' || isLong) && !(this.#edited && answer?.remember),
    );
    return others.length > 0 && !this.#edited
      ? [...all.slice(0, 1), {key: 'w', word: ALL, label: ALL}, ...all.slice(1)]
      : all;
  }

  #labelOf({word}: Choice, others: number): string {
    if (word === ALL) return `Yes, once, and to the ${others === 1 ? 'other call' : `${others} other calls`} that wait`;
    if (this.#edited && word === 'yes') return 'Yes, with your changes';
    return SENTENCES[word] ?? word;
  }

  /** The calls that wait, if all that they would do fits under an answer. */
  #others(): readonly Asked[] {
    const others = this.reach.waiting();
    const rows = others.flatMap((one) => linesOf(one, this.parts));
    const isWhole = rows.every((row) => widthOf(row) <= this.parts.screen.columns - BESIDE);
    return isWhole && rows.length <= MOST_WAITING ? others : [];
  }

  press(key: Key): Confirmation | undefined {
    if (this.#reason) return this.#pressInReason(this.#reason, key);
    if (this.#kept.view) {
      this.#kept.press(key);
      return this.refresh();
    }
    const beside = key.kind === 'text' ? this.#besides.find((one) => one.key === key.text.toLowerCase()) : undefined;
    if (beside) return this.#choose(beside);
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

  refresh(): undefined {
    this.parts.screen.ask((columns, most) => this.#lay(columns, most));
  }

  #choose({word, answer}: Choice): Confirmation | undefined {
    if (answer) return this.#end(word, answer.decision === 'yes' ? (this.#edited ?? answer) : answer);
    if (word === ALL) {
      this.reach.allow(this.#others());
      return this.#end('yes, to all that wait', {decision: 'yes'});
    }
    if (word === 'edit') return void this.#edit();
    if (word === 'rule') return this.#tell(wholeKept(this.#kept.choices));
    if (word === 'view') return void this.#read();
    if (word === 'limit') this.#kept.begin();
    if (word === 'limit') return this.refresh();
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

  async #read(): Promise<void> {
    const {call, preview} = this.asked;
    const title = `What ${call.tool} would do${preview?.kind === 'diff' ? ` to ${preview.path}` : ''}`;
    await this.reach.read(title, textsOf(this.asked, {...this.parts, paint: this.parts.look.paint}));
  }

  /** Asks again when the editor has closed. */
  async #edit(): Promise<void> {
    if (!this.#proposal) return;
    const {answer, sentence} = await editProposal(this.#proposal, this.#edited, this.reach);
    this.#edited = answer;
    this.#tell([sentence]);
  }

  /** Prints lines above the question, and asks again. */
  #tell(lines: readonly string[]): undefined {
    this.parts.screen.print(lines.map((line) => `${line}\n`).join(''));
    this.open();
  }

  /** Keeps the answer in the history. */
  #end(word: string, answer: Confirmation): Confirmation {
    const {screen, graphemes} = this.parts;
    this.#rest = this.#reason || word.includes(' ') ? '' : word.slice(1);
    screen.keepPrompt({label: 'Allow this? ', cells: graphemes.split(word), cursor: 0});
    return answer;
  }

  #lay(columns: number, most: number): Layout {
    const {paint} = this.parts.look;
    const view = this.#kept.view ?? this.#reason?.view;
    if (view) return layoutInput(view, columns, most);
    const title = paint('strong', 'Allow this?');
    const keys = this.#besides.map(({key, word}) => `${key} ${BESIDES[word] ?? word}`).join(' · ');
    const last = keys === '' ? [] : [paint('dim', fitWidth(`  ${keys}`, columns - 1, this.parts.graphemes))];
    const {rows = [], marked = 0} = this.#list?.rows(columns, Math.max(1, most - 1 - last.length)) ?? {};
    return {rows: [title, ...rows, ...last], row: marked + 1, column: 0};
  }
}

/** What a call that waits would do, whole. */
function linesOf({call, preview}: Asked, {graphemes}: ApprovalParts): readonly string[] {
  const plain = (_: string, text: string): string => text;
  const [first = '', ...more] = previewLines(preview, call, {paint: plain, graphemes});
  return [`${revealedLine(call.tool)}: ${first}`, ...more];
}
