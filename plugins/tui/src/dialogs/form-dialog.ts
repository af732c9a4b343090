import {introOf, promptOf, readField} from '@gemini-kernel/command/lines';
import type {FormField, FormOption, FormReply, FormValues, SentForm} from '@gemini-kernel/kernel';
import type {Asking} from '@gemini-kernel/plugin-agent/front';
import {fitWidth, layoutInput, LineInput, revealedLine, revealedText} from '@gemini-kernel/terminal';
import type {Graphemes, InputView, Key, KeyBindings, Layout, Look, Style} from '@gemini-kernel/terminal';
import type {TerminalScreen} from '../terminal-screen.js';
import {ChoiceList, type Option} from './choice-list.js';

interface FormParts {
  readonly screen: TerminalScreen;
  readonly graphemes: Graphemes;
  readonly keys: KeyBindings;
  readonly look: Look;
}

type Value = FormValues[string];
interface Noted {
  readonly style: Style;
  readonly text: string;
}
type ChoiceField = Extract<FormField, {kind: 'yes-no' | 'choice' | 'several'}>;

/** A form with one field after the other: a list where there is a choice, and otherwise a line. Escape closes it. */
export class FormDialog implements Asking<FormReply> {
  readonly refusal: FormReply = {outcome: 'closed'};
  readonly restOfAnswer = '';
  readonly #values: Record<string, Value> = {};
  readonly #left: FormField[];
  #list: ChoiceList<string | boolean> | undefined;
  #input: LineInput | undefined;
  #fault: string | undefined;

  constructor(
    private readonly form: SentForm,
    private readonly parts: FormParts,
  ) {
    this.#left = [...form.fields];
  }

  get isLong(): boolean {
    return this.#list?.isLong ?? false;
  }

  introduce(): void {
    const {screen, look} = this.parts;
    const [title = '', ...text] = introOf(this.form);
    const about = `${look.paint('warn', '?')} ${look.paint('strong', revealedLine(title))}`;
    screen.endLine();
    // What is to be written is shown with its indentation.
    screen.print([about, ...text.map(revealedText), ''].join('\n'));
  }

  open(): void {
    const [field] = this.#left;
    this.#list = field && isChoice(field) ? listOf(field, this.parts) : undefined;
    const {graphemes, keys} = this.parts;
    // A question mark needs no colon.
    const label = field ? `${revealedLine(promptOf(field)).replace(/\?:$/, '?')} ` : '';
    this.#input = field && !this.#list ? new LineInput(graphemes, {keys, label}) : undefined;
    this.#fault = undefined;
    this.refresh();
  }

  press(key: Key): FormReply | undefined {
    const [field] = this.#left;
    if (!field) return {outcome: 'answered', values: this.#values};
    if (key.kind === 'key' && this.parts.keys.actOf('list', key.name) === 'close') return this.refusal;
    const reply = this.#list ? this.#pressInList(field, this.#list, key) : this.#pressInLine(field, key);
    if (!reply) this.refresh();
    return reply;
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

  #pressInList(field: FormField, list: ChoiceList<string | boolean>, key: Key): FormReply | undefined {
    const act = key.kind === 'key' ? this.parts.keys.actOf('list', key.name) : undefined;
    const isEnd = act === 'confirm' && field.kind === 'several';
    const chosen = isEnd ? undefined : list.press(key);
    if (isEnd) return this.#take(field, list.ticked as readonly string[], list.ticked.join(', ') || 'none');
    return chosen && this.#take(field, chosen.value, chosen.label);
  }

  #pressInLine(field: FormField, key: Key): FormReply | undefined {
    const input = this.#input;
    if (!input) return undefined;
    const isPlain = key.kind === 'text' && key.text === '?' && input.isEmpty;
    if (isPlain) input.replace(0, 0, '?');
    else if (input.press(key) === 'submit') return this.#read(field, input);
    return undefined;
  }

  #read(field: FormField, input: LineInput): FormReply | undefined {
    const read = readField(field, input.text);
    if (read === 'closed') return this.refusal;
    if ('fault' in read) {
      this.#fault = read.fault;
      return undefined;
    }
    const shown = field.kind === 'secret' ? '•'.repeat(input.text.length) : input.text || String(read.value);
    return this.#take(field, read.value, shown);
  }

  /** Keeps an answer, also in the history. */
  #take(field: FormField, value: Value, shown: string): FormReply | undefined {
    this.parts.screen.keepPrompt({
      label: `${revealedLine(field.label)} `,
      cells: this.parts.graphemes.split(revealedLine(shown)),
      cursor: 0,
    });
    this.#values[field.name] = value;
    this.#left.shift();
    if (this.#left.length === 0) return {outcome: 'answered', values: this.#values};
    this.open();
    return undefined;
  }

  #lay(columns: number, most: number): Layout {
    const [field] = this.#left;
    const above = [...this.#title(field), ...this.#notes(field)].map(({style, text}) =>
      this.parts.look.paint(style, fitWidth(text, columns - 1, this.parts.graphemes)),
    );
    const room = Math.max(1, most - above.length);
    if (!this.#list) {
      const {rows, row, column} = layoutInput(this.#view(), columns, room);
      return {rows: [...above, ...rows], row: above.length + row, column};
    }
    const {rows, marked} = this.#list.rows(columns, room);
    return {rows: [...above, ...rows], row: above.length + marked, column: 0};
  }

  #title(field: FormField | undefined): readonly Noted[] {
    if (!this.#list) return [];
    const keys = field?.kind === 'several' ? ' (Space ticks, Enter accepts)' : '';
    return [{style: 'strong', text: revealedLine(`${field?.label ?? ''}${keys}`)}];
  }

  #notes(field: FormField | undefined): readonly Noted[] {
    const about = (field?.description?.split('\n') ?? []).map(
      (line) => ({style: 'dim', text: revealedLine(line)}) as const,
    );
    return this.#fault === undefined ? about : [...about, {style: 'bad', text: revealedLine(this.#fault)}];
  }

  /** The visible part of the line; for a secret, only its length. */
  #view(): InputView {
    const view = this.#input?.view ?? {label: '', cells: [], cursor: 0};
    return this.#left[0]?.kind === 'secret' ? {...view, cells: view.cells.map(() => '•')} : view;
  }
}

function isChoice(field: FormField): field is ChoiceField {
  return field.kind === 'yes-no' || field.kind === 'choice' || field.kind === 'several';
}

function listOf(field: ChoiceField, parts: FormParts): ChoiceList<string | boolean> {
  const settings = {paint: parts.look.paint, graphemes: parts.graphemes, keys: parts.keys};
  if (field.kind === 'yes-no') {
    const options = [
      {value: true, label: 'Yes', key: 'y'},
      {value: false, label: 'No', key: 'n'},
    ];
    return new ChoiceList<string | boolean>(options, settings, {marked: field.default === true ? 0 : 1});
  }
  const options = field.options.map(toOption);
  const indexOf = (value: string): number => field.options.findIndex((one) => one.value === value);
  return new ChoiceList<string | boolean>(
    options,
    settings,
    field.kind === 'several'
      ? {ticked: (field.default ?? []).map(indexOf)}
      : {marked: field.default === undefined ? 0 : indexOf(field.default)},
  );
}

function toOption({value, label, key, description}: FormOption): Option<string> {
  return {
    value,
    label,
    ...(key === undefined ? {} : {key}),
    ...(description === undefined ? {} : {details: description.split('\n')}),
  };
}
