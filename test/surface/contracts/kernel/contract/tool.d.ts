import type { SessionTools } from './call.js';
import type { FromSchema, JSONSchema } from './json-schema.js';
import type { ServiceName, Services } from './registry.js';
import type { Effect, Preview, Progress, ToolAnnotations, ToolCall, ToolResult, Touch } from './tool-call.js';
export interface ToolContext {
  readonly signal: AbortSignal;
  readonly call: ToolCall;
  service<N extends ServiceName>(name: N): Promise<Services[N]>;
  permits(touches: readonly Touch[]): Promise<readonly boolean[]>;
  readonly tools: SessionTools;
  progress(update: Progress): void;
}
export type PreparingContext = Omit<ToolContext, 'progress' | 'permits' | 'tools'>;
export interface ToolSpec<S extends JSONSchema> {
  readonly name: string;
  readonly description: string;
  readonly input: S;
  readonly effect: Effect;
  readonly annotations?: ToolAnnotations;
  readonly output?: JSONSchema;
  touches?(input: FromSchema<S>, context: PreparingContext): Promise<readonly Touch[]>;
  preview?(input: FromSchema<S>, context: PreparingContext): Promise<Preview>;
  revise?(
    input: FromSchema<S>,
    edited: {
      readonly before: string;
      readonly text: string;
    },
  ): FromSchema<S> | Promise<FromSchema<S>>;
  run(input: FromSchema<S>, context: ToolContext): Promise<ToolResult>;
}
export type Tool = ToolSpec<any>;
export declare function defineTool<const S extends JSONSchema>(spec: ToolSpec<S>): ToolSpec<S>;
