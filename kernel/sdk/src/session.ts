import {KernelError, type ToolInfo} from '@gemini-kernel/kernel';
import {findViolations, type Session as KernelSession, type ToolOutcome} from '@gemini-kernel/kernel/host';
import type {Conversations, Entry, PromptPart, RunLimits, StreamEvent} from '@gemini-kernel/plugin-agent/contract';
import {createEventReport, runHeadless, type Report} from '@gemini-kernel/plugin-agent/headless';
import {Run, type RunEnd} from './events.js';

/** A prompt with what goes beside its text. */
export interface Prompt {
  readonly text: string;
  /** Pictures or texts beside it; `@paths` in them stay text. */
  readonly attached?: readonly PromptPart[];
  /** JSON Schema that the answer must match; `structured` of the result has the value. */
  readonly schema?: Readonly<Record<string, unknown>>;
  readonly limits?: RunLimits;
}

export interface SendOptions {
  /** Cancels the prompt; the run then ends with the outcome `interrupted`. */
  readonly signal?: AbortSignal;
  /** Whether a refused call makes the run fail. */
  readonly failOnRefused?: boolean;
}

/** A change of a conversation while it lasts. */
export type Steering =
  | {readonly kind: 'mode'; readonly mode: string}
  | {readonly kind: 'model'; readonly model: string}
  /** How much the model thinks: `auto`, or a level that it has. */
  | {readonly kind: 'thinking'; readonly level: string}
  | {readonly kind: 'directories'; readonly paths: readonly string[]}
  /** Removes a prompt, by the id of its entry in `history`, and everything after it. */
  | {readonly kind: 'rewind'; readonly prompt: string}
  /** Continues in a new session, or in a recorded one. */
  | {readonly kind: 'new'}
  | {readonly kind: 'resume'; readonly session: string}
  /** Stops the running prompt. */
  | {readonly kind: 'stop'};

/** What a session needs of its agent. */
export interface SessionParts {
  readonly conversations: Conversations;
  readonly directory: string;
  exitCodeOf(code: string): number;
  onClosed(session: AgentSession): void;
}

/** One conversation with an agent. Prompts run one after the other. */
export class AgentSession {
  readonly #stops = new Set<AbortController>();
  #isClosed = false;

  constructor(
    private readonly conversation: string,
    private session: string,
    private readonly parts: SessionParts,
  ) {}

  /** The id that it is recorded under, with which another program can resume it. */
  get id(): string {
    return this.session;
  }

  /** The real path of the folder that it works in. */
  get directory(): string {
    return this.parts.directory;
  }

  /** Sends a prompt; the events are those of `gemini -p -o stream-json`. Throws KernelError SDK_INVALID. */
  send(prompt: string | Prompt, {signal, failOnRefused = false}: SendOptions = {}): Run {
    const asked = typeof prompt === 'string' ? {text: prompt} : prompt;
    if (typeof asked?.text !== 'string' || asked.text.trim() === '')
      throw new KernelError('SDK_INVALID', 'The prompt is empty.', {hint: 'Give a text, or {text}.'});
    const never = new AbortController();
    return new Run((give, stopped) => this.#run(asked, {give, stopped, failOnRefused}), signal ?? never.signal);
  }

  /** Calls a tool by the one path of every call: its input is checked, rules judge it, and may ask. */
  async call(tool: string, input: unknown, {signal}: {readonly signal?: AbortSignal} = {}): Promise<ToolOutcome> {
    return (await this.#current()).call({tool, input}, signal ? {signal} : {});
  }

  async tools(): Promise<readonly ToolInfo[]> {
    return (await this.#current()).offered();
  }

  async history(): Promise<readonly Entry[]> {
    this.#check();
    return this.parts.conversations.history(this.conversation);
  }

  /** Changes the conversation, also while a prompt runs. Throws what refuses the change. */
  async steer(change: Steering): Promise<void> {
    this.#check();
    const {conversations} = this.parts;
    const of = this.conversation;
    if (change.kind === 'mode') await conversations.setMode(of, change.mode);
    else if (change.kind === 'model') await conversations.setModel(of, change.model);
    else if (change.kind === 'thinking') await conversations.setThoughtLevel(of, change.level);
    else if (change.kind === 'directories') await conversations.addDirectories(of, change.paths);
    else if (change.kind === 'rewind') await conversations.rewind(of, change.prompt);
    else if (change.kind === 'stop') this.#stop('The program stopped the prompt.');
    else await this.#move(change);
  }

  /** Stops what runs and closes the conversation. Its record stays. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stop('The session was closed.');
    await this.parts.conversations.close(this.conversation);
    this.parts.onClosed(this);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #move(change: Extract<Steering, {kind: 'new' | 'resume'}>): Promise<void> {
    this.#stop('The program continues in another session.');
    const {conversations} = this.parts;
    const of = this.conversation;
    const state = await (change.kind === 'new' ? conversations.begin(of) : conversations.resume(of, change.session));
    this.session = state.session;
  }

  async #current(): Promise<KernelSession> {
    this.#check();
    return this.parts.conversations.session(this.conversation);
  }

  #check(): void {
    if (this.#isClosed) throw new KernelError('SDK_CLOSED', `The session ${this.session} is closed.`);
  }

  #stop(sentence: string): void {
    for (const stop of this.#stops) stop.abort(new KernelError('RUN_CANCELLED', sentence));
  }

  async #run(asked: Prompt, {give, stopped, failOnRefused}: Running): Promise<RunEnd> {
    const session = await this.#current();
    const {schema, attached, limits, text} = asked;
    if (schema) await checkSchema(schema);
    const stop = new AbortController();
    const onAbort = (): void => stop.abort(toCancel(stopped));
    if (stopped.aborted) onAbort();
    else stopped.addEventListener('abort', onAbort, {once: true});
    this.#stops.add(stop);
    try {
      const {report, end} = watchEnd(give);
      await runHeadless({
        ...{
          agent: await session.service('agent'),
          notices: await session.service('run-notices'),
          report,
          failOnRefused,
        },
        ...{sessionId: session.info.id, directory: this.parts.directory, warnings: [], signal: stop.signal},
        prompt: {
          text,
          ...(attached ? {attached} : {}),
          ...(limits ? {limits} : {}),
          ...(schema ? {answer: schema} : {}),
        },
        exitCodeOf: (code) => this.parts.exitCodeOf(code),
      });
      return end();
    } finally {
      this.#stops.delete(stop);
      stopped.removeEventListener('abort', onAbort);
    }
  }
}

interface Running {
  readonly stopped: AbortSignal;
  readonly failOnRefused: boolean;
  give(event: StreamEvent): void;
}

/** A report that gives the events and keeps the end. */
function watchEnd(give: (event: StreamEvent) => void): {readonly report: Report; end(): RunEnd} {
  let response = '';
  let result: Extract<StreamEvent, {type: 'result'}> | undefined;
  const events = createEventReport(
    (event) => {
      if (event.type === 'result') result = event;
      give(event);
    },
    {raw: false},
  );
  const report: Report = {
    ...events,
    finish(finish) {
      response = finish.end.text;
      events.finish(finish);
    },
  };
  return {
    report,
    end() {
      if (!result) throw new TypeError('A run ended without a result.');
      const {type: _, timestamp: __, ...rest} = result;
      return {...rest, response};
    },
  };
}

/** A program may abort with any reason; the run says that it was cancelled. */
function toCancel({reason}: AbortSignal): unknown {
  return reason instanceof KernelError
    ? reason
    : new KernelError('RUN_CANCELLED', 'The program cancelled the prompt.', {cause: reason});
}

async function checkSchema(schema: Readonly<Record<string, unknown>>): Promise<void> {
  try {
    await findViolations(schema, null, 'it');
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new KernelError('SDK_INVALID', `The schema of the answer cannot be used: ${reason}`, {cause});
  }
}
