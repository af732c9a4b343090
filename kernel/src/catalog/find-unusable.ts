import type {Hook} from '../contract/hook.js';
import type {HostEntries, Manifest, Owned, ServiceEntry} from '../contract/manifest.js';
import {kernelHooks} from '../contract/moments/index.js';
import {toolJudge} from '../contract/moments/tool-judge.js';
import {isRequired, hostServices, type CatalogPlugin} from './catalog-plugin.js';
import {findFilterFault} from './filter-fault.js';
import {claimsOf} from './find-clashes.js';
import {satisfies} from './version.js';

/** The faults of single plugins. Of two services or hooks with the same name, the first counts. */
export function findUnusable(plugins: readonly CatalogPlugin[], host: HostEntries): ReadonlyMap<CatalogPlugin, string> {
  const hooks = firstByName([...kernelHooks, ...plugins.flatMap(({manifest}) => manifest.hooks)]);
  const services = firstByName([
    ...hostServices(host),
    ...plugins.flatMap(({manifest}) => manifest.services.map((service) => ({...service, plugin: manifest.name}))),
  ]);
  const faults = plugins.map((plugin) => {
    const {manifest} = plugin;
    const fault =
      findNameFault(plugin) ??
      findListenerFault(plugin, hooks) ??
      findServiceFault(manifest, services) ??
      findRightFault(plugin, services);
    return [plugin, fault] as const;
  });
  return new Map(faults.flatMap(([plugin, fault]) => (fault === undefined ? [] : [[plugin, fault]])));
}

function firstByName<T extends {readonly name: string}>(all: readonly T[]): ReadonlyMap<string, T> {
  return new Map([...all].reverse().map((one) => [one.name, one]));
}

function findNameFault({manifest, origin}: CatalogPlugin): string | undefined {
  const aliases = origin === 'core' ? [] : manifest.commands.flatMap(({aliases}) => aliases);
  const odd = aliases.find((alias) => !/^[a-z][a-z0-9-]*(:[a-z][a-z0-9-]*)*$/.test(alias));
  if (odd !== undefined) return `its alias ${odd} is not made of words`;
  const claims = claimsOf(manifest);
  const twice = claims.find((claim, index) => claims.indexOf(claim) !== index);
  return twice && `it has its ${twice} twice`;
}

function findListenerFault(
  {manifest: {listeners}, origin}: CatalogPlugin,
  hooks: ReadonlyMap<string, Hook>,
): string | undefined {
  for (const {hook, filter, probe} of listeners) {
    const known = hooks.get(hook);
    if (!known) return `it listens to ${hook}, which no plugin owns`;
    if (known.reserved && origin !== 'core')
      return `it listens to ${hook}, where only plugins of the product may answer`;
    if (probe && hook !== toolJudge.name)
      return `its listener to ${hook} has a probe, which only ${toolJudge.name} takes`;
    const fault = filter && findFilterFault(filter, known.filters ?? []);
    if (fault) return `its listener to ${hook} has a bad filter: ${fault}`;
  }
  return undefined;
}

function findServiceFault(
  {requires}: Manifest,
  services: ReadonlyMap<string, Owned<ServiceEntry>>,
): string | undefined {
  for (const [name, range] of Object.entries(requires.services)) {
    if (name.endsWith(':*')) continue;
    const found = services.get(name);
    if (!found) return `it needs the service ${name} ${range}, which no plugin provides`;
    if (!satisfies(found.version, range))
      return `it needs the service ${name} ${range}, but ${found.plugin} provides ${found.version}`;
  }
  return undefined;
}

/** What a plugin of the product is given without a word, an installed one must have declared, or may never have. */
function findRightFault(
  {manifest, origin}: CatalogPlugin,
  services: ReadonlyMap<string, Owned<ServiceEntry>>,
): string | undefined {
  if (origin === 'core') return undefined;
  const own = manifest.services.map(({name}) => name);
  const declared = manifest.capabilities ?? [];
  for (const {name, version, capability, reserved} of services.values()) {
    if (own.includes(name) || !isRequired(manifest, {name, version})) continue;
    if (reserved) return `it needs the service ${name}, which only plugins of the product may use`;
    if (capability !== undefined && !declared.some((one) => one === capability || one.startsWith(`${capability}:`)))
      return `it needs the service ${name}, for which it must declare the capability ${capability}`;
  }
  return undefined;
}
