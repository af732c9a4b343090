import {KernelError, type Setting} from '@gemini-kernel/kernel';
import {findViolations, type Manifest} from '@gemini-kernel/kernel/host';
import {importFolder, type Found} from './contributions.js';

type Group = Readonly<Record<string, Setting>>;

/**
 * The settings in the folder dist/settings, those of groups one by one. Throws KernelError BUILD_INVALID when one is
 * declared twice, or lies within another.
 */
export async function readSettings(root: string): Promise<Pick<Manifest, 'settings'>> {
  const found = await importFolder<Setting | Group>(root, 'settings', 'setting');
  const all = found.flatMap(({module, value}) => listSettings(value).map((setting) => ({module, value: setting})));
  for (const [index, one] of all.entries()) {
    const other = all.slice(0, index).find(({value: {key}}) => overlaps(key, one.value.key));
    if (other) throw declaredTwice(one, other);
  }
  return all.length > 0 ? {settings: all.map(({value}) => value)} : {};
}

/** One sentence for each default that its own schema refuses, and for each secret that is no text. */
export async function findSettingFlaws(settings: readonly Setting[]): Promise<readonly string[]> {
  const flaws = settings.map(async ({key, schema, secret, default: value}) => {
    if (secret && schema['type'] !== 'string')
      return [`The setting ${key} is secret, and its schema has no type string.`];
    return value === undefined ? [] : findViolations(schema, value, `The default of ${key}`);
  });
  return (await Promise.all(flaws)).flat();
}

function listSettings(value: Setting | Group): readonly Setting[] {
  return isSetting(value) ? [value] : Object.values(value);
}

function isSetting(value: Setting | Group): value is Setting {
  return typeof value.key === 'string';
}

function overlaps(a: string, b: string): boolean {
  return a === b || a.startsWith(`${b}.`) || b.startsWith(`${a}.`);
}

function declaredTwice(one: Found<Setting>, other: Found<Setting>): KernelError {
  return new KernelError(
    'BUILD_INVALID',
    `${one.module} declares the setting ${one.value.key}, and ${other.module} declares ${other.value.key}.`,
    {hint: 'A key is declared once, and no key lies within another.'},
  );
}
