import type { Effect } from '@gemini-kernel/kernel';
export declare const tiers: readonly ['default', 'extension', 'workspace', 'session', 'user', 'admin'];
export type Tier = (typeof tiers)[number];
export declare const modes: readonly ['plan', 'default', 'auto_edit', 'yolo'];
export type Mode = (typeof modes)[number];
export type Decision = 'allow' | 'ask' | 'deny';
export interface RuleSource {
  readonly tier: Tier;
  readonly label: string;
  readonly file?: string;
  readonly line?: number;
  readonly tightens?: true;
}
export type CommandCondition =
  | {
      readonly prefix: string;
    }
  | {
      readonly pattern: string;
      readonly anchored: boolean;
    };
export interface Conditions {
  readonly tools: readonly string[];
  readonly except?: readonly string[];
  readonly server?: string;
  readonly exceptServers?: readonly string[];
  readonly subagent?: string;
  readonly caller?: string;
  readonly args?: string;
  readonly command?: CommandCondition;
  readonly path?: readonly string[];
  readonly effect?: readonly Effect[];
  readonly holds?: readonly string[];
  readonly workspaceRoot?: readonly string[];
  readonly modes?: readonly Mode[];
  readonly interactive?: boolean;
  readonly trusted?: boolean;
  readonly sandboxed?: boolean;
  readonly annotations?: Readonly<Record<string, unknown>>;
}
export interface SandboxGrant {
  readonly read?: readonly string[];
  readonly write?: readonly string[];
  readonly network?: true | readonly string[];
  readonly workspace?: true;
  readonly memory?: number;
  readonly processes?: number;
}
export interface ModeTable {
  readonly network?: Said<boolean>;
  readonly readOnly?: Said<boolean>;
  readonly hasOverrides?: Said<boolean>;
  readonly approved?: Said<readonly string[]>;
}
export interface Said<V> {
  readonly value: V;
  readonly from: string;
}
export interface SandboxLimits {
  readonly tightens: boolean;
  readonly modes: Partial<Readonly<Record<Mode, ModeTable>>>;
  readonly commands: readonly {
    readonly prefix: string;
    readonly grant: SandboxGrant;
    readonly from: string;
  }[];
}
export interface Rule extends Conditions {
  readonly id: string;
  readonly description?: string;
  readonly source: RuleSource;
  readonly decision: Decision;
  readonly priority: number;
  readonly allowRedirection: boolean;
  readonly ignoreCase?: true;
  readonly sensitive: boolean;
  readonly sandbox?: SandboxGrant;
  readonly message?: string;
}
export interface Checker extends Conditions {
  readonly source: RuleSource;
  readonly priority: number;
  readonly type: 'in-process' | 'external';
  readonly name: string;
  readonly context?: readonly ('environment' | 'history')[];
  readonly config: Readonly<Record<string, unknown>>;
}
export interface Problem {
  readonly severity: 'error' | 'warning';
  readonly tier: Tier;
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
  readonly hint?: string;
}
export interface RuleSet {
  readonly rules: readonly Rule[];
  readonly checkers: readonly Checker[];
  readonly problems: readonly Problem[];
  readonly limits?: readonly SandboxLimits[];
}
export declare const APPROVAL_PRIORITY = 950;
export declare function strengthOf({ source, priority }: Pick<Rule, 'source' | 'priority'>): number;
export declare function onlyTightens({ source: { tier, tightens } }: Pick<Rule, 'source'>): boolean;
