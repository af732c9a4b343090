/** One call of a conversation, and how it ended. */
export interface MadeCall {
  readonly id: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Absent for a call without a result. */
  readonly status?: 'success' | 'error' | 'refused';
  readonly output: string;
  /** The agent that made it; absent for the conversation itself. */
  readonly agent?: string;
}

export interface RefusedCall {
  readonly tool: string;
  readonly reason: string;
}

/** What a headless run said and did. */
export interface Conversation {
  /** The model that the run began with. */
  readonly model: string;
  readonly calls: readonly MadeCall[];
  readonly refused: readonly RefusedCall[];
  /** The last message. */
  readonly answer: string;
  readonly outcome: string;
  readonly error?: {readonly code: string; readonly message: string; readonly exit: number};
  readonly turns: number;
  readonly tokens: number;
  /** US dollars, where every price is known. */
  readonly cost?: number;
}
