/** What a fleet does, from a file of plans or from the command line. */
export interface Plan {
  /** The fleet's name, and a part of its branches. */
  readonly name: string;
  /** With places for columns: `{{column}}`. */
  readonly prompt: string;
  /** Files or rows that it is filled with, in order. */
  readonly rows: readonly Row[];
  /** For rows without one. */
  readonly repository?: string;
  /** Branch, tag or commit, for rows without one. */
  readonly ref?: string;
  readonly model?: string;
  readonly mode: 'plan' | 'default' | 'auto_edit';
  /** Tools that run without a question. */
  readonly allow: readonly string[];
  /** Whether what repositories bring along counts, such as their settings and hooks. */
  readonly isTrusted: boolean;
  /** Whether commands are confined. */
  readonly isConfined: boolean;
  /** A JSON Schema that each answer has to match. */
  readonly schema?: unknown;
  readonly limits: PlanLimits;
  readonly effects: readonly PlannedEffect[];
}

/** A row of the table that a plan runs over. */
export type Row = Readonly<Record<string, string>>;

export interface PlanLimits {
  readonly jobs: number;
  /** Of all tasks, in US dollars. */
  readonly cost?: number;
  readonly tokens?: number;
  /** Of one task. */
  readonly taskCost?: number;
  readonly taskTurns?: number;
  readonly taskSeconds: number;
  /** Bytes of its checkout. */
  readonly taskDisk: number;
  readonly attempts: number;
  readonly perRepository?: number;
  /** Requests to models in a minute, of all workers. */
  readonly requestsPerMinute?: number;
}

/** What is done outside once a task is done, with places for columns and for what came of it. */
export type PlannedEffect =
  | {readonly kind: 'push'; readonly remote?: string}
  | {
      readonly kind: 'command';
      readonly name: string;
      /** Ends with 0 when the effect is there already. Without it, the effect is tried once and never again. */
      readonly check?: readonly string[];
      readonly run: readonly string[];
    };
