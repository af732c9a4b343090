import {messageOf, type ApprovalChoice, type ToolCall} from '@gemini-kernel/kernel';
import {
  LineInput,
  revealedLine,
  type Graphemes,
  type InputView,
  type Key,
  type KeyBindings,
} from '@gemini-kernel/terminal';
import {briefKept} from './kept-rules.js';

/** Narrows the rules that answers to a call keep; the service `policy` has this method. */
export interface RuleKeeper {
  narrow(call: ToolCall, prefixes: readonly string[]): Promise<readonly ApprovalChoice[]>;
}

/** The beginnings of commands that the rules of answers name, in order. */
function prefixesOf(choices: readonly ApprovalChoice[]): readonly string[] {
  const rules = choices.find(({keeps}) => keeps)?.keeps?.rules ?? '';
  return [...rules.matchAll(/^commandPrefix = ("(?:[^"\\]|\\.)*")$/gm)].flatMap(([, quoted = '""']) => {
    // A text of TOML that JSON has, too.
    const prefix: unknown = JSON.parse(quoted);
    return typeof prefix === 'string' ? [prefix] : [];
  });
}

interface LimitParts {
  readonly asked: {readonly call: ToolCall; readonly choices: readonly ApprovalChoice[]};
  readonly narrow: RuleKeeper['narrow'] | undefined;
  readonly graphemes: Graphemes;
  readonly keys: KeyBindings;
  /** The question is to be asked again, below these lines. */
  again(lines: readonly string[]): void;
}

/** The rules that answers to a call keep, which a person can narrow: a longer beginning of a command for each. */
export class KeptRules {
  /** The answers, with the rules as they were narrowed last. */
  choices: readonly ApprovalChoice[];
  #input: LineInput | undefined;
  #given: readonly string[] = [];

  constructor(private readonly parts: LimitParts) {
    this.choices = parts.asked.choices;
  }

  /** Whether there is something to narrow. */
  get canLimit(): boolean {
    return this.parts.narrow !== undefined && prefixesOf(this.choices).length > 0;
  }

  /** The line that is being typed. */
  get view(): InputView | undefined {
    return this.#input?.view;
  }

  begin(): undefined {
    this.#given = [];
    this.#next();
  }

  /** Uses a key while a line is being typed. */
  press(key: Key): undefined {
    const input = this.#input;
    const act = key.kind === 'text' && key.text === '?' && input?.isEmpty ? undefined : input?.press(key);
    if (act === 'escape') this.#end([]);
    if (act !== 'submit' || !input) return;
    this.#given = [...this.#given, input.text];
    if (this.#given.length < prefixesOf(this.choices).length) this.#next();
    else void this.#narrow();
  }

  async #narrow(): Promise<void> {
    const {narrow, asked} = this.parts;
    try {
      const narrowed = (await narrow?.(asked.call, this.#given)) ?? [];
      this.choices = this.choices.map((one) => narrowed.find(({value}) => value === one.value) ?? one);
      this.#end(briefKept(this.choices));
    } catch (error) {
      this.#end([revealedLine(messageOf(error))]);
    }
  }

  #next(): void {
    const prefixes = prefixesOf(this.choices);
    const at = this.#given.length;
    const which = prefixes.length === 1 ? '' : ` ${at + 1} of ${prefixes.length}`;
    const {graphemes, keys} = this.parts;
    this.#input = new LineInput(graphemes, {label: `Only commands${which} that begin with: `, keys});
    this.#input.set(revealedLine(prefixes[at] ?? ''));
  }

  #end(lines: readonly string[]): void {
    this.#input = undefined;
    this.parts.again(lines);
  }
}
