import type { AgentsEvent, ModelStats } from '@gemini-kernel/plugin-agent/contract';
export type AgentOrigin = 'built-in' | 'extension' | 'user' | 'project';
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
  readonly limit?: 'turns' | 'time' | 'cost';
  readonly turns: number;
  readonly tokens: number;
  readonly ms: number;
  readonly models: readonly ModelStats[];
  readonly changed: readonly string[];
}
export interface RunWatch {
  readonly signal: AbortSignal;
  onProgress(line: string): void;
  onEvent(event: Pick<AgentsEvent, 'agent' | 'session' | 'event'>): void;
}
export interface Subagents {
  list(): Promise<FoundAgents>;
  refresh(): Promise<void>;
  run(
    asked: {
      readonly name: string;
      readonly prompt: string;
    },
    watch: RunWatch,
  ): Promise<AgentRun>;
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
export interface RunningAgents {
  put(session: string, running: RunningAgent): Promise<void>;
  of(session: string): Promise<RunningAgent | undefined>;
  delete(session: string): Promise<void>;
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
    [folders: `agent-folders:${string}`]: AgentFolderSource;
  }
}
