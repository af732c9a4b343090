import type {HostEntries, Manifest} from '../contract/manifest.js';
import {kernelHooks} from '../contract/moments/index.js';
import {KERNEL, type CatalogPlugin} from './catalog-plugin.js';

/** Flags that every command has from oclif. */
const HOST_FLAGS = ['json', 'help', 'version'];

/** Who has something already: a plugin, or the kernel with its host. */
type Owner = CatalogPlugin | typeof KERNEL;
type Owners = ReadonlyMap<string, Owner>;

/** Plugins that have what an earlier one has already. */
export function findClashes(plugins: readonly CatalogPlugin[], host: HostEntries): ReadonlyMap<CatalogPlugin, string> {
  const faults = new Map<CatalogPlugin, string>();
  const own = [
    `name ${KERNEL}`,
    ...kernelHooks.map(({name}) => `hook ${name}`),
    ...HOST_FLAGS.map((name) => `flag --${name}`),
    ...host.services.map(({name}) => `service ${name}`),
    ...host.commands.map(commandClaim),
  ];
  const owners = new Map<string, Owner>(own.map((claim) => [claim, KERNEL]));
  for (const plugin of plugins) {
    const claims = claimsOf(plugin.manifest);
    const fault = findTaken(plugin, claims, owners) ?? findCovered(plugin, owners);
    if (fault) faults.set(plugin, fault);
    else for (const claim of claims) owners.set(claim, plugin);
  }
  return faults;
}

function nameOf(owner: Owner): string {
  return owner === KERNEL ? owner : owner.manifest.name;
}

function findTaken(plugin: CatalogPlugin, claims: readonly string[], owners: Owners): string | undefined {
  for (const claim of claims) {
    const owner = owners.get(claim);
    if (owner && !isReplacement(plugin, claim, owner)) return `its ${claim} is already provided by ${nameOf(owner)}`;
  }
  return undefined;
}

/**
 * Only the product's own tools can be replaced, only by one plugin, and by one of the same effect: rules that name the
 * tool mean that.
 */
function isReplacement({replaces = [], manifest}: CatalogPlugin, claim: string, owner: Owner): boolean {
  if (owner === KERNEL || owner.origin !== 'core') return false;
  const tool = manifest.tools.find(({name}) => replaces.includes(name) && claim === `tool ${name}`);
  const theirs = owner.manifest.tools.find(({name}) => name === tool?.name);
  return tool !== undefined && tool.effect === theirs?.effect;
}

/** All that a plugin has under a name of its own. */
export function claimsOf(manifest: Manifest): readonly string[] {
  return [
    `name ${manifest.name}`,
    ...manifest.tools.map(({name}) => `tool ${name}`),
    ...manifest.services.map(({name}) => `service ${name}`),
    ...manifest.hooks.map(({name}) => `hook ${name}`),
    ...manifest.flags.map(({name}) => `flag --${name}`),
    ...(manifest.settings ?? []).map(({key}) => `setting ${key}`),
    ...idsOf(manifest).map(commandClaim),
  ];
}

function idsOf({commands}: Manifest): readonly string[] {
  return commands.flatMap(({id, aliases}) => [id, ...aliases]);
}

function commandClaim(id: string): string {
  return `command ${id.replaceAll(':', ' ')}`;
}

/**
 * The longest words win, so `tools call x` would take what is meant for another's `tools call`. Only plugins of the
 * product add to each other's commands, and to the host's.
 */
function findCovered({manifest, origin}: CatalogPlugin, owners: Owners): string | undefined {
  for (const id of idsOf(manifest)) {
    const words = id.split(':');
    const covered = words
      .map((_, index) => commandClaim(words.slice(0, index).join(':')))
      .find((claim) => owners.has(claim));
    const owner = owners.get(covered ?? '');
    const isOwnAddition = origin === 'core' && (owner === KERNEL || owner?.origin === 'core');
    if (owner && !isOwnAddition)
      return `its ${commandClaim(id)} would take words from the ${covered ?? ''} of ${nameOf(owner)}`;
  }
  return undefined;
}
