import {findNearest, KernelError, messageOf, type JSONSchema} from '@gemini-kernel/kernel';

/** Names of parameters begin with a small letter; those of variables, as in `CI=1 make`, mostly do not. */
const BEGINS_WITH_KEY = /^[a-z]\w*=|^=/;
const HINT = 'Pass the input as --args \'{"key": "value"}\', as --args-file <file>, or as key=value.';

/** Parses a JSON object; an error names its source. Throws KernelError ARGUMENTS_UNREADABLE. */
export function parseObject(text: string, source: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new KernelError('ARGUMENTS_UNREADABLE', `${source} is not JSON: ${messageOf(cause)}`, {cause, hint: HINT});
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new KernelError(
    'ARGUMENTS_UNREADABLE',
    `${source} is ${JSON.stringify(value)?.slice(0, 40) ?? 'nothing'}, not a JSON object.`,
    {hint: HINT},
  );
}

/**
 * Builds the input from `key=value` words. A value is a string if the schema wants a string, otherwise JSON. A word
 * without a key is the value of the only required parameter, if that takes a string.
 */
export function parsePairs(words: readonly string[], schema: JSONSchema): Record<string, unknown> {
  const properties = (schema['properties'] ?? {}) as Record<string, {readonly type?: unknown}>;
  const bare = words.filter((word) => !BEGINS_WITH_KEY.test(word));
  const [first, ...others] = (schema['required'] ?? []) as readonly string[];
  const [word] = bare;
  if (
    bare.length === 1 &&
    word !== undefined &&
    first !== undefined &&
    others.length === 0 &&
    properties[first]?.type === 'string'
  ) {
    return {
      ...parsePairs(
        words.filter((one) => one !== word),
        schema,
      ),
      [first]: word,
    };
  }
  return Object.fromEntries(
    words.map((word) => {
      const at = word.indexOf('=');
      if (at < 1)
        throw new KernelError('ARGUMENTS_UNREADABLE', `"${word}" is not of the form key=value.`, {hint: HINT});
      const [key, text] = [word.slice(0, at), word.slice(at + 1)];
      if (!(key in properties) && !schema['additionalProperties']) throw unknownParameter(key, Object.keys(properties));
      return [key, properties[key]?.type === 'string' ? text : parseValue(text)];
    }),
  );
}

function unknownParameter(key: string, known: readonly string[]): KernelError {
  const near = findNearest(key.toLowerCase(), known);
  return new KernelError('ARGUMENTS_UNREADABLE', `The tool has no parameter "${key}".`, {
    hint: near.length > 0 ? `Did you mean ${near.join(', ')}?` : `Its parameters: ${known.join(', ') || 'none'}.`,
  });
}

function parseValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON, so it is plain text; the schema check that follows says if text is wrong here.
    return text;
  }
}
