import type { ApprovalChoice, OfferedTool, SessionStart, ToolCall, Verdict } from '@gemini-kernel/kernel';
import type { LoadedPolicy } from './load-policy.js';
import type { Decision, Mode, Problem, Rule, RuleSet, SandboxGrant, Tier } from './rule.js';
export type { Checker, Conditions, Decision, Mode, Problem, Rule, RuleSource, SandboxGrant, Tier } from './rule.js';
export interface Looked {
  readonly rule: Rule;
  readonly match: 'yes' | 'maybe' | 'no';
}
export interface ExplainedPart {
  readonly what: string;
  readonly decision: Decision;
  readonly rule?: Rule;
  readonly reason?: string;
}
export interface Explained {
  readonly mode: Mode;
  readonly interactive: boolean;
  readonly decision: Decision;
  readonly reason: string;
  readonly parts: readonly ExplainedPart[];
  readonly looked: readonly Looked[];
}
export interface GrantedByRules extends SandboxGrant {
  readonly from: string;
}
export interface Asked {
  readonly mode?: Mode;
  readonly caller?: string | undefined;
  readonly interactive?: boolean;
}
export interface SessionApprovals {
  join(session: string, parent: string): Promise<void>;
  add(session: string, rules: readonly Rule[]): Promise<void>;
  list(session: string): Promise<readonly Rule[]>;
  end(session: string): Promise<void>;
}
export interface PlaceRules {
  keep(session: string, policy: LoadedPolicy): void;
  of(session: string): LoadedPolicy | undefined;
  end(session: string): void;
}
export interface Policy {
  begin(start: SessionStart): Promise<{
    readonly mode: Mode;
    readonly requireGuards: boolean;
  }>;
  changeMode(mode: string): Promise<Mode>;
  judge(call: ToolCall): Promise<Verdict>;
  grants(call: ToolCall): Promise<readonly GrantedByRules[]>;
  guard(paths: readonly string[]): Promise<readonly Verdict[]>;
  onlyReads(call: ToolCall): Promise<boolean>;
  explain(call: ToolCall, asked: Asked): Promise<Explained>;
  passable(tools: readonly OfferedTool[]): Promise<readonly string[]>;
  choices(call: ToolCall): Promise<readonly ApprovalChoice[]>;
  narrow(call: ToolCall, prefixes: readonly string[]): Promise<readonly ApprovalChoice[]>;
  remember(call: ToolCall, until: 'session' | 'always', shown?: string): Promise<void>;
  rules(): Promise<{
    readonly rules: readonly Rule[];
    readonly problems: readonly Problem[];
    readonly files: readonly string[];
  }>;
  check(knownTools: readonly string[]): Promise<{
    readonly problems: readonly Problem[];
    readonly files: readonly string[];
  }>;
}
export interface Defaults {
  readonly folder: string;
  take(found: { readonly tier: Tier; readonly file: string }): RuleSet | undefined;
}
export interface BroughtRules {
  readonly name: string;
  readonly folder: string;
  readonly excludedTools: readonly string[];
}
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
