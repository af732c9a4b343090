import type {ToolResult} from '@gemini-kernel/kernel';
import type {CallRecord, ConversationEvent} from '@gemini-kernel/plugin-agent/contract';
import type {} from '@gemini-kernel/plugin-shell/contract';
import type {SessionUpdate, ToolCallContent} from '#sdk';
import {sayingOf} from './show-result.js';
import {terminalText} from './terminal-text.js';

const EVERY_MS = 100;
/** The characters of one update, and of all until the command ends. */
const MOST_AT_ONCE = 16 * 1024;
const MOST_LIVE = 1024 * 1024;

const RESET = '\u001b[0m';
const CUT = `${RESET}\r\n[Output is left out here.]\r\n`;
const LATER = `${RESET}\r\n[The end of the output is shown when the command has ended.]\r\n`;

interface Parts {
  /** Of the call; also of its terminal. */
  readonly id: string;
  readonly cwd: string;
  update(update: SessionUpdate): void;
}

/** A terminal at the editor that shows what a command prints. The command itself runs here. */
export class CallTerminal {
  #pending = '';
  /** How many characters the editor has been sent. */
  #sent = 0;
  #isInLine = false;
  #sentAt = 0;
  #due: NodeJS.Timeout | undefined;
  #hasRun = false;
  #result: ToolResult | undefined;

  constructor(private readonly parts: Parts) {}

  /** Whether the command has begun to run. */
  get hasRun(): boolean {
    return this.#hasRun;
  }

  get content(): ToolCallContent {
    return {type: 'terminal', terminalId: this.parts.id};
  }

  /** Makes the terminal, in the update that announces the call. */
  get opening(): Record<string, unknown> {
    return {terminal_info: {terminal_id: this.parts.id, cwd: this.parts.cwd}};
  }

  run(): void {
    this.#hasRun = true;
  }

  /** Takes what the command gave, with its exit code. */
  take(result: ToolResult | undefined): void {
    this.#result = result;
  }

  /** Shows what a command prints, at most ten times a second. */
  print({text, raw = text, isCut}: Extract<ConversationEvent, {kind: 'progress'}>): void {
    this.#add(isCut ? CUT + terminalText(raw) : terminalText(raw));
    if (this.#sent >= MOST_LIVE) return;
    const wait = EVERY_MS - (performance.now() - this.#sentAt);
    if (wait <= 0) this.#flush();
    else this.#due ??= setTimeout(() => this.#flush(), wait).unref();
  }

  /** Shows the rest, and gives what the last update of the call says of the terminal. */
  end(record: CallRecord): Record<string, unknown> {
    const {remarks, exitCode, signal} = readEnd(this.#result);
    if (this.#hasRun) {
      const hasPrinted = this.#sent > 0 || this.#pending !== '';
      const said = record.status === 'done' && hasPrinted ? remarks : [sayingOf(record)];
      this.#flush();
      if (said.length > 0) this.#pending = this.#remark(said.join('\n'));
    }
    this.#flush();
    return {terminal_exit: {terminal_id: this.parts.id, exit_code: exitCode, signal}};
  }

  #remark(text: string): string {
    const begin = this.#sent === 0 ? '' : this.#isInLine ? `${RESET}\r\n` : RESET;
    return `${begin}${terminalText(text.trimEnd())}\r\n`;
  }

  #add(text: string): void {
    const all = this.#pending + text;
    this.#pending = all.length > MOST_AT_ONCE ? CUT + tailOf(all, MOST_AT_ONCE) : all;
  }

  #flush(): void {
    clearTimeout(this.#due);
    this.#due = undefined;
    if (this.#pending === '') return;
    const data = this.#pending;
    this.#pending = '';
    this.#send(data);
    const before = this.#sent;
    this.#sent += data.length;
    this.#isInLine = !data.endsWith('\n');
    if (before < MOST_LIVE && this.#sent >= MOST_LIVE) this.#send(LATER);
  }

  #send(data: string): void {
    const {id, update} = this.parts;
    this.#sentAt = performance.now();
    update({
      sessionUpdate: 'tool_call_update',
      toolCallId: id,
      _meta: {terminal_output: {terminal_id: id, data}},
    });
  }
}

/** The end of a text, from the beginning of a line where there is one. */
function tailOf(text: string, most: number): string {
  const tail = text.slice(-most);
  const lineEnd = tail.indexOf('\n');
  return lineEnd >= 0 ? tail.slice(lineEnd + 1) : tail.replace(/^(?:[\d;:]*m|[0-2]?K|[\udc00-\udfff])/, '');
}

/** How a command ended, and the remarks of its tool. */
function readEnd(result: ToolResult | undefined): {
  readonly remarks: readonly string[];
  readonly exitCode: number | null;
  readonly signal: string | null;
} {
  const {remarks, exitCode, signal} = (result?.data ?? {}) as Readonly<Record<string, unknown>>;
  return {
    remarks: Array.isArray(remarks) ? remarks.filter((one) => typeof one === 'string') : [],
    exitCode: typeof exitCode === 'number' ? exitCode : null,
    signal: typeof signal === 'string' ? signal : null,
  };
}
