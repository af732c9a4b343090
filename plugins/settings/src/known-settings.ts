import {findSettingFaults} from '@gemini-kernel/admission/start';
import type {DeclaredSetting} from '@gemini-kernel/kernel';
import {readSettingsSchema, type SettingSchema} from './settings-schema.js';

/** Every setting there is: those of the product, and those that plugins declare. */
export interface KnownSettings {
  readonly schema: SettingSchema;
  /** Those of plugins that count. */
  readonly declared: readonly DeclaredSetting[];
  /** One sentence for each declaration that does not count. */
  readonly left: readonly string[];
}

/** Puts the declarations of plugins into the schema of the product. */
export function joinSettings(declared: readonly DeclaredSetting[]): KnownSettings {
  const own = readSettingsSchema();
  const faults = findSettingFaults(declared, own);
  const counting = declared.filter((one) => !faults.has(one));
  return {
    schema: counting.reduce((schema, one) => place(schema, one.key.split('.'), nodeOf(one)), own),
    declared: counting,
    left: [...faults].map(([{key, plugin}, fault]) => `The setting ${key} of ${plugin} does not count: ${fault}.`),
  };
}

function nodeOf(setting: DeclaredSetting): SettingSchema {
  const {schema, description, category, merge, secret, deprecated, plugin} = setting;
  return {
    // The build held it against the schema of manifests.
    ...(schema as SettingSchema),
    ...(setting.default === undefined ? {} : {default: setting.default}),
    description,
    ...(deprecated ? {deprecated} : {}),
    ...(merge ? {'x-merge': merge} : {}),
    ...(category === undefined ? {} : {'x-category': category}),
    ...(secret ? {'x-secret': secret} : {}),
    'x-plugin': plugin,
  };
}

function place(schema: SettingSchema, [key = '', ...rest]: readonly string[], node: SettingSchema): SettingSchema {
  const {properties = {}} = schema;
  const child = Object.hasOwn(properties, key) ? properties[key] : undefined;
  const placed = rest.length === 0 ? node : place(child ?? sectionOf(node), rest, node);
  return {...schema, properties: {...properties, [key]: placed}};
}

/** A section that the product does not have. */
function sectionOf({'x-plugin': plugin}: SettingSchema): SettingSchema {
  return {type: 'object', description: `Settings of ${plugin}.`, properties: {}};
}
