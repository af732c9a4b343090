/** How long a service lives. */
export type ScopeKind = 'program' | 'place' | 'session';

/** One conversation, or one command outside a conversation. */
export interface SessionInfo {
  readonly id: string;
  /** default, auto_edit, plan, yolo, or a mode that a plugin adds. */
  readonly mode: string;
  /** Whether a person can be asked. */
  readonly interactive: boolean;
  /** True inside a running conversation, false for a single command. */
  readonly live: boolean;
  /** The id of the session that opened this one, such as that of the main agent for a subagent's. */
  readonly parent?: string;
  /** The agent whose session it is, when it is not that of the main agent: all its calls are made by that one. */
  readonly subagent?: string;
  /** The other program that the conversation works for, as a person named it; sessions below keep it. */
  readonly caller?: string;
}
