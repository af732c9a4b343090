import type {AgentEvent, CallRecord, TurnEnd} from '../contract.js';
import {describeCall, describeElapsed, describeResult, describeTime} from './describe.js';
import {MarkdownStream, safeLine, safeText, type Graphemes, type Look} from '@gemini-kernel/terminal';
import type {Outputs} from './outputs.js';
import type {Screen} from './screen.js';

export interface TurnParts {
  readonly screen: Screen;
  readonly look: Look;
  readonly graphemes: Graphemes;
  readonly outputs: Outputs;
  /** Whether the model's thoughts are kept in the conversation. */
  readonly showsThoughts: boolean;
  /** Milliseconds of a monotonic clock. */
  now(): number;
}

interface Running {
  readonly what: string;
  progress?: string;
  /** The end of what it printed. */
  output: string;
}

const MOST_OUTPUT = 10_000;

const SAY_EVERY_MS = 10_000;
const SAY_PROGRESS_EVERY_MS = 3000;

/** Shows the events of a running prompt, and what gemini is waiting for. */
export class TurnView {
  readonly #markdown: MarkdownStream;
  readonly #started: number;
  readonly #running = new Map<string, Running>();
  readonly #said = new Set<string>();
  #doing: string;
  #thought = '';
  /** Text that is held back until its line is complete, where a line cannot continue later. */
  #held = '';
  #waitUntil: number | undefined;
  #lastWord: number;

  constructor(
    private readonly parts: TurnParts,
    doing = 'Asking the model',
  ) {
    this.#doing = doing;
    this.#markdown = new MarkdownStream(parts.look);
    this.#started = parts.now();
    this.#lastWord = this.#started;
  }

  /** Shows one event. What an agent does is one line of its call, which the call reports itself. */
  show(event: AgentEvent): void {
    if (event.kind !== 'agent') this.#show(event);
  }

  #show(event: Exclude<AgentEvent, {kind: 'agent'}>): void {
    if (event.kind !== 'waiting') this.#waitUntil = undefined;
    if (event.kind !== 'thought') this.#endThought();
    switch (event.kind) {
      case 'text':
        this.#doing = 'Answering';
        return this.#text(this.#markdown.push(event.text));
      case 'thought':
        return this.#think(event.text);
      case 'message':
        return this.#endText();
      case 'call':
        return this.#call(event.id, describeCall(event.tool, event.input, this.parts.graphemes));
      case 'progress':
        return this.#progress(event);
      case 'result':
        this.#running.delete(event.id);
        this.#doing = 'Asking the model';
        this.parts.outputs.add(event.call);
        return this.#line(this.#result(event.call));
      case 'model':
        this.#doing = `Asking ${safeLine(event.model)}`;
        return;
      case 'silence':
        this.#doing = `Waiting for ${safeLine(event.model)}`;
        return;
      case 'usage':
        return;
      default:
        return this.#notice(event);
    }
  }

  /** Shows how the prompt ended, and what was not yet shown. */
  end(turn: TurnEnd): void {
    this.#endText();
    const {paint} = this.parts.look;
    for (const warning of turn.warnings)
      if (!this.#said.has(safeLine(warning))) this.#line(`${paint('warn', safeLine(warning))}\n`);
    if (turn.status === 'done') return;
    if (turn.status === 'aborted') return this.#line(`${paint('warn', 'Stopped.')}\n`);
    const message = safeLine(messageOfEnd(turn.status, turn));
    const isBad = turn.status === 'failed' || turn.status === 'invalid';
    if (message !== '' && !this.#said.has(message)) this.#line(`${paint(isBad ? 'bad' : 'warn', message)}\n`);
    if (turn.error?.hint) this.#line(`${paint('dim', safeLine(turn.error.hint))}\n`);
  }

  /** What gemini is waiting for, and for how long, in a few words. */
  status(): string {
    const [first, ...others] = this.#running.values();
    const doing = first
      ? [first.what, first.progress, others.length > 0 ? `and ${others.length} more` : undefined]
          .filter(Boolean)
          .join(' · ')
      : this.#doing;
    const left =
      this.#waitUntil === undefined ? undefined : Math.max(0, Math.ceil((this.#waitUntil - this.parts.now()) / 1000));
    return (
      `${describeElapsed(this.parts.now() - this.#started)} · ` + `${doing}${left === undefined ? '' : ` in ${left} s`}`
    );
  }

  /** Whether a tool runs. */
  get hasCall(): boolean {
    return this.#running.size > 0;
  }

  /** The last lines that the running tool has printed; where several run, what each does. */
  output(most: number): readonly string[] {
    const all = [...this.#running.values()];
    if (all.length > 1) return all.slice(0, most).map(({what, progress = ''}) => `${what} · ${progress}`);
    const lines = safeText(all[0]?.output ?? '')
      .trimEnd()
      .split('\n');
    // One line counts too: it may be what a command asks.
    return lines.join('') === '' ? [] : lines.slice(-most);
  }

  /** The same as a sentence, at intervals; for screens whose last line cannot be redrawn. */
  word(): string | undefined {
    const now = this.parts.now();
    if (now - this.#lastWord < SAY_EVERY_MS) return undefined;
    this.#lastWord = now;
    const [first] = this.#running.values();
    return `Working, ${describeElapsed(now - this.#started)}${first ? `: ${first.what}` : ''}.\n`;
  }

  #text(shown: string): void {
    if (this.parts.screen.isLive) return this.parts.screen.print(shown);
    this.#held += shown;
    const end = this.#held.lastIndexOf('\n') + 1;
    this.#say(this.#held.slice(0, end));
    this.#held = this.#held.slice(end);
  }

  #endText(): void {
    const rest = this.#markdown.end();
    if (rest !== '') this.#text(rest);
    this.parts.screen.endLine();
  }

  /** Its first line breaks at words, and the output below it stays as it was printed. */
  #result(call: CallRecord): string {
    const {look, graphemes} = this.parts;
    return `${look.paragraph?.(2) ?? ''}${describeResult(call, look.paint, graphemes)}`;
  }

  #line(text: string): void {
    this.#endText();
    this.#say(text);
  }

  #say(text: string): void {
    if (text === '') return;
    this.#lastWord = this.parts.now();
    this.parts.screen.print(text);
  }

  /** Thoughts have a bold subject, or start with a sentence. */
  #think(text: string): void {
    this.#thought += text;
    const subject = /\*\*([^*]+)\*\*/.exec(this.#thought)?.[1];
    this.#doing = subject === undefined ? 'Thinking' : `Thinking: ${safeLine(subject)}`;
    if (subject === undefined) return;
    if (this.parts.showsThoughts) this.#line(`${this.parts.look.paint('dim', `Thought: ${safeLine(subject)}`)}\n`);
    this.#thought = this.#thought.slice(this.#thought.indexOf(subject) + subject.length + 2).replace(/^[^*]*/, '');
    this.#said.add('thought');
  }

  #endThought(): void {
    const rest = safeLine(this.#thought.split('\n').find((line) => line.trim() !== '') ?? '');
    if (rest !== '' && !this.#said.has('thought') && this.parts.showsThoughts)
      this.#line(`${this.parts.look.paint('dim', `Thought: ${rest}`)}\n`);
    this.#thought = '';
    this.#said.delete('thought');
  }

  #call(id: string, what: string): void {
    this.#endText();
    this.#running.set(id, {what, output: ''});
    if (!this.parts.screen.isLive) this.#say(`Running ${what}.\n`);
  }

  #progress({id, text, done, total}: Extract<AgentEvent, {kind: 'progress'}>): void {
    const running = this.#running.get(id);
    if (!running) return;
    const count = done === undefined ? '' : `${done}${total === undefined ? '' : `/${total}`} `;
    running.output = `${running.output}${text}`.slice(-MOST_OUTPUT);
    running.progress = `${count}${safeLine(text.trimEnd().slice(-500))}`;
    if (this.parts.screen.isLive || this.parts.now() - this.#lastWord < SAY_PROGRESS_EVERY_MS) return;
    this.#say(`${running.what}: ${running.progress}\n`);
  }

  #notice(event: Extract<AgentEvent, {kind: 'waiting' | 'fallback' | 'compressed' | 'note'}>): void {
    const {paint} = this.parts.look;
    if (event.kind === 'waiting') {
      const {failure, attempt, of, delayMs} = event;
      this.#waitUntil = this.parts.now() + delayMs;
      this.#doing = `${safeLine(failure.message).replace(/\.$/, '')} · trying again (${attempt} of ${of})`;
      if (!this.parts.screen.isLive)
        this.#line(`${safeLine(failure.message)} Trying again in ${describeTime(delayMs)} (${attempt} of ${of}).\n`);
      return;
    }
    if (event.kind === 'fallback') {
      const change = `From here on, ${safeLine(event.to)} answers instead of ${safeLine(event.from)}.`;
      return this.#line(`${paint('warn', `${safeLine(event.failure.message)} ${change}`)}\n`);
    }
    if (event.kind === 'compressed')
      return this.#line(
        `${paint('dim', `The older part was summarised: ${event.before} tokens became ${event.after}.`)}\n`,
      );
    this.#said.add(safeLine(event.text));
    this.#line(
      `${paint(({info: 'dim', warning: 'warn', error: 'bad'} as const)[event.severity], safeLine(event.text))}\n`,
    );
  }
}

/** The error of an end is more specific than these sentences. */
function messageOfEnd(status: keyof typeof endings, {error, warnings}: TurnEnd): string {
  return error?.message ?? (warnings.length > 0 ? '' : endings[status]);
}

const endings = {
  refused: 'The prompt was refused.',
  failed: 'The model could not answer.',
  limit: 'The limit of turns was reached.',
  loop: 'The model repeated itself, so it was stopped.',
  invalid: 'The answers of the model were unusable.',
} as const;
