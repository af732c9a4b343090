import type {JSONSchema} from '@gemini-kernel/kernel';
import {formSchema, kernelHooks, resultSchema, type ToolEntry} from '@gemini-kernel/kernel/host';

/** The schemas whose validators the build writes, by the name it gives them. */
export function knownSchemas(tools: Iterable<ToolEntry>): Readonly<Record<string, JSONSchema>> {
  const answers = kernelHooks.flatMap(({name, answer}): [string, JSONSchema][] =>
    answer && answer !== resultSchema ? [[`answer_${name.replace(':', '_')}`, answer]] : [],
  );
  return {
    form: formSchema,
    result: resultSchema,
    ...Object.fromEntries(answers),
    ...Object.fromEntries([...tools].map(({name, input}) => [`input_${name}`, input])),
  };
}
