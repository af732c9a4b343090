import type {JSONSchema} from '@gemini-kernel/kernel';
import type {CatalogPlugin, Refusal} from '@gemini-kernel/kernel/host';
import type {Explanation} from '@gemini-kernel/plugin-settings/contract';
import type {About} from './about.js';

interface ReportParts {
  readonly about: About;
  readonly plugins: ReadonlyMap<string, CatalogPlugin>;
  readonly leftOut: readonly Refusal[];
  /** The settings that are set, and their schema. */
  readonly settings: readonly Explanation[];
  readonly schema: JSONSchema;
}

/**
 * What is known about this gemini, for a report: no prompts, no answers, no names of files, and of settings only such
 * values as cannot be private.
 */
export function composeReport({about, plugins, leftOut, settings, schema}: ReportParts): string {
  const others = [...plugins].filter(([, {origin}]) => origin !== 'core');
  const added = [
    ...others.map(([name, {origin, manifest}]) => `${name} ${manifest.version} (${origin})`),
    // Why is for `gemini doctor`: a reason can name a folder.
    ...leftOut.map(({name}) => `${name} (left out)`),
  ];
  const set = settings.flatMap((one) => {
    const winner = one.layers.at(-1)?.layer ?? 'default';
    return winner === 'default' ? [] : [`${nameOf(one.key, schema)}: ${shownValue(one, schema)} (${winner})`];
  });
  return [
    section(
      'About',
      Object.entries(about).map(([name, value]) => `${name}: ${String(value)}`),
    ),
    section('Plugins', [`${plugins.size - others.length} of the product`, ...added]),
    section('Settings that are set', set.length > 0 ? [...new Set(set)] : ['none']),
  ].join('\n');
}

function section(title: string, lines: readonly string[]): string {
  return `### ${title}\n\n${lines.map((line) => `- ${line.replaceAll(/\s+/g, ' ')}\n`).join('')}`;
}

/** Numbers, switches and words of a fixed list; of everything else only that it is set. */
function shownValue({key, value, secret}: Explanation, schema: JSONSchema): string {
  const isFixed = enumOf(schemaOf(key, schema)?.schema).includes(value);
  const isPlain = typeof value === 'boolean' || typeof value === 'number' || isFixed;
  return isPlain && !secret ? JSON.stringify(value) : 'set';
}

/** The key as far as the product knows it: what is below can be the name of a server. */
function nameOf(key: string, schema: JSONSchema): string {
  const found = schemaOf(key, schema);
  if (found === undefined) return '(a key that is not known)';
  return found.depth < key.split('.').length ? `${key.split('.').slice(0, found.depth).join('.')}.…` : key;
}

/** The schema of the longest start of a key that has one. */
function schemaOf(key: string, root: JSONSchema): {readonly schema: JSONSchema; readonly depth: number} | undefined {
  let schema = root;
  const words = key.split('.');
  for (const [depth, word] of words.entries()) {
    const properties = schema['properties'] as Readonly<Record<string, JSONSchema>> | undefined;
    const next = properties && Object.hasOwn(properties, word) ? properties[word] : undefined;
    if (!next) return depth === 0 ? undefined : {schema: {}, depth};
    schema = next;
  }
  return {schema, depth: words.length};
}

function enumOf(schema: JSONSchema | undefined): readonly unknown[] {
  const values: unknown = schema?.['enum'];
  return Array.isArray(values) ? values : [];
}
