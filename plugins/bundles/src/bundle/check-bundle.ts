import {posix} from 'node:path';
import {KernelError, messageOf, type JSONSchema} from '@gemini-kernel/kernel';
import {findViolations} from '@gemini-kernel/kernel/host';
import type {BundleLock} from './bundle-lock.js';
import {bundleRules, findOwnFaults} from './bundle-rules.js';
import type {WrittenFolder} from './brought-folders.js';
import {fitsArchive} from './bundle-tar.js';
import type {Bundle} from './bundle.js';
import {publishedSchema} from '../published-schema.js';
import type {WrittenBundle} from './read-bundle.js';

/** Checks everything about a bundle that needs no plugin. Throws KernelError BUNDLE_INVALID that names every fault. */
export async function checkBundle({file, bundle, policies, folders, known}: WrittenBundle): Promise<void> {
  const faults = [
    ...(await findPolicyFaults(policies)),
    ...(await findSettingsFaults(bundle, known ?? (await publishedSchema('settings')))),
    ...findListFaults(bundle),
    ...findFileFaults(bundle, folders),
  ];
  if (faults.length > 0)
    throw new KernelError('BUNDLE_INVALID', `${file} cannot be locked: ${faults.join(' ')}`, {
      hint: 'Fix it, then lock it again.',
      data: {faults},
    });
}

/** Checks that a bundle's own rules allow what it brings. Throws KernelError BUNDLE_INVALID. */
export function checkOwnRules(lock: BundleLock): void {
  const {plugins, keys = {}, sources = {}} = bundleRules(lock);
  const faults = findOwnFaults(lock, {plugins, keys, sources});
  if (faults.length > 0)
    throw new KernelError('BUNDLE_INVALID', `The rules of ${lock.name} refuse its own plugins. ${faults.join(' ')}`, {
      hint: 'Change the rule, or remove the plugin.',
      data: {faults},
    });
}

async function findPolicyFaults(policies: WrittenBundle['policies']): Promise<readonly string[]> {
  const {parse} = await import('smol-toml');
  return [...policies].flatMap(([path, bytes]) => {
    try {
      parse(bytes.toString());
      return [];
    } catch (error) {
      return [`${path} is not valid TOML: ${messageOf(error).split('\n')[0] ?? ''}.`];
    }
  });
}

async function findSettingsFaults({settings = {}, mcpServers}: Bundle, schema: JSONSchema): Promise<readonly string[]> {
  const parts: Readonly<Record<string, unknown>> = {
    'settings.defaults': settings.defaults,
    'settings.enforced': settings.enforced,
    mcpServers: mcpServers && {mcpServers},
  };
  const faults: string[] = [];
  for (const [name, value] of Object.entries(parts))
    if (value !== undefined)
      faults.push(...(await findViolations(schema, value, name)), ...findUnknownKeys(schema, value, name));
  return faults;
}

/** Keys of unknown settings, which the program would ignore; in a bundle they are always a mistake. */
function findUnknownKeys(schema: unknown, value: unknown, place: string): readonly string[] {
  const {properties} = schema as {readonly properties?: Readonly<Record<string, unknown>>};
  if (!properties || typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    properties[key] === undefined
      ? [`${place} sets ${key}, which is not a known setting.`]
      : findUnknownKeys(properties[key], inner, `${place}.${key}`),
  );
}

function findListFaults({plugins, expires}: Bundle): readonly string[] {
  const names = plugins.map((one) => (typeof one === 'string' ? one : one.name));
  const twice = [...new Set(names.filter((name, index) => names.indexOf(name) !== index))].map(
    (name) => `It lists ${name} twice.`,
  );
  const over =
    expires !== undefined && Number.isNaN(Date.parse(expires))
      ? [`It expires at ${expires}, which is not a valid time.`]
      : [];
  return [...twice, ...over];
}

/** Everything has one place in an archive. */
function findFileFaults({policies = []}: Bundle, folders: readonly WrittenFolder[]): readonly string[] {
  const names = folders.map(({kind, name}) => `${kind}/${name}`);
  const paths = [
    ...policies.map((path) => posix.normalize(path)),
    ...folders.flatMap(({contents}) => [...contents.keys()]),
  ];
  const twice = [...names, ...paths].filter((one, index, all) => all.indexOf(one) !== index);
  return [
    ...[...new Set(twice)].map((path) => `It brings ${path} twice.`),
    ...paths.filter((path) => !fitsArchive(path)).map((path) => `The path ${path} is too long for an archive.`),
  ];
}
