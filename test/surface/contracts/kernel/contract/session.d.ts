export type ScopeKind = 'program' | 'place' | 'session';
export interface SessionInfo {
  readonly id: string;
  readonly mode: string;
  readonly interactive: boolean;
  readonly live: boolean;
  readonly parent?: string;
  readonly subagent?: string;
  readonly caller?: string;
}
