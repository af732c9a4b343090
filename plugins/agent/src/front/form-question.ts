import {introOf, linesOf, promptOf, readField} from '@gemini-kernel/command/lines';
import type {FormField, FormReply, FormValues, SentForm} from '@gemini-kernel/kernel';
import type {Asking} from './asking.js';
import {
  LineInput,
  revealedLine,
  revealedText,
  type Graphemes,
  type InputView,
  type KeyBindings,
  type Key,
  type Paint,
} from '@gemini-kernel/terminal';
import type {Screen} from './screen.js';

interface FormParts {
  readonly screen: Screen;
  readonly paint: Paint;
  readonly graphemes: Graphemes;
  readonly keys: KeyBindings;
}

/** A form with one field after the other, each on its own line. Escape closes it. */
export class FormQuestion implements Asking<FormReply> {
  readonly refusal: FormReply = {outcome: 'closed'};
  readonly restOfAnswer = '';
  readonly #values: Record<string, FormValues[string]> = {};
  readonly #left: FormField[];
  #input: LineInput;

  constructor(
    private readonly form: SentForm,
    private readonly parts: FormParts,
  ) {
    this.#left = [...form.fields];
    this.#input = this.#nextInput();
  }

  introduce(): void {
    const {screen, paint} = this.parts;
    const [title = '', ...text] = introOf(this.form);
    const about = `${paint('warn', '?')} ${paint('strong', revealedLine(title))}`;
    screen.endLine();
    // What is to be written is shown with its indentation.
    screen.print([about, ...text.map(revealedText), ''].join('\n'));
  }

  open(): void {
    this.#say((this.#left[0] ? linesOf(this.#left[0]) : []).map(revealedLine));
    this.refresh();
  }

  press(key: Key): FormReply | undefined {
    const [field] = this.#left;
    if (!field) return {outcome: 'answered', values: this.#values};
    const act = this.#input.press(key);
    if (act === 'escape') return this.refusal;
    if (act === 'submit') return this.#take(field);
    this.refresh();
    return undefined;
  }

  withdraw(): void {
    this.parts.screen.prompt(undefined);
    this.parts.screen.endLine();
    this.parts.screen.print(`${this.parts.paint('dim', 'This is no longer asked.')}\n`);
  }

  refresh(): void {
    this.parts.screen.prompt(this.#view());
  }

  #take(field: FormField): FormReply | undefined {
    this.parts.screen.keepPrompt(this.#view());
    const read = readField(field, this.#input.text);
    if (read === 'closed') return this.refusal;
    if ('fault' in read) this.#say([this.parts.paint('bad', revealedLine(read.fault))]);
    else {
      this.#values[field.name] = read.value;
      this.#left.shift();
    }
    if (this.#left.length === 0) return {outcome: 'answered', values: this.#values};
    this.#input = this.#nextInput();
    if ('fault' in read) this.refresh();
    else this.open();
    return undefined;
  }

  /** The visible part of the line; for a secret, only its length. */
  #view(): InputView {
    const {view} = this.#input;
    return this.#left[0]?.kind === 'secret' ? {...view, cells: view.cells.map(() => '•')} : view;
  }

  #nextInput(): LineInput {
    const [field] = this.#left;
    const {graphemes, keys} = this.parts;
    return new LineInput(graphemes, {keys, label: field ? `${revealedLine(promptOf(field))} ` : ''});
  }

  #say(lines: readonly string[]): void {
    if (lines.length === 0) return;
    this.parts.screen.prompt(undefined);
    this.parts.screen.print(lines.map((line) => `${line}\n`).join(''));
  }
}
