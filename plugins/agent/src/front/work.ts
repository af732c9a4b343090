import {isKernelError, isToolError} from '@gemini-kernel/kernel';
import type {AgentEvent, CallRecord, ConversationEvent, LineEnd, Seat, SentLine} from '../contract.js';
import {readTyped, safeText, type InputView} from '@gemini-kernel/terminal';
import type {Speaker} from './speaker.js';
import {TurnView, type TurnParts} from './turn-view.js';

interface WorkParts extends TurnParts {
  readonly seat: Seat;
  readonly speaker: Speaker;
  /** Runs a slash command. */
  command(words: readonly string[]): Promise<void>;
  newId(): string;
  /** Called when work starts or ends, or the queue changes. */
  onChange(): void;
  onLeave(error?: Error): void;
}

/** A text as typed, and as it was displayed. */
export interface Typed {
  readonly text: string;
  readonly view: InputView;
}

/** The lines that the person sent: passes them to the conversation, and shows their results. */
export class Work {
  /** Lines of this console that have not ended; `isShown`: the prompt is already on the screen. */
  readonly #sent = new Map<string, Typed & {readonly isShown: boolean}>();
  #turn: {readonly line: SentLine; readonly view: TurnView} | undefined;
  #queue: readonly SentLine[] = [];
  /** The line that the person stopped last. */
  #stopped: string | undefined;
  #isClosed = false;
  #hasEnded = false;

  constructor(private readonly parts: WorkParts) {}

  get isBusy(): boolean {
    return this.#sent.size > 0 || this.#turn !== undefined;
  }

  /** Whether something is running that can be stopped; a command cannot. */
  get isTurn(): boolean {
    return this.#turn !== undefined;
  }

  /** Whether a tool runs. */
  get hasCall(): boolean {
    return this.#turn?.view.hasCall === true;
  }

  /** The number of waiting lines. */
  get waiting(): number {
    return this.#queue.length;
  }

  /** The waiting lines, as typed. */
  get queue(): readonly string[] {
    return this.#queue.map((line) => this.#sent.get(line.id)?.text ?? textOf(line));
  }

  /** The waiting lines with their ids. */
  get lines(): readonly {readonly id: string; readonly text: string}[] {
    return this.#queue.map((line) => ({id: line.id, text: this.#sent.get(line.id)?.text ?? textOf(line)}));
  }

  get #isStopping(): boolean {
    return this.#turn !== undefined && this.#turn.line.id === this.#stopped;
  }

  /** What the agent is doing, and for how long. */
  doing(): string {
    return this.#isStopping ? 'Stopping' : (this.#turn?.view.status() ?? '');
  }

  /** The key that stops it. */
  stopping(): string | undefined {
    return this.#isStopping ? undefined : 'Ctrl+C stops';
  }

  /** The last lines that a running tool has printed. */
  output(most: number): readonly string[] {
    return this.#turn?.view.output(most) ?? [];
  }

  /** The same as a sentence, at intervals. */
  word(): string | undefined {
    return this.#turn?.view.word();
  }

  /** Sends a typed line; if nothing else is running, its prompt becomes permanent on the screen. */
  send(typed: Typed): void {
    const {seat, screen, newId} = this.parts;
    const isShown = !this.isBusy;
    if (isShown) screen.keepPrompt(typed.view);
    const id = newId();
    this.#sent.set(id, {...typed, isShown});
    const read = readTyped(typed.text);
    const sending =
      read.kind === 'slash'
        ? seat.conversations.send(seat.conversation, {id, kind: 'command', text: typed.text}, () =>
            this.parts.command(read.words),
          )
        : seat.conversations.send(seat.conversation, {id, ...read});
    void this.#await(id, sending);
  }

  /** Removes waiting lines, and gives them as typed. */
  async takeBack(): Promise<readonly string[]> {
    const {conversations, conversation} = this.parts.seat;
    // The typed text is dropped once its sender is notified, so it is looked up first.
    const typed = new Map([...this.#sent].map(([id, {text}]) => [id, text]));
    const lines = await conversations.unqueue(conversation);
    return lines.map((line) => typed.get(line.id) ?? textOf(line));
  }

  /** Removes a waiting line, and gives it as typed; undefined when it does not wait any more. */
  async takeOne(id: string): Promise<string | undefined> {
    const {conversations, conversation} = this.parts.seat;
    const typed = this.#sent.get(id)?.text;
    const [line] = await conversations.unqueue(conversation, id);
    return line && (typed ?? textOf(line));
  }

  /** Moves a waiting line by one place; returns whether it could be. All that wait are sent again, in the new order. */
  async reorder(id: string, by: 1 | -1): Promise<boolean> {
    const texts = this.lines.map(({text}) => text);
    const at = this.lines.findIndex((one) => one.id === id);
    const [moved, other] = [texts[at], texts[at + by]];
    if (moved === undefined || other === undefined) return false;
    const taken = await this.takeBack();
    // If one has begun meanwhile, the others keep their order.
    const isWhole = taken.length === texts.length;
    const ordered = isWhole ? texts.with(at, other).with(at + by, moved) : taken;
    for (const text of ordered) this.send(typedOf(text));
    return isWhole;
  }

  async stop(): Promise<void> {
    this.#stopped = this.#turn?.line.id;
    await this.parts.seat.conversations.stop(this.parts.seat.conversation);
  }

  /** Accepts no more lines; the person leaves when all of them have ended. */
  end(): void {
    this.#hasEnded = true;
    this.#leaveAtEnd();
  }

  /** Shows nothing from now on. */
  close(): void {
    this.#isClosed = true;
    this.#turn = undefined;
  }

  /** Shows events of the lines of this conversation; ignores others. */
  show(event: ConversationEvent): void {
    if (this.#isClosed) return;
    if (event.kind === 'line') return this.#begin(event.line);
    if (event.kind === 'ended') return this.#showEnd(event);
    if (event.kind === 'queue') {
      this.#queue = event.queue;
      return this.parts.onChange();
    }
    if (isOfAgent(event)) this.#showAgent(event);
  }

  #begin(line: SentLine): void {
    const {screen, onChange} = this.parts;
    const sent = this.#sent.get(line.id);
    if (!sent?.isShown) screen.keepPrompt(sent?.view ?? typedOf(textOf(line)).view);
    const doing = line.kind === 'shell' ? 'Starting the shell' : undefined;
    if (line.kind !== 'command' || line.isSourced) this.#turn = {line, view: new TurnView(this.parts, doing)};
    onChange();
  }

  #showAgent(event: AgentEvent): void {
    const turn = this.#turn;
    // The output of a shell line is shown in full when it has ended.
    if (turn?.line.kind === 'shell' && event.kind === 'result') return;
    if (turn) return turn.view.show(event);
    if (event.kind === 'note') this.parts.speaker.notify({level: event.severity, sentence: event.text});
  }

  #showEnd({end}: {readonly end?: LineEnd}): void {
    const {screen, onChange} = this.parts;
    const turn = this.#turn;
    if (!turn) return;
    if (end?.kind === 'prompt') turn.view.end(end.turn);
    else if (end?.kind === 'shell') this.#showPrinted(end.call);
    else if (this.#isStopping) turn.view.end({status: 'aborted', text: '', warnings: [], refused: [], changed: []});
    screen.print(screen.isLive ? '\n' : '');
    this.#turn = undefined;
    onChange();
  }

  /** The output of a shell line, or why it did not run. */
  #showPrinted({status, display = '', error}: CallRecord): void {
    const {screen, look} = this.parts;
    screen.endLine();
    if (status === 'done') screen.print(`${safeText(display).trimEnd()}\n`);
    else if (status === 'aborted') screen.print(`${look.paint('warn', 'Stopped.')}\n`);
    else screen.print(`${look.paint('bad', safeText(error?.message ?? ''))}\n`);
  }

  /** Shows errors; one that is not of a person, a tool or a model is a bug. */
  async #await(id: string, sending: Promise<LineEnd>): Promise<void> {
    const {speaker, onChange, onLeave} = this.parts;
    try {
      await sending;
    } catch (error) {
      if (this.#isClosed || this.#stopped === id) return;
      if (isKernelError(error) || isToolError(error)) speaker.complain(error);
      else onLeave(error instanceof Error ? error : new Error(String(error)));
    } finally {
      this.#sent.delete(id);
      if (!this.#isClosed) onChange();
      this.#leaveAtEnd();
    }
  }

  #leaveAtEnd(): void {
    if (this.#hasEnded && !this.isBusy) this.parts.onLeave();
  }
}

/** A text from another front end, as displayed. */
export function typedOf(text: string): Typed {
  return {text, view: {label: '> ', cells: safeText(text).split(/(?=\n)|(?<=\n)/), cursor: 0}};
}

/** A line as a person types it. */
function textOf({kind, text}: SentLine): string {
  return kind === 'shell' ? `!${text}` : text;
}

const STEERING = new Set(['line', 'ended', 'queue', 'session', 'mode', 'rewound']);

function isOfAgent(event: ConversationEvent): event is AgentEvent {
  return !STEERING.has(event.kind);
}
