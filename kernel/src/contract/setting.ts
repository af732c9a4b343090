import {brand} from './brand.js';
import type {FromSchema, JSONSchema} from './json-schema.js';

export interface SettingSpec<S extends JSONSchema = JSONSchema> {
  /**
   * What a value looks like. Of JSON Schema: type, enum, items, properties, additionalProperties, description, and the
   * limits of numbers, texts and lists. Written in place, it gives the value its type.
   */
  readonly schema: S;
  /** The value if none is set. The build checks it against the schema. */
  readonly default?: unknown;
  readonly description: string;
  /** The heading that it is listed under, such as `Shell`. */
  readonly category?: string;
  /** True for what is never printed: commands show `[redacted]`, and results of tools lose its value. */
  readonly secret?: true;
  /** How a stronger layer combines with a weaker one where it does not replace it. */
  readonly merge?: 'concat' | 'union' | 'shallow';
  readonly deprecated?: true;
}

declare const valueType: unique symbol;

/** A setting as data, with the type of its value. */
export interface Setting<V = unknown> extends SettingSpec {
  /** Dotted: `words.limit`. */
  readonly key: string;
  readonly [valueType]?: V;
}

/** A setting that a plugin of this catalog declares. */
export interface DeclaredSetting extends Setting {
  readonly plugin: string;
  /** Whether the plugin came with the product. */
  readonly ofProduct: boolean;
}

/** Without a default there may be no value. */
type ValueOf<S extends SettingSpec> =
  FromSchema<S['schema']> | (S extends {readonly default: unknown} ? never : undefined);

/** Declares a setting; the default export of a file in `src/settings/`. */
export function defineSetting<const S extends SettingSpec>(key: string, spec: S): Setting<ValueOf<S>> {
  return brand({key, ...spec}, 'setting');
}

/** Declares the settings of one section by name; the default export of a file in `src/settings/`. */
export function defineSettings<const G extends Readonly<Record<string, SettingSpec>>>(
  section: string,
  specs: G,
): {readonly [K in keyof G]: Setting<ValueOf<G[K]>>} {
  const entries = Object.entries(specs).map(([name, spec]) => [name, defineSetting(`${section}.${name}`, spec)]);
  // Each name of the group has its own setting.
  return brand(Object.fromEntries(entries) as {[K in keyof G]: Setting<ValueOf<G[K]>>}, 'setting');
}
