import {brand} from './brand.js';
import type {FromSchema, JSONSchema} from './json-schema.js';
import type {ServiceName, Services} from './registry.js';
import type {SessionInfo} from './session.js';

export type Effect = 'read' | 'search' | 'edit' | 'delete' | 'move' | 'execute' | 'fetch' | 'think' | 'other';

/** One thing that a call reaches for. Paths are absolute and real: what is judged is what is opened. */
export interface Touch {
  readonly kind: 'path' | 'command' | 'url';
  readonly value: string;
  readonly access: 'read' | 'write' | 'run';
  /** Where a command runs. */
  readonly directory?: string;
  /** Whether a command is given something to read, which could be commands. */
  readonly hasInput?: boolean;
}

/** What a person or an editor is shown before a call runs. */
export type Preview =
  | {
      readonly kind: 'diff';
      readonly path: string;
      readonly before: string;
      readonly after: string;
      readonly diff: string;
    }
  | {readonly kind: 'command'; readonly command: string; readonly directory: string}
  | {readonly kind: 'urls'; readonly urls: readonly string[]}
  | {readonly kind: 'text'; readonly text: string};

export type Part = {readonly text: string} | {readonly inlineData: {readonly mimeType: string; readonly data: string}};

/**
 * What a finished tool gives: `model` goes back to the model, `display` to people, `data` to programs, `plain` to
 * scripts: the text of `model` without what is said about it. All JSON.
 */
export interface ToolResult {
  readonly model: string | readonly Part[];
  readonly display?: string;
  readonly data?: unknown;
  readonly plain?: string;
}

/** What a ToolResult must look like, whoever gives it. */
export const resultSchema: JSONSchema = {
  type: 'object',
  required: ['model'],
  properties: {
    model: {type: ['string', 'array'], items: {type: 'object'}},
    display: {type: 'string'},
    data: {},
    plain: {type: 'string'},
  },
};

export interface ToolAnnotations {
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** One call on its way down the one path, as hooks see it. Frozen. */
export interface ToolCall {
  readonly id: string;
  readonly tool: string;
  readonly effect: Effect;
  readonly annotations: ToolAnnotations;
  readonly input: unknown;
  readonly touches: readonly Touch[];
  /** As it was when the call began; `interactive` also when whoever calls answers for a person. */
  readonly session: SessionInfo;
  /** The MCP server that the tool belongs to. */
  readonly server?: string;
  /** Who calls, when it is not the main agent. */
  readonly subagent?: string;
}

/** What a gate can decide, from the mildest to the strictest. */
export const decisions = ['allow', 'ask', 'deny'] as const;

/** A gate's answer. */
export interface Verdict {
  readonly decision: (typeof decisions)[number];
  readonly reason: string;
  /** What whoever asked should know besides; what several say is joined. */
  readonly context?: string;
}

export interface ToolContext {
  /** Aborted when the call is cancelled or its deadline passes. */
  readonly signal: AbortSignal;
  readonly call: ToolCall;
  service<N extends ServiceName>(name: N): Promise<Services[N]>;
  /**
   * Whether the call may reach for what it finds only while it runs, such as each file that a search shows: one answer
   * for each touch, from the judges of the call itself. What they would ask about is open only when a person said yes
   * to this call.
   */
  permits(touches: readonly Touch[]): Promise<readonly boolean[]>;
  /** Tells who watches how far the call is. Never waits. */
  progress(update: {readonly text: string; readonly done?: number; readonly total?: number}): void;
}

/** What a tool has before its call is judged. */
export type PreparingContext = Omit<ToolContext, 'progress' | 'permits'>;

export interface ToolSpec<S extends JSONSchema> {
  /** As the model knows it, in snake_case. */
  readonly name: string;
  readonly description: string;
  readonly input: S;
  readonly effect: Effect;
  readonly annotations?: ToolAnnotations;
  /** Everything the call reaches for. A tool without it touches nothing that rules could name. */
  touches?(input: FromSchema<S>, context: PreparingContext): Promise<readonly Touch[]>;
  /** What a person sees before saying yes. Must change nothing. */
  preview?(input: FromSchema<S>, context: PreparingContext): Promise<Preview>;
  /**
   * The input that leaves `text` where a preview of kind diff showed `after`. A tool without it cannot take what a
   * person edited there.
   */
  revise?(input: FromSchema<S>, edited: {readonly before: string; readonly text: string}): FromSchema<S>;
  /** Does the work. Failures the model can act on are thrown as ToolError. */
  run(input: FromSchema<S>, context: ToolContext): Promise<ToolResult>;
}

// The kernel holds tools whose input type it has checked by schema but cannot name.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Tool = ToolSpec<any>;

/** Marks a tool; the default export of a file in `src/tools/`. The input type follows from the schema. */
export function defineTool<const S extends JSONSchema>(spec: ToolSpec<S>): ToolSpec<S> {
  return brand(spec, 'tool');
}
