import type {} from '@gemini-kernel/kernel';
import type {AgentsEvent, ModelStats} from '@gemini-kernel/plugin-agent/contract';
import type {AgentLoginDesk, AgentLoginState, RemoteDefinition} from './remote-definition.js';

export type * from './remote-definition.js';

/** Who wrote an agent. */
export type AgentOrigin = 'built-in' | 'extension' | 'user' | 'project';

/** MCP servers by their names. */
export type AgentServers = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** An agent, as its definition says. */
export interface AgentDefinition {
  /** Lower-case letters, digits, `-` and `_`. */
  readonly name: string;
  readonly displayName?: string;
  /** When to use it, for the model. */
  readonly description: string;
  readonly origin: AgentOrigin;
  /** The extension that it belongs to. */
  readonly owner?: string;
  /** Absent for a built-in agent. */
  readonly file?: string;
  /** Names of tools, `*` for any run of characters; absent: all tools of the main agent but `invoke_agent`. */
  readonly tools?: readonly string[];
  /** `inherit`, or a model by name or alias. */
  readonly model: string;
  readonly temperature: number;
  readonly topP: number;
  /** Requests to the model. */
  readonly maxTurns: number;
  readonly maxMinutes: number;
  /** Of all its requests, input and output; absent: no limit of its own. */
  readonly maxTokens?: number;
  /** In US dollars; that of the settings counts too. */
  readonly maxCost?: number;
  /** MCP servers that run for this agent only, as entries of the setting `mcpServers`. */
  readonly servers?: AgentServers;
  /** It is an agent of another program, over A2A; its tools, model and turns are its own affair. */
  readonly remote?: RemoteDefinition;
  /** It works in a git worktree of its own. */
  readonly isolation?: 'worktree';
  /** The instruction. */
  readonly body: string;
}

/** An agent of this session. */
export interface AgentInfo extends AgentDefinition {
  readonly enabled: boolean;
  /** What was read and has no effect, in sentences. */
  readonly warnings: readonly string[];
}

/** A file that looks like an agent and does not count. */
export interface AgentFault {
  readonly file: string;
  /** A sentence without its subject: `has no description`. */
  readonly reason: string;
  readonly kind: 'broken' | 'untrusted' | 'unacknowledged' | 'hidden';
}

export interface FoundAgents {
  /** By name. */
  readonly agents: readonly AgentInfo[];
  readonly faults: readonly AgentFault[];
}

/** How a run ended. `limit`: its turns or its time are used up. */
export type RunStatus = 'done' | 'limit' | 'failed' | 'refused';

/** One run of an agent. */
export interface AgentRun {
  readonly agent: string;
  /** The id of its session, below that of the caller. */
  readonly session: string;
  readonly status: RunStatus;
  /** What the agent reports. */
  readonly text: string;
  /** Why it did not finish. */
  readonly reason?: string;
  readonly limit?: 'turns' | 'time' | 'tokens' | 'cost';
  readonly turns: number;
  readonly tokens: number;
  readonly ms: number;
  readonly models: readonly ModelStats[];
  /** Names of the tools that it called, in the order of their first calls. */
  readonly calls: readonly string[];
  /** Real paths of files that it changed. */
  readonly changed: readonly string[];
  /** Where its work is, for an agent with a worktree of its own. */
  readonly worktree?: WorktreeEnd;
}

/** A folder with a branch of its own, in the same repository. */
export interface Worktree {
  readonly name: string;
  /** Absolute and real. */
  readonly path: string;
  /** Where to work in it: the folder that the person is in, below its path. */
  readonly folder: string;
  readonly branch: string;
  /** The commit that it started from. */
  readonly base: string;
  /** When it was made, the folder of the person had changes that no commit has: they are not in it. */
  readonly isBehind: boolean;
}

export interface WorktreeState extends Worktree {
  /** Since the base. */
  readonly commits: number;
  /** It has changes that no commit has. */
  readonly uncommitted: boolean;
  /** It has files that git ignores, or a `.gemini` that is not the one that was carried over. */
  readonly others: boolean;
  /** The commit of the person's folder has all of its commits. */
  readonly isMerged: boolean;
}

export interface WorktreeEnd extends WorktreeState {
  /** False: nothing happened in it, so that it and its branch are gone. */
  readonly isKept: boolean;
  readonly diffStat: string;
}

/** The service `worktrees`. Its methods throw KernelError WORKTREE_FAILED. */
export interface Worktrees {
  /** Makes one from the current commit. Throws KernelError WORKTREE_NAME. */
  make(name: string): Promise<Worktree>;
  /** Continues in the one of this name, or makes it. Throws KernelError WORKTREE_NAME and WORKTREE_IN_USE. */
  enter(name: string): Promise<Worktree>;
  /** Commits what is in it to its branch; removes it when nothing happened. */
  finish(tree: Worktree, message: string): Promise<WorktreeEnd>;
  /** Removes it when nothing happened; keeps it as it is otherwise. */
  leave(tree: Worktree): Promise<WorktreeEnd>;
  list(): Promise<readonly WorktreeState[]>;
  /** Keeps that a session is in the worktree that this place is in, if it is in one. */
  note(session: string): Promise<void>;
  /** The name of the worktree in which a session was. */
  find(session: string): Promise<string | undefined>;
  /**
   * Removes one with its branch. Throws KernelError WORKTREE_UNKNOWN, WORKTREE_IN_USE while another process works in
   * it, and WORKTREE_UNMERGED when something would be lost. `discard` commits what is there first: the commit that is
   * given has it, until git tidies up.
   */
  remove(name: string, discard: boolean): Promise<{readonly commit: string}>;
}

/** Observes a run within this process. */
export interface RunWatch {
  readonly signal: AbortSignal;
  /** One line about what it does now. */
  onProgress(line: string): void;
  /** Everything that happens in its conversation. */
  onEvent(event: Pick<AgentsEvent, 'agent' | 'session' | 'event'>): void;
}

/** The agents of one session. */
export interface Subagents {
  list(): Promise<FoundAgents>;
  /** Agents of the project that are not used until the person agrees to their files. */
  waiting(): Promise<readonly AgentInfo[]>;
  /** Looks for changes on the disk and in the settings. */
  refresh(): Promise<void>;
  /**
   * Runs an agent in a session of its own. Throws ToolError AGENT_UNKNOWN, AGENT_DEPTH or the reason of the signal.
   */
  run(asked: {readonly name: string; readonly prompt: string}, watch: RunWatch): Promise<AgentRun>;
  /**
   * Reads an agent from a file that the person named; in this session, it counts before others of its name. Throws
   * KernelError AGENT_INVALID.
   */
  lend(file: string): Promise<AgentInfo>;
  /** Has an agent use a model in this session, whatever its definition says. Throws ToolError AGENT_UNKNOWN. */
  choose(name: string, model: string): Promise<void>;
  /** Has the person log in at a remote agent. Throws KernelError AGENT_UNKNOWN, AGENT_NO_LOGIN and LOGIN_FAILED. */
  login(name: string, desk: AgentLoginDesk): Promise<AgentLoginState>;
  /** Forgets the login; false when there was none. Throws KernelError AGENT_UNKNOWN and AGENT_NO_LOGIN. */
  logout(name: string): Promise<boolean>;
  /** Runs of this session that have ended, in order. */
  runs(): Promise<readonly AgentRun[]>;
  /** Agrees to agents of the project as their files are now; all that wait for it when `names` is empty. */
  acknowledge(names: readonly string[]): Promise<readonly string[]>;
  /** Calls back when the list has changed; returns what ends that. */
  follow(changed: () => void): () => void;
}

/** What an agent's session may do. */
export interface RunningAgent {
  readonly agent: string;
  readonly tools?: readonly string[];
  /** 1 for an agent that the main agent called. */
  readonly depth: number;
  /** It may only report now. */
  readonly isEnding: boolean;
}

export interface LentServers {
  readonly agent: string;
  readonly servers: AgentServers;
}

/** The agents that run, by their sessions. */
export interface RunningAgents {
  put(session: string, running: RunningAgent): Promise<void>;
  of(session: string): Promise<RunningAgent | undefined>;
  delete(session: string): Promise<void>;
  /** Keeps the MCP servers of an agent, under a key that the flags of its place hold, until they are given back. */
  lendServers(key: string, lent: LentServers): Promise<void>;
  servers(key: string): Promise<LentServers | undefined>;
  takeServers(key: string): Promise<void>;
  /** While the person is asked about a call, the time of the agent stands still. */
  pause(session: string): Promise<void>;
  resume(session: string): Promise<void>;
  /** Milliseconds that the person took so far. */
  paused(session: string): Promise<number>;
}

/** A folder with agents that another plugin provides. */
export interface AgentFolder {
  /** Absolute. */
  readonly path: string;
  /** The name of the extension. */
  readonly owner: string;
}

/**
 * The service `agent-folders:<owner>`. The list is kept until the service calls `changed()` of its context.
 */
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
