import {brand} from './brand.js';
import type {SessionTools} from './call.js';
import type {FromSchema, JSONSchema} from './json-schema.js';
import type {ServiceName, Services} from './registry.js';
import type {Effect, Preview, Progress, ToolAnnotations, ToolCall, ToolResult, Touch} from './tool-call.js';

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
  /** Calls of other tools. They belong to this call: one that changes things does not wait for this call to end. */
  readonly tools: SessionTools;
  /** Tells who watches how far the call is. Never waits. */
  progress(update: Progress): void;
}

/** What a tool has before its call is judged. */
export type PreparingContext = Omit<ToolContext, 'progress' | 'permits' | 'tools'>;

export interface ToolSpec<S extends JSONSchema> {
  /** As the model knows it, in snake_case. */
  readonly name: string;
  readonly description: string;
  readonly input: S;
  readonly effect: Effect;
  readonly annotations?: ToolAnnotations;
  /** What the `data` of its results must look like. */
  readonly output?: JSONSchema;
  /** Everything the call reaches for. A tool without it touches nothing that rules could name. */
  touches?(input: FromSchema<S>, context: PreparingContext): Promise<readonly Touch[]>;
  /** What a person sees before saying yes. Must change nothing. */
  preview?(input: FromSchema<S>, context: PreparingContext): Promise<Preview>;
  /**
   * The input that leaves `text` where a preview of kind diff showed `after`. A tool without it cannot take what a
   * person edited there.
   */
  revise?(
    input: FromSchema<S>,
    edited: {readonly before: string; readonly text: string},
  ): FromSchema<S> | Promise<FromSchema<S>>;
  /** Does the work. Throw a ToolError for failures that the model can act on. */
  run(input: FromSchema<S>, context: ToolContext): Promise<ToolResult>;
}

// The kernel holds tools whose input type it has checked by schema but cannot name.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Tool = ToolSpec<any>;

/** Marks a tool; the default export of a file in `src/tools/`. The input type follows from the schema. */
export function defineTool<const S extends JSONSchema>(spec: ToolSpec<S>): ToolSpec<S> {
  return brand(spec, 'tool');
}
