import type {ApprovalChoice, OfferedTool, SessionStart, ToolCall, Verdict} from '@gemini-kernel/kernel';
import type {LoadedPolicy} from './load-policy.js';
import type {Decision, Mode, Problem, Rule, RuleSet, SandboxGrant, Tier} from './rule.js';

export type {Checker, Conditions, Decision, Mode, Problem, Rule, RuleSource, SandboxGrant, Tier} from './rule.js';

/** A rule that was looked at, and what came of it. */
export interface Looked {
  readonly rule: Rule;
  readonly match: 'yes' | 'maybe' | 'no';
}

/** One part of a call, as it was judged. */
export interface ExplainedPart {
  /** `call`, a command or a path. */
  readonly what: string;
  readonly decision: Decision;
  /** The rule that decided; absent when none spoke. */
  readonly rule?: Rule;
  readonly reason?: string;
}

/** How a call would be judged in one mode. */
export interface Explained {
  readonly mode: Mode;
  readonly interactive: boolean;
  readonly decision: Decision;
  readonly reason: string;
  readonly parts: readonly ExplainedPart[];
  readonly looked: readonly Looked[];
}

/** What rules grant to a command in the sandbox. */
export interface GrantedByRules extends SandboxGrant {
  readonly from: string;
}

/** What a judgement is asked for. */
export interface Asked {
  readonly mode?: Mode;
  /** The other program that the session works for: by default that of the session. */
  readonly caller?: string | undefined;
  readonly interactive?: boolean;
}

/** What people allowed until a session ends, for the sessions of a conversation and of its agents together. */
export interface SessionApprovals {
  /** The session belongs to the conversation of another one. */
  join(session: string, parent: string): Promise<void>;
  add(session: string, rules: readonly Rule[]): Promise<void>;
  list(session: string): Promise<readonly Rule[]>;
  end(session: string): Promise<void>;
}

/** Rules as sessions of a place have read them, by session; only for this plugin. */
export interface PlaceRules {
  keep(session: string, policy: LoadedPolicy): void;
  of(session: string): LoadedPolicy | undefined;
  end(session: string): void;
}

/** The rules that say which calls may run. */
export interface Policy {
  /**
   * Settles how the session starts out; one that another session opened is never allowed more than that. Throws
   * KernelError POLICY_ADMIN_BROKEN, POLICY_ADMIN_UNSAFE, POLICY_UNREADABLE or YOLO_DISABLED.
   */
  begin(start: SessionStart): Promise<{readonly mode: Mode; readonly requireGuards: boolean}>;
  /**
   * The mode that a running session may change to. Throws KernelError MODE_UNKNOWN, YOLO_DISABLED or MODE_TOO_LOOSE.
   */
  changeMode(mode: string): Promise<Mode>;
  judge(call: ToolCall): Promise<Verdict>;
  /** What the rules that let a command pass grant to it in the sandbox. */
  grants(call: ToolCall): Promise<readonly GrantedByRules[]>;
  /** What rules that name paths say about writing each file, for what writes files without a call of its own. */
  guard(paths: readonly string[]): Promise<readonly Verdict[]>;
  /** Whether the rules of the product know a command line, and all that it runs, as one that only looks at files. */
  onlyReads(call: ToolCall): Promise<boolean>;
  /** How a call would be judged, and every rule that was looked at. Nothing is asked of safety checkers. */
  explain(call: ToolCall, asked: Asked): Promise<Explained>;
  /** Of these tools, the names of those of which some call could pass. */
  passable(tools: readonly OfferedTool[]): Promise<readonly string[]>;
  /** The answers that keep an approval, each with the exact rules, or with the reason why it cannot be given. */
  choices(call: ToolCall): Promise<readonly ApprovalChoice[]>;
  /**
   * The same with rules that allow less: for each rule that names the beginning of a command, a longer one. That is
   * then what is kept of this call. Throws KernelError RULE_NOT_NARROWER for one that is not longer, or not of the
   * call.
   */
  narrow(call: ToolCall, prefixes: readonly string[]): Promise<readonly ApprovalChoice[]>;
  /**
   * Keeps an approval: until the session ends, or in the user's file. Keeps nothing, and says so, when the rules are no
   * longer those that were `shown`. Throws KernelError POLICY_UNWRITABLE.
   */
  remember(call: ToolCall, until: 'session' | 'always', shown?: string): Promise<void>;
  /** Every rule, the strongest first, and what is wrong in the files. */
  rules(): Promise<{
    readonly rules: readonly Rule[];
    readonly problems: readonly Problem[];
    readonly files: readonly string[];
  }>;
  /** Reads everything again and says what is wrong; with names of tools, also which names are misspelt. */
  check(
    knownTools: readonly string[],
  ): Promise<{readonly problems: readonly Problem[]; readonly files: readonly string[]}>;
}

/** The rules that come with the product. */
export interface Defaults {
  readonly folder: string;
  /** What the build read of a file, if the file had the same bytes when it was first asked about. */
  take(found: {readonly tier: Tier; readonly file: string}): RuleSet | undefined;
}

/** Rules that another plugin brings, such as those of an extension. They only make calls stricter. */
export interface BroughtRules {
  readonly name: string;
  /** Holds a folder `policies` with files of rules. */
  readonly folder: string;
  /** Tools that no call may use, as `tools.exclude` names them. */
  readonly excludedTools: readonly string[];
}

/** The service `rules:<owner>`. */
export interface RuleProvider {
  list(): Promise<readonly BroughtRules[]>;
}

declare module '@gemini-kernel/kernel' {
  interface Services {
    [rules: `rules:${string}`]: RuleProvider;
    'default-rules': Defaults;
    policy: Policy;
    'session-approvals': SessionApprovals;
    'place-rules': PlaceRules;
  }
}
