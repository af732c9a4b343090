import process from 'node:process';
import {StringDecoder} from 'node:string_decoder';
import {KeyDecoder, type Input, type Key, type TerminalState} from './keys.js';

/** How long an Escape waits for a following character. */
const ESCAPE_MS = 50;
/** How long a stop may take. */
const CONTINUE_MS = 200;
const PASTES = {on: '\u001b[?2004h', off: '\u001b[?2004l'};

/** Sequences that switch something on in the terminal, and off again. */
export interface TerminalModes {
  readonly on: string;
  readonly off: string;
}

export interface KeyboardParts {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  /** Whether the terminal supports escape sequences. */
  readonly isCapable: boolean;
  /** Whether keys arrive one by one, and not in lines. */
  readonly isRaw: boolean;
  /** What is switched on beside bracketed paste. */
  readonly modes?: TerminalModes;
  onKey(key: Key): void;
  /** The shell has continued this job: the terminal is ours again. */
  onContinue?(): void;
  /** The terminal says something about itself. */
  onState?(state: TerminalState): void;
  onResize(): void;
  /** The terminal is lost, or the input has ended. */
  onClose(): void;
  /** The program ends without closing the keyboard: what is shown is to be left as others expect it. */
  onExit?(): void;
}

/** The keyboard of a terminal, one key at a time. `close` always restores the terminal. */
export class Keyboard {
  readonly #decoder = new KeyDecoder();
  readonly #bytes = new StringDecoder('utf8');
  #timer: NodeJS.Timeout | undefined;
  #isOpen = false;
  /** An incomplete line, where input arrives in lines. */
  #line = '';
  /** Who gets what is typed, instead of keys. */
  #borrower: ((text: string) => void) | undefined;

  constructor(private readonly parts: KeyboardParts) {}

  /** Takes control of the terminal. */
  open(): void {
    const {input, output} = this.parts;
    this.#isOpen = true;
    input.on('data', this.#onData).on('end', this.#onClose).on('close', this.#onClose).on('error', this.#onClose);
    output.on('error', this.#onClose).on('resize', this.#onResize);
    if (this.parts.isRaw) process.on('SIGCONT', this.#onContinue);
    // An error is printed after the monitor of it, and can then be read.
    process.on('uncaughtExceptionMonitor', this.#onExit).on('exit', this.#onExit);
    if (input.readableEnded || input.destroyed) return this.#onClose();
    this.resume();
  }

  /** Takes control again after another program has used it. */
  resume(): void {
    if (!this.#isOpen) return;
    const {input, output, isCapable} = this.parts;
    this.#raw(true);
    if (isCapable) output.write(PASTES.on + (this.parts.modes?.on ?? ''));
    input.resume();
  }

  /** Releases the terminal to another program for a while. */
  pause(): void {
    const {output, input, isCapable} = this.parts;
    if (isCapable && output.writable) output.write((this.parts.modes?.off ?? '') + PASTES.off);
    this.#raw(false);
    input.pause();
  }

  /** Gives what is typed to a program as the terminal sends it, with the usual keys; undefined: keys again. */
  lend(borrower: ((text: string) => void) | undefined): void {
    const {output, isCapable, modes} = this.parts;
    if (!this.#isOpen || (borrower === undefined) === (this.#borrower === undefined)) return;
    this.#borrower = borrower;
    if (isCapable) output.write(borrower ? (modes?.off ?? '') + PASTES.off : PASTES.on + (modes?.on ?? ''));
  }

  /** Stops this job, as Ctrl+Z does in other programs, until the shell continues it. */
  suspend(): void {
    this.pause();
    process.kill(0, 'SIGTSTP');
    // Without a shell that could continue it, the job does not stop.
    setTimeout(this.#onContinue, CONTINUE_MS);
  }

  /** Restores the terminal. */
  close(): void {
    if (!this.#isOpen) return;
    this.pause();
    this.#isOpen = false;
    clearTimeout(this.#timer);
    const {input, output} = this.parts;
    input.off('data', this.#onData).off('end', this.#onClose).off('close', this.#onClose);
    output.off('resize', this.#onResize);
    process.off('SIGCONT', this.#onContinue);
    process.off('uncaughtExceptionMonitor', this.#onExit).off('exit', this.#onExit);
    // A lost terminal may still report an error, which needs no handling.
  }

  #raw(isRaw: boolean): void {
    const {input} = this.parts;
    if (this.parts.isRaw && !input.destroyed) input.setRawMode(isRaw);
  }

  #deliverLines(text: string): void {
    const lines = (this.#line + text).split(/\r?\n/);
    this.#line = lines.pop() ?? '';
    for (const line of lines)
      this.#deliver([
        {kind: 'paste', text: line},
        {kind: 'key', name: 'enter'},
      ]);
  }

  readonly #onClose = (): void => {
    if (!this.#isOpen) return;
    if (this.#line !== '') this.#deliverLines('\n');
    this.parts.onClose();
  };

  readonly #onContinue = (): void => {
    if (!this.#isOpen) return;
    // The shell has changed the terminal, whatever this stream remembers.
    this.#raw(false);
    this.resume();
    this.parts.onContinue?.();
  };

  readonly #onExit = (): void => {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.parts.onExit?.();
    this.pause();
  };

  readonly #onResize = (): void => this.parts.onResize();

  readonly #onData = (chunk: Buffer | string): void => {
    // A command that asks a question itself reads the keyboard with readline, which this event announces.
    if (this.parts.input.listenerCount('keypress') > 0) return;
    clearTimeout(this.#timer);
    const text = typeof chunk === 'string' ? chunk : this.#bytes.write(chunk);
    if (!this.parts.isRaw) return this.#deliverLines(text);
    if (this.#borrower) return this.#borrower(text);
    this.#deliver(this.#decoder.push(text));
    if (this.#decoder.isWaiting) this.#timer = setTimeout(() => this.#deliver(this.#decoder.flush()), ESCAPE_MS);
  };

  #deliver(keys: readonly Input[]): void {
    for (const key of keys) {
      if (key.kind === 'position' || key.kind === 'focus') this.parts.onState?.(key);
      else this.parts.onKey(key);
    }
  }
}
