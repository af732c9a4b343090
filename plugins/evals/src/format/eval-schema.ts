import type {JSONSchema} from '@gemini-kernel/kernel';

const text: JSONSchema = {type: 'string', minLength: 1};
const texts: JSONSchema = {type: 'array', items: text};
const oneOrMore: JSONSchema = {type: ['string', 'array'], minLength: 1, items: text};
const count: JSONSchema = {type: 'integer', minimum: 0};
const isOrNot: JSONSchema = {type: 'boolean'};

function object(properties: Readonly<Record<string, JSONSchema>>, ...required: readonly string[]): JSONSchema {
  return {type: 'object', properties, required: [...required], additionalProperties: false};
}

function fileSchema(): JSONSchema {
  const contents = {equal: {type: 'string'}, equal_file: text, contains: oneOrMore, lacks: oneOrMore, pattern: text};
  return object({absent: isOrNot, unchanged: isOrNot, ...contents});
}

function callSchema(): JSONSchema {
  const input = {type: 'object', additionalProperties: text};
  const status = {enum: ['success', 'error', 'refused']};
  return object({tool: text, input, status, agent: text, least: count, most: count}, 'tool');
}

function expectationSchema(): JSONSchema {
  return object({
    outcome: {enum: ['done', 'limit', 'loop', 'refused', 'invalid', 'failed', 'any']},
    changed: texts,
    files: {type: 'object', additionalProperties: fileSchema()},
    calls: {type: 'array', items: callSchema()},
    refusals: {type: 'array', items: object({tool: text, reason: text, least: count, most: count})},
    answer: object({contains: oneOrMore, lacks: oneOrMore, pattern: text, schema: text}),
    command: object({run: text, output: text, seconds: {type: 'integer', minimum: 1, maximum: 3600}}, 'run'),
  });
}

function judgeSchema(): JSONSchema {
  const one = object({answer: text, pass: isOrNot}, 'answer', 'pass');
  const cases = {type: 'array', minItems: 2, items: one};
  return object({model: text, rubric: text, files: texts, cases}, 'model', 'rubric', 'cases');
}

/** The form of `eval.toml`. What a schema cannot say, such as that a pattern is one, the reader says. */
export function createEvalSchema(): JSONSchema {
  return object({
    description: {type: 'string'},
    // A system limits one word of a command line.
    prompt: {...text, maxLength: 30_000},
    call: object({tool: {...text, pattern: '^[A-Za-z_]'}, input: {type: 'object'}}, 'tool'),
    project: text,
    files: {type: 'object', additionalProperties: {type: 'string'}},
    models: {...texts, minItems: 1},
    repeat: {type: 'integer', minimum: 1, maximum: 1000},
    pass_rate: {type: 'number', minimum: 0, maximum: 1},
    mode: {enum: ['plan', 'default', 'auto_edit']},
    allow: texts,
    policy: oneOrMore,
    limits: object({
      turns: {type: 'integer', minimum: 1},
      tokens: {type: 'integer', minimum: 1},
      cost: {type: 'number', exclusiveMinimum: 0},
      seconds: {type: 'integer', minimum: 1, maximum: 86_400},
    }),
    expect: expectationSchema(),
    judge: judgeSchema(),
  });
}
