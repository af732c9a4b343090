import {StringDecoder} from 'node:string_decoder';
import {KeyDecoder, type Key} from './keys.js';

/** How long an Escape stays open for what could follow it. */
const ESCAPE_MS = 50;
const PASTES = {on: '\u001b[?2004h', off: '\u001b[?2004l'};

export interface TerminalParts {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  /** Whether the terminal obeys escape sequences. */
  readonly isCapable: boolean;
  /** Whether keys come one by one, and not in lines. */
  readonly isRaw: boolean;
  onKey(key: Key): void;
  onResize(): void;
  /** The terminal is gone, or the input has ended. */
  onClose(): void;
}

/** The keyboard of a terminal, one key at a time. Whatever happens, `close` gives the terminal back as it was. */
export class Terminal {
  readonly #decoder = new KeyDecoder();
  readonly #bytes = new StringDecoder('utf8');
  #timer: NodeJS.Timeout | undefined;
  #isOpen = false;
  /** The beginning of a line, where lines are read. */
  #line = '';

  constructor(private readonly parts: TerminalParts) {}

  /** Takes the terminal over. */
  open(): void {
    const {input, output} = this.parts;
    this.#isOpen = true;
    input.on('data', this.#onData).on('end', this.#onClose).on('close', this.#onClose).on('error', this.#onClose);
    output.on('error', this.#onClose).on('resize', this.#onResize);
    if (input.readableEnded || input.destroyed) return this.#onClose();
    this.resume();
  }

  /** Takes it over again after somebody else has used it. */
  resume(): void {
    if (!this.#isOpen) return;
    const {input, output, isCapable} = this.parts;
    this.#raw(true);
    if (isCapable) output.write(PASTES.on);
    input.resume();
  }

  /** Leaves it to somebody else for a while. */
  pause(): void {
    const {output, input, isCapable} = this.parts;
    if (isCapable && output.writable) output.write(PASTES.off);
    this.#raw(false);
    input.pause();
  }

  /** Gives it back. */
  close(): void {
    if (!this.#isOpen) return;
    this.pause();
    this.#isOpen = false;
    clearTimeout(this.#timer);
    const {input, output} = this.parts;
    input.off('data', this.#onData).off('end', this.#onClose).off('close', this.#onClose);
    output.off('resize', this.#onResize);
    // A terminal that is gone may still say so, and nobody needs to hear it.
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

  readonly #onResize = (): void => this.parts.onResize();

  readonly #onData = (chunk: Buffer | string): void => {
    // A command that asks something itself reads the keyboard with readline, which announces itself so.
    if (this.parts.input.listenerCount('keypress') > 0) return;
    clearTimeout(this.#timer);
    const text = typeof chunk === 'string' ? chunk : this.#bytes.write(chunk);
    if (!this.parts.isRaw) return this.#deliverLines(text);
    this.#deliver(this.#decoder.push(text));
    if (this.#decoder.isWaiting) this.#timer = setTimeout(() => this.#deliver(this.#decoder.flush()), ESCAPE_MS);
  };

  #deliver(keys: readonly Key[]): void {
    for (const key of keys) this.parts.onKey(key);
  }
}
