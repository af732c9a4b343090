import {isKernelError, isToolError} from '@gemini-kernel/kernel';
import type {AgentEvent, Seat, SlashCommand} from '@gemini-kernel/plugin-agent/contract';
import {findCommand, helpText} from './own-commands.js';
import {readTyped} from './slash-words.js';
import type {Speaker} from './speaker.js';
import type {Terminal} from './terminal.js';
import {TurnView, type TurnParts} from './turn-view.js';

interface WorkParts extends TurnParts {
  readonly seat: Seat;
  readonly commands: readonly SlashCommand[];
  readonly speaker: Speaker;
  readonly terminal: Terminal;
  /** Work begins or ends. */
  onChange(): void;
  onLeave(): void;
  /** Runs what must not throw into the agent. */
  guard(act: () => void): void;
}

/** Deals with what was sent: prompts by the agent, commands by who has them. One at a time. */
export class Work {
  #turn: {readonly stop: AbortController; readonly view: TurnView} | undefined;
  #isBusy = false;

  constructor(private readonly parts: WorkParts) {}

  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** Whether the agent works, which can be stopped, and not a command. */
  get isTurn(): boolean {
    return this.#turn !== undefined;
  }

  /** What the agent does now, and for how long. */
  status(): string {
    return this.#turn?.stop.signal.aborted ? 'Stopping' : `${this.#turn?.view.status() ?? ''} · Ctrl+C stops`;
  }

  /** The same as a sentence, when it is time for one. */
  word(): string | undefined {
    return this.#turn?.view.word();
  }

  stop(): void {
    this.#turn?.stop.abort(new Error('The person stopped it.'));
  }

  /** Stops, and says nothing of how it ended. */
  close(): void {
    this.stop();
    this.#turn = undefined;
  }

  /** Deals with one text. Throws only what is a bug. */
  async deal(text: string): Promise<void> {
    const typed = readTyped(text);
    if (typed.kind === 'prompt') await this.#prompt(typed.text);
    else if (typed.kind === 'slash') await this.#slash(typed.words);
    else
      this.parts.speaker.say(
        'warn',
        'A shell line cannot be run here.',
        'Ask for the command to be run, or run it in another terminal.',
      );
  }

  /** Errors are said; what is no error of a person, a tool or a model is a bug. */
  async #prompt(text: string): Promise<void> {
    const {seat, screen, speaker, guard} = this.parts;
    const [view, stop] = [new TurnView(this.parts), new AbortController()];
    const onEvent = (event: AgentEvent): void => guard(() => this.#turn?.view === view && view.show(event));
    this.#turn = {view, stop};
    this.#begin();
    try {
      const turn = await seat.agent.send({text}, {signal: stop.signal, onEvent});
      if (this.#turn) view.end(turn);
    } catch (error) {
      if (!stop.signal.aborted && !isKernelError(error) && !isToolError(error)) throw error;
      if (this.#turn) view.end({status: 'aborted', text: '', warnings: [], refused: [], changed: []});
      if (!stop.signal.aborted) speaker.complain(error);
    } finally {
      if (this.#turn) screen.print(screen.isLive ? '\n' : '');
      this.#turn = undefined;
      this.#end();
    }
  }

  async #slash(words: readonly string[]): Promise<void> {
    const {seat, screen, look, commands, speaker, terminal, onLeave} = this.parts;
    const found = findCommand(words, commands);
    if ('sentence' in found) return speaker.say('bad', found.sentence, found.hint);
    const own = seat.commands.includes(found) ? undefined : found.words[0];
    if (own === 'quit' || own === 'exit') return onLeave();
    if (own === 'clear') return screen.clear();
    if (own === 'help') return screen.print(helpText(commands, look.paint));
    screen.prompt(undefined);
    this.#begin();
    try {
      await seat.slash(words);
    } catch (error) {
      if (!isCleanExit(error)) speaker.complain(error);
    } finally {
      this.#end();
      terminal.resume();
    }
  }

  #begin(): void {
    this.#isBusy = true;
    this.parts.onChange();
  }

  #end(): void {
    this.#isBusy = false;
    this.parts.onChange();
  }
}

/** A command of oclif may end by throwing that all is well. */
function isCleanExit(error: unknown): boolean {
  return error instanceof Error && (error as {oclif?: {exit?: number}}).oclif?.exit === 0;
}
