import {KernelError, type JSONSchema, type ToolContext, type ToolResult, type ToolSpec} from '@gemini-kernel/kernel';

/** What a tool of a program gets beside its input. */
export type OwnToolContext = Pick<ToolContext, 'signal' | 'call' | 'tools' | 'permits' | 'progress'>;

type InputOf<S extends JSONSchema> = Parameters<ToolSpec<S>['run']>[0];

/** A tool that a program gives to its agent. */
export interface OwnToolSpec<S extends JSONSchema> extends Pick<
  ToolSpec<S>,
  'name' | 'description' | 'annotations' | 'output' | 'touches' | 'preview'
> {
  readonly input: S;
  /** `other` unless given. Calls with the effects `read` and `search` may run side by side. */
  readonly effect?: ToolSpec<S>['effect'];
  /** Whether each call is asked about. Without it, the tool runs unless a rule says otherwise. */
  readonly asks?: boolean;
  /**
   * Gives a text, a ToolResult, or a value that the model reads as JSON. Throw a ToolError for a failure that the model
   * can act on.
   */
  run(input: InputOf<S>, context: OwnToolContext): unknown;
}

// Agents hold tools whose input type is checked by schema but cannot be named.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type OwnTool = OwnToolSpec<any>;

/** Gives a tool the types of its schema. Throws KernelError SDK_INVALID. */
export function defineTool<const S extends JSONSchema>(spec: OwnToolSpec<S>): OwnToolSpec<S> {
  checkTool(spec);
  return spec;
}

/** Throws KernelError SDK_INVALID for what is no tool; types do not bind a program in JavaScript. */
export function checkTool(spec: Partial<OwnTool>): void {
  const {name, description, input, run} = spec;
  if (typeof name !== 'string' || !/^[a-zA-Z_][\w.:-]{0,62}$/.test(name))
    throw unfit(`A tool cannot be named ${JSON.stringify(name)}.`, 'Use letters, digits and _, at most 63.');
  if (typeof description !== 'string') throw unfit(`The tool ${name} has no description.`, 'The model reads it.');
  if (typeof input !== 'object' || input === null)
    throw unfit(`The tool ${name} has no input schema.`, "Give a JSON Schema such as {type: 'object'}.");
  if (typeof run !== 'function') throw unfit(`The tool ${name} has no function run.`, 'Add run(input, context).');
}

/** The result of a tool from what its function gave. */
export function toResult(value: unknown): ToolResult {
  if (typeof value === 'string') return {model: value};
  if (typeof value === 'object' && value !== null && 'model' in value) return value as ToolResult;
  return {model: JSON.stringify(value ?? null), ...(value === undefined ? {} : {data: value})};
}

function unfit(sentence: string, hint: string): KernelError {
  return new KernelError('SDK_INVALID', sentence, {hint});
}
