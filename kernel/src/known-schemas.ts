import {formSchema} from './calls/check-form.js';
import type {JSONSchema} from './contract/json-schema.js';
import type {Manifest} from './contract/manifest.js';
import {kernelHooks} from './contract/moments/index.js';
import {sourcedToolSchema} from './contract/source.js';
import {resultSchema} from './contract/tool-call.js';

type Schemas = Readonly<Record<string, JSONSchema>>;

/** What the schemas of a product are found in: the manifests, and what sources of the plugins list, by name. */
export interface SchemaPlaces {
  readonly manifests: readonly Pick<Manifest, 'tools' | 'hooks'>[];
  readonly items?: Schemas;
}

/** The schemas whose validators the build writes, by the name it gives them. */
export function knownSchemas({manifests, items = {}}: SchemaPlaces): Schemas {
  const tools = manifests.flatMap((manifest) => manifest.tools);
  const hooks = [...kernelHooks, ...manifests.flatMap((manifest) => manifest.hooks)];
  const answers = hooks.flatMap(({name, answer}): [string, JSONSchema][] =>
    answer && answer !== resultSchema ? [[`answer_${name.replace(':', '_')}`, answer]] : [],
  );
  return {
    form: formSchema,
    result: resultSchema,
    sourced: sourcedToolSchema,
    ...Object.fromEntries(answers),
    ...Object.fromEntries(tools.map(({name, input}) => [`input_${name}`, input])),
    ...Object.fromEntries(Object.entries(items).map(([name, schema]) => [`item_${name}`, schema])),
  };
}
