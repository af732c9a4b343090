import type {Manifest} from '../contract/manifest.js';
import {kernelHooks} from '../contract/moments/index.js';
import {KERNEL, type CatalogPlugin, type HostEntries} from './catalog-plugin.js';

/** Flags that every command has from oclif. */
const HOST_FLAGS = ['json', 'help', 'version'];

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
  const owners = new Map(own.map((claim) => [claim, KERNEL]));
  for (const plugin of plugins) {
    const claims = claimsOf(plugin.manifest);
    const clash = claims.find(
      (claim) => owners.has(claim) && !isReplacement(plugin, claim, owners.get(claim), plugins),
    );
    const fault = clash
      ? `its ${clash} is already provided by ${owners.get(clash) ?? ''}`
      : findCovered(plugin, owners, plugins);
    if (fault) faults.set(plugin, fault);
    else for (const claim of claims) owners.set(claim, plugin.manifest.name);
  }
  return faults;
}

/**
 * Only the product's own tools can be replaced, only by one plugin, and by one of the same effect: rules that name the
 * tool mean that.
 */
function isReplacement(
  {replaces = [], manifest}: CatalogPlugin,
  claim: string,
  owner: string | undefined,
  plugins: readonly CatalogPlugin[],
): boolean {
  const tool = manifest.tools.find(({name}) => replaces.includes(name) && claim === `tool ${name}`);
  const theirs = plugins
    .find((plugin) => plugin.manifest.name === owner && plugin.origin === 'core')
    ?.manifest.tools.find(({name}) => name === tool?.name);
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
function findCovered(
  {manifest, origin}: CatalogPlugin,
  owners: ReadonlyMap<string, string>,
  plugins: readonly CatalogPlugin[],
): string | undefined {
  const isOwn = (owner: string | undefined): boolean =>
    owner === KERNEL || plugins.some((one) => one.manifest.name === owner && one.origin === 'core');
  for (const id of idsOf(manifest)) {
    const words = id.split(':');
    const covered = words
      .map((_, index) => commandClaim(words.slice(0, index).join(':')))
      .find((claim) => owners.has(claim));
    const isOwnAddition = origin === 'core' && covered !== undefined && isOwn(owners.get(covered));
    if (covered && !isOwnAddition)
      return `its ${commandClaim(id)} would take words from the ${covered} of ${owners.get(covered) ?? ''}`;
  }
  return undefined;
}
