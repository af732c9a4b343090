import type {Effect} from '@gemini-kernel/kernel';

/**
 * Where a rule comes from; a later tier is stronger. `session` rules are what a person allowed while the program runs.
 */
export const tiers = ['default', 'extension', 'workspace', 'session', 'user', 'admin'] as const;
export type Tier = (typeof tiers)[number];

export const modes = ['plan', 'default', 'auto_edit', 'yolo'] as const;
/** How much may run without a question, from the least to the most. */
export type Mode = (typeof modes)[number];

export type Decision = 'allow' | 'ask' | 'deny';

export interface RuleSource {
  readonly tier: Tier;
  /** As people are shown it: `User: git.toml:12`, `Setting: tools.exclude`. */
  readonly label: string;
  readonly file?: string;
  /** Of the rule's header, from 1. */
  readonly line?: number;
  /**
   * Its rules only make calls stricter, whatever the tier: a person named them for the administrator's tier of a
   * managed machine.
   */
  readonly tightens?: true;
}

/** What a shell command must be for a rule to speak about it. */
export type CommandCondition =
  /** Its words begin with these. */
  | {readonly prefix: string}
  /** A regular expression over its text; `anchored` ones must match from its first character. */
  | {readonly pattern: string; readonly anchored: boolean};

/** Whom a rule or a checker speaks about. Every condition that is given must hold. */
export interface Conditions {
  /** Names of tools; `*` stands for any run of characters. */
  readonly tools: readonly string[];
  /** Tools that it does not speak about after all. */
  readonly except?: readonly string[];
  /** Name of an MCP server; `*` is any. */
  readonly server?: string;
  /** MCP servers that it does not speak about after all. */
  readonly exceptServers?: readonly string[];
  readonly subagent?: string;
  /** The other program that the session works for; `*` stands for any run of characters. */
  readonly caller?: string;
  /** A regular expression over the stable JSON of the arguments. */
  readonly args?: string;
  readonly command?: CommandCondition;
  /**
   * Globs over the real paths that the call touches; one without a leading `/` or `**` starts at each workspace root.
   */
  readonly path?: readonly string[];
  readonly effect?: readonly Effect[];
  /**
   * Real paths; it also speaks about a folder above one of them that is deleted, moved, replaced or filled as a whole.
   */
  readonly holds?: readonly string[];
  /** Globs over the workspace root that holds the touched path. */
  readonly workspaceRoot?: readonly string[];
  readonly modes?: readonly Mode[];
  /** True: only when a person can be asked; false: only when no one can be asked. */
  readonly interactive?: boolean;
  /** True: only in trusted folders; false: only in others. */
  readonly trusted?: boolean;
  /** True: only commands that the system confines; false: only what is not confined. */
  readonly sandboxed?: boolean;
  readonly annotations?: Readonly<Record<string, unknown>>;
}

/** What a rule grants to commands in the sandbox that it lets pass. */
export interface SandboxGrant {
  readonly read?: readonly string[];
  readonly write?: readonly string[];
  /** True: all of the network; else hosts. */
  readonly network?: true | readonly string[];
  /** The workspace can be written although its mode makes it read-only. Only a file of limits says so. */
  readonly workspace?: true;
  /** Most memory of each process, in megabytes, and most processes: only stricter than what settings say. */
  readonly memory?: number;
  readonly processes?: number;
}

/** What a file of limits says about commands of one approval mode; each with the place that says so. */
export interface ModeTable {
  readonly network?: Said<boolean>;
  readonly readOnly?: Said<boolean>;
  /** False: only settings grant more; rules, commands, calls and answers do not. */
  readonly hasOverrides?: Said<boolean>;
  /** Beginnings of commands that can write the workspace in a mode that makes it read-only. */
  readonly approved?: Said<readonly string[]>;
}

/** A value, and the place that says so: `User: sandbox.toml:3`. */
export interface Said<V> {
  readonly value: V;
  readonly from: string;
}

/** What one `sandbox.toml` says about commands in the sandbox. */
export interface SandboxLimits {
  /** Whether it only makes things stricter. */
  readonly tightens: boolean;
  readonly modes: Partial<Readonly<Record<Mode, ModeTable>>>;
  /** Grants to commands, by the words that they begin with. */
  readonly commands: readonly {readonly prefix: string; readonly grant: SandboxGrant; readonly from: string}[];
}

/** One rule, whichever dialect it was written in. */
export interface Rule extends Conditions {
  /** As written, else the label of its source. */
  readonly id: string;
  readonly description?: string;
  readonly source: RuleSource;
  readonly decision: Decision;
  /** 0 to 999 within its tier. */
  readonly priority: number;
  /** Whether a command it allows may write to and read from files by redirection. */
  readonly allowRedirection: boolean;
  /** Its globs are compared without case on every system, and not only where file systems are without case. */
  readonly ignoreCase?: true;
  /** Holds against every rule that does not itself name a path. */
  readonly sensitive: boolean;
  /** Counts for a line only if the rule of each of its commands grants it. */
  readonly sandbox?: SandboxGrant;
  /** Told to who is refused. */
  readonly message?: string;
}

/** Something that looks at the arguments of a call once rules let it pass. */
export interface Checker extends Conditions {
  readonly source: RuleSource;
  readonly priority: number;
  readonly type: 'in-process' | 'external';
  readonly name: string;
  readonly context?: readonly ('environment' | 'history')[];
  readonly config: Readonly<Record<string, unknown>>;
}

/** Something wrong in a rule file. */
export interface Problem {
  readonly severity: 'error' | 'warning';
  readonly tier: Tier;
  readonly file: string;
  /** From 1; absent when the whole file is meant. */
  readonly line?: number;
  readonly column?: number;
  /** One sentence: what is wrong. */
  readonly message: string;
  readonly hint?: string;
}

/** Everything that files and settings say. */
export interface RuleSet {
  readonly rules: readonly Rule[];
  readonly checkers: readonly Checker[];
  readonly problems: readonly Problem[];
  /** Of each `sandbox.toml` that has any. */
  readonly limits?: readonly SandboxLimits[];
}

/** The priority by which an approval is known. */
export const APPROVAL_PRIORITY = 950;

const bases: Readonly<Record<Tier, number>> = {default: 1, extension: 2, workspace: 3, session: 3, user: 4, admin: 5};

/** The number that rules are ordered by: tier first, then priority. */
export function strengthOf({source, priority}: Pick<Rule, 'source' | 'priority'>): number {
  return bases[source.tier] + priority / 1000;
}

/** Whether a rule may only make things stricter, whatever it says. */
export function onlyTightens({source: {tier, tightens}}: Pick<Rule, 'source'>): boolean {
  return tightens === true || tier === 'extension' || tier === 'workspace';
}
