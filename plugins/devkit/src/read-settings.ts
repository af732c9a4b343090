import {KernelError, type Setting} from '@gemini-kernel/kernel';
import {findViolations, type Manifest} from '@gemini-kernel/kernel/host';
import {importFolder, type Found} from './contributions.js';

type Group = Readonly<Record<string, Setting>>;

/**
 * The settings in the folder dist/settings, with groups expanded. Throws KernelError BUILD_INVALID when one is declared
 * twice, or is inside another.
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

/** One sentence for each default that its own schema rejects, and for each secret that is not a string. */
export async function findSettingFlaws(settings: readonly Setting[]): Promise<readonly string[]> {
  const flaws = settings.map(async ({key, schema, secret, default: value}) => {
    if (secret && schema['type'] !== 'string')
      return [`The setting ${key} is secret, but its schema does not have the type string.`];
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
    `${one.module} declares the setting ${one.value.key}, but ${other.module} declares ${other.value.key}.`,
    {hint: 'Declare each key once, and no key inside another.'},
  );
}
