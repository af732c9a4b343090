import type { FromSchema, JSONSchema } from './json-schema.js';
export interface SettingSpec<S extends JSONSchema = JSONSchema> {
  readonly schema: S;
  readonly default?: unknown;
  readonly description: string;
  readonly category?: string;
  readonly secret?: true;
  readonly merge?: 'concat' | 'union' | 'shallow';
  readonly deprecated?: true;
}
declare const valueType: unique symbol;
export interface Setting<V = unknown> extends SettingSpec {
  readonly key: string;
  readonly [valueType]?: V;
}
export interface DeclaredSetting extends Setting {
  readonly plugin: string;
  readonly ofProduct: boolean;
}
type ValueOf<S extends SettingSpec> =
  | FromSchema<S['schema']>
  | (S extends {
      readonly default: unknown;
    }
      ? never
      : undefined);
export declare function defineSetting<const S extends SettingSpec>(key: string, spec: S): Setting<ValueOf<S>>;
export declare function defineSettings<const G extends Readonly<Record<string, SettingSpec>>>(
  section: string,
  specs: G,
): {
  readonly [K in keyof G]: Setting<ValueOf<G[K]>>;
};
export {};
