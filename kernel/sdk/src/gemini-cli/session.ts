import {createAgent, type Agent} from '../agent.js';
import type {OwnToolContext} from '../define-tool.js';
import type {AgentSession} from '../session.js';
import type {GeminiCliAgent, GeminiCliAgentOptions} from './agent.js';
import {filesBy, shellBy, type SessionContext} from './context.js';
import {toServerEvent, type ServerEvent} from './server-event.js';
import {toOwnTool} from './tool.js';
import type {SessionTools} from './tool-calls.js';

interface Opened {
  readonly agent: Agent;
  readonly session: AgentSession;
}

/** One conversation, with the names of Gemini CLI. */
export class GeminiCliSession {
  #opening: Promise<Opened> | undefined;

  constructor(
    private readonly options: GeminiCliAgentOptions,
    readonly id: string,
    private readonly owner: GeminiCliAgent,
    private readonly isResumed: boolean,
  ) {}

  /** Opens the session; `sendStream` does so too. */
  async initialize(): Promise<void> {
    await this.#open();
  }

  async *sendStream(prompt: string, signal?: AbortSignal): AsyncGenerator<ServerEvent, void, undefined> {
    const {session} = await this.#open();
    for await (const event of session.send(prompt, signal ? {signal} : {})) {
      const shown = toServerEvent(event, this.id);
      if (shown) yield shown;
    }
  }

  /** Ends what the session started. Gemini CLI has no such method: without it, all ends with the program. */
  async dispose(): Promise<void> {
    const opening = this.#opening;
    this.#opening = undefined;
    await (await opening)?.agent.dispose();
  }

  #open(): Promise<Opened> {
    return (this.#opening ??= this.#begin());
  }

  async #begin(): Promise<Opened> {
    const {instructions, tools = [], skills = [], model, cwd, mode, trusted, answer} = this.options;
    const given = {model, cwd, mode, trusted};
    const agent = await createAgent({
      ...(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as object),
      environment: 'process',
      instructions:
        typeof instructions === 'string' ? instructions : async () => instructions(await this.#context(this.#calls())),
      tools: tools.map((tool) => toOwnTool(tool, (context) => this.#context(callsOf(context)))),
      skills: skills.map(({path}) => path),
      // With someone to ask, a folder need not be trusted for a session to begin; what would be asked is refused.
      answer: answer ?? (() => undefined),
      settings: {
        ...this.options.settings,
        ...(this.isResumed ? {} : {'session.id': this.id}),
      },
    });
    try {
      return {agent, session: await agent.session(this.isResumed ? {id: this.id} : {})};
    } catch (error) {
      await agent.dispose();
      throw error;
    }
  }

  #calls(): SessionTools {
    return {call: async (tool, input) => (await this.#open()).session.call(tool, input)};
  }

  async #context(calls: SessionTools): Promise<SessionContext> {
    const {session} = await this.#open();
    const entries = await session.history();
    const transcript = entries.flatMap(({kind, message: {pieces}}) =>
      kind === 'note'
        ? []
        : [{role: kind, parts: pieces.flatMap((piece) => (piece.kind === 'text' ? [{text: piece.text}] : []))}],
    );
    return {
      ...{sessionId: this.id, transcript, cwd: session.directory, timestamp: new Date().toISOString()},
      ...{fs: filesBy(calls), shell: shellBy(calls), agent: this.owner, session: this},
    };
  }
}

/** Calls of other tools that belong to a running call. */
function callsOf({tools}: OwnToolContext): SessionTools {
  return {call: (tool, input) => tools.call({tool, input})};
}
