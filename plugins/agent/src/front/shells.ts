import {safeText, type Key, type KeyBindings, type Keyboard} from '@gemini-kernel/terminal';
import type {ConversationEvent} from '../contract.js';
import type {Screen} from './screen.js';
import type {Speaker} from './speaker.js';

interface RunningCommand {
  readonly pid: number;
  readonly command: string;
  /** Whether a person can type into it. */
  readonly hasTerminal: boolean;
}

/** What runs the commands of the session; the service `processes` has these methods. */
export interface CommandKeeper {
  foreground(): Promise<readonly RunningCommand[]>;
  detach(): Promise<readonly {readonly pid: number}[]>;
  offerKeyboard(window: {readonly columns: number; readonly rows: number}): Promise<void>;
  type(pid: number, text: string): Promise<void>;
  read(pid: number, options: {readonly lines: number}): Promise<{readonly output: {readonly text: string}}>;
}

interface ShellsParts {
  /** What runs commands in the current session, where a plugin does. */
  readonly commandKeeper?: (() => Promise<CommandKeeper>) | undefined;
  readonly isRaw: boolean;
  readonly keys: KeyBindings;
  readonly screen: Pick<Screen, 'columns' | 'rows' | 'isLive' | 'print' | 'endLine'>;
  readonly terminal: Pick<Keyboard, 'lend'>;
  readonly speaker: Speaker;
  onChange(): void;
}

/** Shift+Tab, as all terminals send it. */
const BACK = '\u001b[Z';
/** A command that is stopped by it could not be continued. */
const SUSPEND = /\u001a/g;
const MOST_ROWS = 12;
const LEAST_COLUMNS = 20;
const LEAST_ROWS = 5;

/** The running commands: types into them, and sends them to the background. */
export class Shells {
  /** The one that gets what is typed, and the end of what it has printed. */
  #focused: {readonly pid: number; readonly command: string; lines: readonly string[]} | undefined;
  /** Whether one of those that run has a terminal. */
  #canType = false;
  #isReading = false;
  #isBehind = false;

  constructor(private readonly parts: ShellsParts) {}

  /** The end of what the command has printed that gets the keys; undefined: the prompt has them. */
  get focused(): {readonly command: string; readonly lines: readonly string[]} | undefined {
    return this.#focused;
  }

  /** What keys can do with what runs, for the line that says what gemini does. */
  get hint(): string | undefined {
    return this.#canType ? 'Tab types into it' : undefined;
  }

  /** Says that a person is here to type; for each session again. Never rejects. */
  async offer(): Promise<void> {
    if (this.parts.isRaw) await this.#offer().catch((error: unknown) => this.parts.speaker.complain(error));
  }

  /** Uses a key while a tool runs; returns whether it did. */
  press(key: Key): boolean {
    const act = key.kind === 'key' ? this.parts.keys.actOf('running', key.name) : undefined;
    if (act !== 'background' && act !== 'type') return false;
    const acting = act === 'background' ? this.#sendAway() : this.#focus();
    void acting.catch((error: unknown) => this.parts.speaker.complain(error));
    return true;
  }

  async #offer(): Promise<void> {
    const {screen} = this.parts;
    const keeper = await this.#keeper();
    const window = {columns: Math.max(LEAST_COLUMNS, screen.columns - 2), rows: Math.max(LEAST_ROWS, screen.rows - 4)};
    await keeper?.offerKeyboard(window);
  }

  /** Sends what runs to the background. */
  async #sendAway(): Promise<void> {
    const sent = (await (await this.#keeper())?.detach()) ?? [];
    if (sent.length === 0) this.parts.speaker.print('Nothing that runs can be sent to the background.\n');
    else this.parts.speaker.print(`In the background: ${sent.map(({pid}) => pid).join(', ')}. /shells shows it.\n`);
  }

  /** Gives the keys to the running command. */
  async #focus(): Promise<void> {
    const [command] = await this.#typable();
    if (!command) {
      return this.parts.speaker.print('The command that runs has no terminal to type into. Ctrl+B sends it away.\n');
    }
    this.#focused = {...command, lines: []};
    this.parts.terminal.lend((text) => void this.#type(command.pid, text).catch(() => this.release()));
    await this.#read();
    if (this.parts.screen.isLive) return;
    this.parts.speaker.print('What you type goes to the command. Shift+Tab takes the keys back.\n');
    this.parts.screen.print(this.#focused?.lines.join('\n') ?? '');
  }

  /** The keys are those of the prompt again. */
  release(): void {
    if (!this.#focused) return;
    this.#focused = undefined;
    this.parts.terminal.lend(undefined);
    this.parts.screen.endLine();
    this.parts.onChange();
  }

  /** A question needs the keys. */
  giveWay(isAsking: boolean): void {
    if (isAsking && this.#focused) this.release();
    else this.parts.onChange();
  }

  /** Something has happened in the conversation. */
  show(event: ConversationEvent): void {
    const {kind} = event;
    if (kind === 'progress') {
      const {screen} = this.parts;
      if (this.#focused && !screen.isLive) screen.print(safeText(event.text));
      void this.#read();
    } else if (kind === 'result' || kind === 'ended') {
      this.#canType = false;
      this.release();
    }
  }

  async #type(pid: number, text: string): Promise<void> {
    const at = text.indexOf(BACK);
    const typed = (at < 0 ? text : text.slice(0, at)).replace(SUSPEND, '');
    if (typed !== '') await (await this.#keeper())?.type(pid, typed);
    if (at >= 0) this.release();
  }

  /** What the focused command has printed; asked again if more has come meanwhile. */
  async #read(): Promise<void> {
    if (!this.parts.commandKeeper || !this.parts.isRaw) return;
    this.#isBehind = this.#isReading;
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      const focused = this.#focused;
      if (focused) {
        const read = await (await this.#keeper())?.read(focused.pid, {lines: MOST_ROWS});
        focused.lines = safeText(read?.output.text ?? '')
          .split('\n')
          .slice(-MOST_ROWS);
      } else await this.#offerTyping();
      this.parts.onChange();
    } catch {
      // It has ended, which an event announces.
      this.release();
    } finally {
      this.#isReading = false;
    }
    if (this.#isBehind) await this.#read();
  }

  async #offerTyping(): Promise<void> {
    const could = this.#canType;
    this.#canType = (await this.#typable()).length > 0;
    if (this.#canType && !could && !this.parts.screen.isLive) this.parts.speaker.print('Tab types into the command.\n');
  }

  async #typable(): Promise<readonly RunningCommand[]> {
    const all = (await (await this.#keeper())?.foreground()) ?? [];
    return all.filter(({hasTerminal}) => hasTerminal);
  }

  #keeper(): Promise<CommandKeeper | undefined> {
    return this.parts.commandKeeper?.() ?? Promise.resolve(undefined);
  }
}
