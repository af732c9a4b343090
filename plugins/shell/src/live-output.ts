import {StringDecoder} from 'node:string_decoder';
import type {Redactor} from '@gemini-kernel/plugin-secrets/contract';
import {ByteTail} from './byte-tail.js';
import type {CommandWatch} from './contract.js';
import {withoutSplitStart} from './output-text.js';
import {openEscapeLength, screenText} from './screen-text.js';

const EVERY_MS = 100;
const MOST_BYTES = 16 * 1024;
const LOOKED_AT = 4096;
const MOST_UNSHOWN = 4096;

/** Reports output to the watcher: at once, then the newest 16 KiB every 100 ms. Does not report binary output. */
export class LiveOutput {
  #pending = new ByteTail(MOST_BYTES);
  #decoder = new StringDecoder('utf8');
  #carried = '';
  #bytes = 0;
  #told = 0;
  /** Output that shows nothing, such as a change of colour: it counts for what follows. */
  #unshown = '';
  #isCut = false;
  #isBinary = false;
  #isOver = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly progress: NonNullable<CommandWatch['progress']>,
    private readonly redactor: Redactor,
  ) {}

  push(chunk: Uint8Array): void {
    if (this.#isOver) return;
    this.#isBinary ||= this.#bytes < LOOKED_AT && chunk.subarray(0, LOOKED_AT).includes(0);
    this.#bytes += chunk.length;
    this.#pending.push(chunk);
    if (this.#timer) return;
    this.#tell();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#told < this.#bytes) this.push(new Uint8Array());
    }, EVERY_MS);
  }

  /** Reports the rest; later output is not reported. */
  end(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#tell();
    if (!this.#isBinary) this.#say(this.redactor.push(this.#carried + this.#decoder.end()) + this.redactor.end());
  }

  #tell(): void {
    const bytes = this.#pending.toBuffer();
    const isWhole = this.#bytes - this.#told === bytes.length;
    this.#told = this.#bytes;
    if (bytes.length === 0 || this.#isBinary) return;
    this.#pending = new ByteTail(MOST_BYTES);
    const text = isWhole ? this.#carried + this.#decoder.write(bytes) : this.#restart(bytes);
    const open = openEscapeLength(text);
    this.#carried = text.slice(text.length - open);
    this.#say(this.redactor.push(text.slice(0, text.length - open)));
  }

  /** After a gap, a sequence that began before it does not count. */
  #restart(bytes: Buffer): string {
    this.redactor.end();
    this.#unshown = '';
    this.#isCut = true;
    this.#decoder = new StringDecoder('utf8');
    const text = this.#decoder.write(withoutSplitStart(bytes));
    const lineEnd = text.indexOf('\n');
    return text.slice(lineEnd >= 0 ? lineEnd + 1 : this.redactor.reach);
  }

  #say(output: string): void {
    const text = screenText(output);
    const raw = this.#unshown + output;
    this.#unshown = text === '' ? raw.slice(0, MOST_UNSHOWN) : '';
    if (text === '') return;
    this.progress({text, done: this.#bytes, ...(raw === text ? {} : {raw}), ...(this.#isCut ? {isCut: true} : {})});
    this.#isCut = false;
  }
}
