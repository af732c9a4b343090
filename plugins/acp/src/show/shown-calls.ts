import {resolve} from 'node:path';
import {readText} from '@gemini-kernel/files';
import type {ToolCall, ToolInfo} from '@gemini-kernel/kernel';
import type {Question} from '@gemini-kernel/kernel/host';
import type {CallRecord, ConversationEvent} from '@gemini-kernel/plugin-agent/contract';
import type {BufferSource} from '@gemini-kernel/plugin-workspace/contract';
import type {SessionUpdate, ToolCallContent, ToolCallLocation, ToolCallUpdate} from '#sdk';
import type {ShownCall} from '../contract.js';
import {CallTerminal} from './call-terminal.js';
import {isCommand, kindOf, pathOf, titleOf} from './describe-call.js';
import {contentOf, rawOutputOf, textContent} from './show-result.js';

/** Larger files are shown without a diff. */
const MOST_COMPARED = 1024 * 1024;
const MOST_LOCATIONS = 50;
/** How much of what a running command prints is shown, and how often. */
const MOST_LIVE = 16_000;
const LIVE_MS = 150;

interface Parts {
  readonly cwd: string;
  tools(): ReadonlyMap<string, ToolInfo>;
  update(update: SessionUpdate): void;
  /** What the editor has open, if it says so. */
  readonly buffers: BufferSource | undefined;
  /** Whether it shows what a command prints in a terminal, by a terminal that runs nothing. */
  showsTerminals(): boolean;
}

interface AnnouncedCall {
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
  /** It ran in the past, so nothing of it is live. */
  readonly isOver?: true;
}

/** What an editor knows of a call. */
interface Known {
  readonly tool: string;
  /** Where its output is shown, instead of as text. */
  readonly terminal: CallTerminal | undefined;
  /** What it changed; stands in place of its output. */
  diff?: ToolCallContent;
  /** What it has printed so far. */
  printed: string;
  shownAt: number;
  /** Shows what came since. */
  due?: NodeJS.Timeout;
}

/** The calls of a session, as an editor is shown them: each is announced before anything else is said of it. */
export class ShownCalls {
  readonly #known = new Map<string, Known>();

  constructor(private readonly parts: Parts) {}

  /** Announces a call that was not announced yet. */
  announce(call: AnnouncedCall): void {
    const {id, tool, input} = call;
    if (this.#known.has(id)) return;
    const terminal = this.#terminalFor(call);
    this.#known.set(id, {tool, terminal, printed: '', shownAt: 0});
    const path = pathOf(input);
    this.parts.update({
      sessionUpdate: 'tool_call',
      toolCallId: id,
      name: tool,
      title: titleOf(tool, input),
      kind: this.#kindOf(tool),
      status: 'pending',
      rawInput: input ?? {},
      ...(path === undefined ? {} : {locations: [{path: resolve(this.parts.cwd, path)}]}),
      ...(terminal ? {content: [terminal.content], _meta: terminal.opening} : {}),
    });
  }

  /** What is shown of a call beside the question about it. */
  question({call, preview, reason}: Question): ToolCallUpdate {
    this.announce(call);
    const shown: ToolCallContent[] =
      preview?.kind === 'diff'
        ? [{type: 'diff', path: preview.path, oldText: preview.before || null, newText: preview.after}]
        : preview
          ? [textContent(textOf(preview))]
          : [];
    return {
      toolCallId: call.id,
      name: call.tool,
      title: titleOf(call.tool, call.input),
      kind: this.#kindOf(call.tool),
      status: 'pending',
      rawInput: call.input,
      locations: locationsOf(call),
      content: [...shown, ...(reason === '' ? [] : [textContent(reason)])],
    };
  }

  /** Shows that a call runs. */
  async run(call: ToolCall): Promise<ShownCall> {
    this.announce(call);
    const terminal = this.#known.get(call.id)?.terminal;
    this.parts.update({
      sessionUpdate: 'tool_call_update',
      toolCallId: call.id,
      status: 'in_progress',
      locations: locationsOf(call),
      // A question may have taken its place.
      ...(terminal ? {content: [terminal.content]} : {}),
    });
    if (terminal) return runInTerminal(terminal);
    const path = call.effect === 'edit' ? call.touches.find(({isSubject}) => isSubject)?.value : undefined;
    if (path === undefined) return {end: async () => undefined};
    const before = await this.#textAt(path);
    return {
      end: async () => {
        const known = this.#known.get(call.id);
        const after = await this.#textAt(path);
        if (!known || typeof after !== 'string' || before === undefined || before === after) return;
        known.diff = {type: 'diff', path, oldText: before, newText: after};
      },
    };
  }

  /** Shows what a running call prints. */
  progress(update: Extract<ConversationEvent, {kind: 'progress'}>): void {
    const {id, text} = update;
    const known = this.#known.get(id);
    if (!known || text === '') return;
    if (known.terminal) return known.terminal.print(update);
    known.printed = (known.printed + text).slice(-MOST_LIVE);
    // What is printed last stays for long: it is shown even when nothing follows.
    const wait = LIVE_MS - (performance.now() - known.shownAt);
    if (wait <= 0) this.#showPrinted(id, known);
    else known.due ??= setTimeout(() => this.#showPrinted(id, known), wait).unref();
  }

  #showPrinted(id: string, known: Known): void {
    clearTimeout(known.due);
    delete known.due;
    known.shownAt = performance.now();
    this.parts.update({
      sessionUpdate: 'tool_call_update',
      toolCallId: id,
      status: 'in_progress',
      content: [textContent(known.printed)],
    });
  }

  /** Shows how a call ended. */
  end(id: string, record: CallRecord): void {
    this.announce({id, tool: record.name, input: record.input});
    const known = this.#known.get(id);
    clearTimeout(known?.due);
    const diff = record.status === 'done' ? known?.diff : undefined;
    const ending = known?.terminal?.end(record);
    const content = known?.terminal?.hasRun ? [known.terminal.content] : diff ? [diff] : contentOf(record);
    this.parts.update({
      sessionUpdate: 'tool_call_update',
      toolCallId: id,
      status: record.status === 'done' ? 'completed' : 'failed',
      content,
      rawOutput: rawOutputOf(record),
      ...(ending ? {_meta: ending} : {}),
    });
    this.#known.delete(id);
  }

  /** The text of a file, as the editor has it; null when there is none, undefined when it cannot be shown. */
  async #textAt(path: string): Promise<string | null | undefined> {
    const saved = await readSaved(path);
    if (typeof saved !== 'string') return saved;
    return (await this.parts.buffers?.read(path, new AbortController().signal)) ?? saved;
  }

  #terminalFor({id, tool, input, isOver}: AnnouncedCall): CallTerminal | undefined {
    const {cwd, showsTerminals, update} = this.parts;
    if (isOver || this.#kindOf(tool) !== 'execute' || !isCommand(input) || !showsTerminals()) return undefined;
    return new CallTerminal({id, cwd: resolve(cwd, pathOf(input) ?? '.'), update});
  }

  #kindOf(tool: string): NonNullable<ToolCallUpdate['kind']> {
    const info = this.parts.tools().get(tool);
    return info ? kindOf(info) : 'other';
  }
}

function runInTerminal(terminal: CallTerminal): ShownCall {
  terminal.run();
  return {end: async (result) => terminal.take(result)};
}

function locationsOf({touches}: ToolCall): ToolCallLocation[] {
  const paths = touches.filter(({kind}) => kind === 'path').map(({value}) => value);
  return [...new Set(paths)].slice(0, MOST_LOCATIONS).map((path) => ({path}));
}

function textOf(preview: Exclude<NonNullable<Question['preview']>, {readonly kind: 'diff'}>): string {
  if (preview.kind === 'command') return `${preview.command}\nin ${preview.directory}`;
  return preview.kind === 'urls' ? preview.urls.join('\n') : preview.text;
}

/** The text of a file on the disk; null when there is none, undefined when it cannot be shown. */
async function readSaved(path: string): Promise<string | null | undefined> {
  try {
    return await readText(path, {limit: MOST_COMPARED});
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? null : undefined;
  }
}
