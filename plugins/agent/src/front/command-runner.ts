import type {KeyBindings, Keyboard, Look} from '@gemini-kernel/terminal';
import type {Seat, SlashCommand} from '../contract.js';
import {findCommand, helpText, ownCommands} from './own/commands.js';
import type {OutsideEditor} from './external-editor.js';
import type {Own} from './own/own.js';
import type {Screen} from './screen.js';
import type {Speaker} from './speaker.js';
import type {FoundView, Views} from './views/find-view.js';

export interface RunnerParts {
  readonly seat: Seat;
  readonly screen: Screen;
  readonly look: Look;
  readonly keys: KeyBindings;
  readonly own: Own;
  readonly views: Views;
  readonly speaker: Speaker;
  readonly editor: Pick<OutsideEditor, 'editFile'>;
  readonly terminal: Keyboard;
  commands(): Promise<readonly SlashCommand[]>;
}

/** Runs slash commands: those of the interface, those that open a view, and those of plugins. */
export class CommandRunner {
  #isLent = false;

  constructor(private readonly parts: RunnerParts) {}

  /** Whether a command has the terminal. */
  get isLent(): boolean {
    return this.#isLent;
  }

  async run(words: readonly string[]): Promise<void> {
    const {screen, look, keys, speaker, views} = this.parts;
    const commands = await this.parts.commands();
    const view = views.find(words, commands);
    if (view && (await this.#view(view))) return;
    const found = findCommand(words, commands);
    if ('sentence' in found) return speaker.say('bad', found.sentence, found.hint);
    const own = ownCommands.includes(found) ? found.words[0] : undefined;
    if (own === 'help' && !screen.hasWindow) return screen.print(helpText(commands, keys, look.paint));
    const act = own === undefined ? undefined : this.parts.own[own];
    if (act) return act(words).catch((error: unknown) => speaker.complain(error));
    return this.#lend(found.words.length > words.length ? found.words : words);
  }

  /** Shows a view, and runs what it ends with; false: nothing was shown. */
  async #view(found: FoundView): Promise<boolean> {
    const shown = await this.parts.views.show(found);
    if (shown === 'command') return false;
    const {view, outcome} = shown;
    if (outcome?.kind === 'command') await this.#lend(outcome.words);
    if (outcome?.kind === 'edit' && (await this.parts.editor.editFile(outcome.file))) {
      const end = await view.act(outcome.then, outcome.id);
      if (end.kind === 'stay' && end.sentence !== undefined) this.parts.speaker.print(`${end.sentence}\n`);
    }
    return true;
  }

  /** Runs a command of a plugin, which writes to the terminal itself. */
  async #lend(words: readonly string[]): Promise<void> {
    const {seat, screen, terminal} = this.parts;
    const {printed} = screen;
    if (printed) return seat.slash(words, printed).catch((error: unknown) => this.#complain(error));
    screen.release();
    this.#isLent = true;
    try {
      await seat.slash(words);
    } catch (error) {
      this.#complain(error);
    } finally {
      this.#isLent = false;
      terminal.resume();
      screen.acquire();
    }
  }

  #complain(error: unknown): void {
    if (!isCleanExit(error)) this.parts.speaker.complain(error);
  }
}

/** An oclif command may throw to report a successful exit. */
function isCleanExit(error: unknown): boolean {
  return error instanceof Error && (error as {oclif?: {exit?: number}}).oclif?.exit === 0;
}
