import {existsSync} from 'node:fs';
import {createRequire} from 'node:module';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {readTextSync} from '@gemini-kernel/files';
import type {JSONObject} from './key-path.js';

export type TypeName = 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object' | 'null';

/** The part of JSON Schema that settings.schema.json uses. */
export interface SettingSchema {
  readonly type?: TypeName | readonly TypeName[];
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, SettingSchema>>;
  readonly additionalProperties?: SettingSchema | false;
  readonly required?: readonly string[];
  readonly items?: SettingSchema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly deprecated?: boolean;
  /**
   * How a stronger layer combines with a weaker one where it does not replace it (objects: where it does not go deep).
   */
  readonly 'x-merge'?: 'concat' | 'union' | 'shallow' | 'deep';
  /** The variable, or the variables in order of strength, that set the key. */
  readonly 'x-env'?: string | readonly string[];
  /** The plugin that declares it, the heading it is listed under, and whether it is never printed. */
  readonly 'x-plugin'?: string;
  readonly 'x-category'?: string;
  readonly 'x-secret'?: true;
}

const PLACE = '@gemini-kernel/manifests/schemas/settings.schema.json';

/** Reads the published schema of settings.json. */
export function readSettingsSchema(): SettingSchema {
  // The file is part of the product; a test checks its shape.
  return JSON.parse(
    readTextSync(findInNodeModules() ?? createRequire(import.meta.url).resolve(PLACE)),
  ) as SettingSchema;
}

// Every start reads this file. Looking in the usual folders takes a tenth of the time that Node's full resolution does.
function findInNodeModules(): string | undefined {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (dirname(folder) !== folder) {
    folder = dirname(folder);
    const path = join(folder, 'node_modules', PLACE);
    if (existsSync(path)) return path;
  }
  return undefined;
}

/** What the schema says about a child of `schema`, or undefined. */
export function childOf(schema: SettingSchema | undefined, key: string): SettingSchema | undefined {
  const {properties, additionalProperties} = schema ?? {};
  return properties && Object.hasOwn(properties, key) ? properties[key] : additionalProperties || undefined;
}

/** What the schema says about the key at a path, or undefined when it does not know it. */
export function schemaAt(schema: SettingSchema, path: readonly string[]): SettingSchema | undefined {
  return path.reduce<SettingSchema | undefined>(childOf, schema);
}

/** The default value of a key, gathered from below when it is a section; undefined when there is none. */
export function defaultOf({properties, default: own}: SettingSchema): unknown {
  if (!properties || own !== undefined) return own;
  const defaults: JSONObject = {};
  for (const [key, child] of Object.entries(properties)) {
    const value = defaultOf(child);
    if (value !== undefined) defaults[key] = value;
  }
  return Object.keys(defaults).length > 0 ? defaults : undefined;
}

/** Calls `visit` for each named key below `schema`, sections before what they hold. */
export function visitKeys(
  schema: SettingSchema,
  visit: (path: readonly string[], child: SettingSchema) => void,
  path: readonly string[] = [],
): void {
  for (const [key, child] of Object.entries(schema.properties ?? {})) {
    const childPath = [...path, key];
    visit(childPath, child);
    visitKeys(child, visit, childPath);
  }
}
