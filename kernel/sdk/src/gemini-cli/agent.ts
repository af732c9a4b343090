import type {AgentOptions} from '../options.js';
import type {SessionContext} from './context.js';
import {GeminiCliSession} from './session.js';
import type {SkillReference} from './skill-dir.js';
import type {Tool} from './tool.js';

export type SystemInstructions = string | ((context: SessionContext) => string | Promise<string>);

/** The options of Gemini CLI, and those of this SDK that decide what may run. */
export interface GeminiCliAgentOptions extends Pick<AgentOptions, 'mode' | 'trusted' | 'answer' | 'settings'> {
  readonly instructions: SystemInstructions;
  // Tools of several inputs are in one list.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly tools?: readonly Tool<any>[];
  readonly skills?: readonly SkillReference[];
  readonly model?: string;
  /** The current folder unless given. */
  readonly cwd?: string;
}

/** An agent of the process that runs it: its variables, its home, its folder. */
export class GeminiCliAgent {
  constructor(private readonly options: GeminiCliAgentOptions) {}

  /** A new session. */
  session({sessionId = globalThis.crypto.randomUUID()}: {readonly sessionId?: string} = {}): GeminiCliSession {
    return new GeminiCliSession(this.options, sessionId, this, false);
  }

  /** A recorded session. Throws KernelError SESSION_UNKNOWN. */
  async resumeSession(sessionId: string): Promise<GeminiCliSession> {
    const session = new GeminiCliSession(this.options, sessionId, this, true);
    await session.initialize();
    return session;
  }
}
