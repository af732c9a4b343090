import type { AgentsEvent, ModelStats } from '@gemini-kernel/plugin-agent/contract';
import type { AgentLoginDesk, AgentLoginState, RemoteDefinition } from './remote-definition.js';
export type * from './remote-definition.js';
export type AgentOrigin = 'built-in' | 'extension' | 'user' | 'project';
export type AgentServers = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
export interface AgentDefinition {
  readonly name: string;
  readonly displayName?: string;
  readonly description: string;
  readonly origin: AgentOrigin;
  readonly owner?: string;
  readonly file?: string;
  readonly tools?: readonly string[];
  readonly model: string;
  readonly temperature: number;
  readonly topP: number;
  readonly maxTurns: number;
  readonly maxMinutes: number;
  readonly maxTokens?: number;
  readonly maxCost?: number;
  readonly servers?: AgentServers;
  readonly remote?: RemoteDefinition;
  readonly isolation?: 'worktree';
  readonly body: string;
}
export interface AgentInfo extends AgentDefinition {
  readonly enabled: boolean;
  readonly warnings: readonly string[];
}
export interface AgentFault {
  readonly file: string;
  readonly reason: string;
  readonly kind: 'broken' | 'untrusted' | 'unacknowledged' | 'hidden';
}
export interface FoundAgents {
  readonly agents: readonly AgentInfo[];
  readonly faults: readonly AgentFault[];
}
export type RunStatus = 'done' | 'limit' | 'failed' | 'refused';
export interface AgentRun {
  readonly agent: string;
  readonly session: string;
  readonly status: RunStatus;
  readonly text: string;
  readonly reason?: string;
  readonly limit?: 'turns' | 'time' | 'tokens' | 'cost';
  readonly turns: number;
  readonly tokens: number;
  readonly ms: number;
  readonly models: readonly ModelStats[];
  readonly calls: readonly string[];
  readonly changed: readonly string[];
  readonly worktree?: WorktreeEnd;
}
export interface Worktree {
  readonly name: string;
  readonly path: string;
  readonly folder: string;
  readonly branch: string;
  readonly base: string;
  readonly isBehind: boolean;
}
export interface WorktreeState extends Worktree {
  readonly commits: number;
  readonly uncommitted: boolean;
  readonly others: boolean;
  readonly isMerged: boolean;
}
export interface WorktreeEnd extends WorktreeState {
  readonly isKept: boolean;
  readonly diffStat: string;
}
export interface Worktrees {
  make(name: string): Promise<Worktree>;
  enter(name: string): Promise<Worktree>;
  finish(tree: Worktree, message: string): Promise<WorktreeEnd>;
  leave(tree: Worktree): Promise<WorktreeEnd>;
  list(): Promise<readonly WorktreeState[]>;
  note(session: string): Promise<void>;
  find(session: string): Promise<string | undefined>;
  remove(
    name: string,
    discard: boolean,
  ): Promise<{
    readonly commit: string;
  }>;
}
export interface RunWatch {
  readonly signal: AbortSignal;
  onProgress(line: string): void;
  onEvent(event: Pick<AgentsEvent, 'agent' | 'session' | 'event'>): void;
}
export interface Subagents {
  list(): Promise<FoundAgents>;
  waiting(): Promise<readonly AgentInfo[]>;
  refresh(): Promise<void>;
  run(
    asked: {
      readonly name: string;
      readonly prompt: string;
    },
    watch: RunWatch,
  ): Promise<AgentRun>;
  lend(file: string): Promise<AgentInfo>;
  choose(name: string, model: string): Promise<void>;
  login(name: string, desk: AgentLoginDesk): Promise<AgentLoginState>;
  logout(name: string): Promise<boolean>;
  runs(): Promise<readonly AgentRun[]>;
  acknowledge(names: readonly string[]): Promise<readonly string[]>;
  follow(changed: () => void): () => void;
}
export interface RunningAgent {
  readonly agent: string;
  readonly tools?: readonly string[];
  readonly depth: number;
  readonly isEnding: boolean;
}
export interface LentServers {
  readonly agent: string;
  readonly servers: AgentServers;
}
export interface RunningAgents {
  put(session: string, running: RunningAgent): Promise<void>;
  of(session: string): Promise<RunningAgent | undefined>;
  delete(session: string): Promise<void>;
  lendServers(key: string, lent: LentServers): Promise<void>;
  servers(key: string): Promise<LentServers | undefined>;
  takeServers(key: string): Promise<void>;
  pause(session: string): Promise<void>;
  resume(session: string): Promise<void>;
  paused(session: string): Promise<number>;
}
export interface AgentFolder {
  readonly path: string;
  readonly owner: string;
}
export interface AgentFolderSource {
  list(): Promise<readonly AgentFolder[]>;
}
declare module '@gemini-kernel/kernel' {
  interface Services {
    subagents: Subagents;
    'running-agents': RunningAgents;
    worktrees: Worktrees;
    [folders: `agent-folders:${string}`]: AgentFolderSource;
  }
}
