import {KernelError, ToolError, type JSONSchema} from '@gemini-kernel/kernel';
import {defineTool, type OwnTool, type OwnToolContext} from '../define-tool.js';
import type {SessionContext} from './context.js';

/** An error whose message the model reads. */
export class ModelVisibleError extends Error {
  override readonly name = 'ModelVisibleError';
}

/** A schema of zod 4 or another library that gives JSON Schema, or JSON Schema itself. */
export type InputSchema<T> = Parser<T> | JSONSchema;

interface Parser<T> {
  readonly _output: T;
  parse(value: unknown): T;
}

export interface ToolDefinition<T> {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: InputSchema<T>;
  /** Whether the model reads the message of any error of the action. */
  readonly sendErrorsToModel?: boolean;
}

export interface Tool<T> extends ToolDefinition<T> {
  readonly action: (input: T, context?: SessionContext) => Promise<unknown>;
}

/** A tool from its definition and what it does. */
export function tool<T>(definition: ToolDefinition<T>, action: Tool<T>['action']): Tool<T> {
  return {...definition, action};
}

/** The same tool for an agent of this SDK; `contextOf` gives what its action gets. */
export function toOwnTool<T>(
  {name, description, inputSchema, sendErrorsToModel = false, action}: Tool<T>,
  contextOf: (context: OwnToolContext) => Promise<SessionContext>,
): OwnTool {
  return defineTool({
    ...{name, description, input: toJsonSchema(name, inputSchema)},
    async run(input: unknown, context) {
      // A schema of a library may fill in defaults. The kernel has checked the input already.
      const parsed = isParser(inputSchema) ? inputSchema.parse(input) : (input as T);
      try {
        const value = await action(parsed, await contextOf(context));
        return typeof value === 'string' ? value : {model: JSON.stringify(value ?? null, null, 2)};
      } catch (cause) {
        if (!(sendErrorsToModel || cause instanceof ModelVisibleError) || !(cause instanceof Error)) throw cause;
        throw new ToolError('TOOL_FAILED', cause.message, {cause});
      }
    },
  });
}

function isParser<T>(schema: InputSchema<T>): schema is Parser<T> {
  return typeof schema['parse'] === 'function';
}

interface Convertible {
  readonly toJSONSchema?: () => JSONSchema;
  readonly '~standard'?: {readonly jsonSchema?: {input(options: {readonly target: string}): JSONSchema}};
}

function toJsonSchema<T>(name: string, schema: InputSchema<T>): JSONSchema {
  if (!isParser(schema)) return schema;
  const library: Convertible & InputSchema<T> = schema;
  const found = library['~standard']?.jsonSchema?.input({target: 'draft-2020-12'}) ?? library.toJSONSchema?.();
  if (found) return found;
  throw new KernelError('SDK_INVALID', `The schema of the tool ${name} gives no JSON Schema.`, {
    hint: 'Use zod 4, or pass z.toJSONSchema(schema), or a JSON Schema.',
  });
}
