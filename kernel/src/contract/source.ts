import type {JSONSchema} from './json-schema.js';
import type {PreparingContext, ToolContext} from './tool.js';
import type {Effect, Preview, ToolAnnotations, ToolResult, Touch} from './tool-call.js';

/** What one source lists: a service that has `list` and calls `changed` of its context. */
export interface Listed<T> {
  /** Of the service, such as `commands:docs`. */
  readonly name: string;
  readonly plugin: string;
  /** Whether the plugin came with the product. */
  readonly isOurs: boolean;
  readonly items: readonly T[];
}

/** A tool as a source lists it: all that a tool file would say of it, as JSON. */
export interface SourcedTool {
  readonly name: string;
  readonly description: string;
  readonly input: JSONSchema;
  readonly effect: Effect;
  readonly annotations?: ToolAnnotations;
  /** What the `data` of its results must look like. */
  readonly output?: JSONSchema;
  /** The MCP server that it belongs to. */
  readonly server?: string;
}

/**
 * The service `tools:<owner>`: tools that exist only at run time. The kernel keeps what `list` answered until the
 * source calls `changed()` of its context. The other methods do what those of a tool file do, for the tool named.
 */
export interface ToolSource {
  list(): Promise<readonly SourcedTool[]>;
  touches?(tool: string, input: unknown, context: PreparingContext): Promise<readonly Touch[]>;
  preview?(tool: string, input: unknown, context: PreparingContext): Promise<Preview>;
  revise?(tool: string, input: unknown, edited: {readonly before: string; readonly text: string}): Promise<unknown>;
  run(tool: string, input: unknown, context: ToolContext): Promise<ToolResult>;
}

/** What every item of `list` must look like. */
export const sourcedToolSchema: JSONSchema = {
  type: 'object',
  required: ['name', 'description', 'input', 'effect'],
  properties: {
    name: {type: 'string', minLength: 1},
    description: {type: 'string'},
    input: {type: 'object'},
    effect: {type: 'string', minLength: 1},
    annotations: {type: 'object'},
    output: {type: 'object'},
    server: {type: 'string'},
  },
};

declare module './registry.js' {
  interface Services {
    [source: `tools:${string}`]: ToolSource;
  }
}
