import type { JSONSchema } from './json-schema.js';
import type { PreparingContext, ToolContext } from './tool.js';
import type { Effect, Preview, ToolAnnotations, ToolResult, Touch } from './tool-call.js';
export interface Listed<T> {
  readonly name: string;
  readonly plugin: string;
  readonly isOurs: boolean;
  readonly items: readonly T[];
}
export interface SourcedTool {
  readonly name: string;
  readonly description: string;
  readonly input: JSONSchema;
  readonly effect: Effect;
  readonly annotations?: ToolAnnotations;
  readonly output?: JSONSchema;
  readonly server?: string;
}
export interface ToolSource {
  list(): Promise<readonly SourcedTool[]>;
  touches?(tool: string, input: unknown, context: PreparingContext): Promise<readonly Touch[]>;
  preview?(tool: string, input: unknown, context: PreparingContext): Promise<Preview>;
  revise?(
    tool: string,
    input: unknown,
    edited: {
      readonly before: string;
      readonly text: string;
    },
  ): Promise<unknown>;
  run(tool: string, input: unknown, context: ToolContext): Promise<ToolResult>;
}
export declare const sourcedToolSchema: JSONSchema;
declare module './registry.js' {
  interface Services {
    [source: `tools:${string}`]: ToolSource;
  }
}
