import type {JSONSchema} from '@gemini-kernel/kernel';

/** A plan as its file has it, once it fits the schema. */
export interface WrittenPlan {
  readonly name?: string;
  readonly prompt?: string;
  readonly prompt_file?: string;
  readonly over?: string;
  readonly rows?: readonly Readonly<Record<string, string | number | boolean>>[];
  readonly repository?: string;
  readonly ref?: string;
  readonly model?: string;
  readonly mode?: 'plan' | 'default' | 'auto_edit';
  readonly allow?: readonly string[];
  readonly trust?: boolean;
  readonly sandbox?: boolean;
  readonly schema?: string;
  readonly limits?: {
    readonly jobs?: number;
    readonly cost?: number;
    readonly tokens?: number | string;
    readonly task_cost?: number;
    readonly task_turns?: number;
    readonly task_seconds?: number;
    readonly task_disk?: string;
    readonly attempts?: number;
    readonly per_repository?: number;
    readonly requests_per_minute?: number;
  };
  readonly effects?: readonly WrittenEffect[];
}

export interface WrittenEffect {
  readonly kind: 'push' | 'command';
  readonly remote?: string;
  readonly name?: string;
  readonly check?: readonly string[];
  readonly run?: readonly string[];
}

const text: JSONSchema = {type: 'string', minLength: 1};
const words: JSONSchema = {type: 'array', items: {type: 'string'}, minItems: 1};
const isOrNot: JSONSchema = {type: 'boolean'};
const amount: JSONSchema = {type: 'number', exclusiveMinimum: 0};

function object(properties: Readonly<Record<string, JSONSchema>>, ...required: readonly string[]): JSONSchema {
  return {type: 'object', properties, required: [...required], additionalProperties: false};
}

function upTo(maximum: number): JSONSchema {
  return {type: 'integer', minimum: 1, maximum};
}

function limitsSchema(): JSONSchema {
  return object({
    ...{jobs: upTo(256), cost: amount, tokens: {type: ['integer', 'string'], minimum: 1, minLength: 1}},
    ...{task_cost: amount, task_turns: upTo(10_000), task_seconds: upTo(86_400), task_disk: text},
    ...{attempts: upTo(100), per_repository: upTo(256), requests_per_minute: upTo(1_000_000)},
  });
}

/** The form of a plan. What a schema cannot say, the reader says. */
export function createPlanSchema(): JSONSchema {
  const row = {type: 'object', additionalProperties: {type: ['string', 'number', 'boolean']}};
  const effect = {kind: {enum: ['push', 'command']}, remote: text, name: text, check: words, run: words};
  return object({
    ...{name: text, prompt: text, prompt_file: text, over: text, rows: {type: 'array', items: row}},
    ...{repository: text, ref: text, model: text, mode: {enum: ['plan', 'default', 'auto_edit']}},
    ...{allow: {type: 'array', items: text}, trust: isOrNot, sandbox: isOrNot, schema: text},
    ...{limits: limitsSchema(), effects: {type: 'array', items: object(effect, 'kind')}},
  });
}
