import type {Owned} from '../contract/manifest.js';
import {join} from 'node:path';
import type {Flag, FlagSpec} from '../contract/flag.js';
import {findFilterFault} from './filter-fault.js';
import type {Hook} from '../contract/hook.js';
import {kernelErrors} from './kernel-errors.js';
import type {CommandEntry, ListenerEntry, Manifest, ServiceEntry, ToolEntry} from '../contract/manifest.js';
import {kernelHooks} from '../contract/moments/index.js';
import {toolJudge} from '../contract/moments/tool-judge.js';
import {orderListeners} from './order.js';
import {satisfies} from './version.js';

/** A plugin that admission let in. */
export interface CatalogPlugin {
  readonly root: string;
  readonly origin: 'core' | 'user' | 'link';
  readonly manifest: Manifest;
  /** Tools of the product that the person agreed to have replaced by it. */
  readonly replaces?: readonly string[];
}

/** A plugin that was left out, and why. */
export interface Refusal {
  readonly name: string;
  readonly root: string;
  readonly reason: string;
}

/** The compiled view of all admitted manifests: what there is, whose it is, and which file to import when. */
export interface Catalog {
  readonly plugins: ReadonlyMap<string, CatalogPlugin>;
  readonly refused: readonly Refusal[];
  /** A tool that stands in for one of the product's says whose. */
  readonly tools: ReadonlyMap<string, Owned<ToolEntry> & {readonly replaces?: string}>;
  readonly services: ReadonlyMap<string, Owned<ServiceEntry>>;
  readonly hooks: ReadonlyMap<string, Owned<Hook>>;
  readonly listeners: ReadonlyMap<string, readonly Owned<ListenerEntry>[]>;
  readonly commands: ReadonlyMap<string, Owned<CommandEntry>>;
  readonly flags: ReadonlyMap<string, Owned<Flag & FlagSpec>>;
  /** The exit code that an error code stands for. */
  exitCodeOf(code: string): number;
  /** The absolute path of a contribution's file. */
  fileOf(contribution: {readonly plugin: string; readonly module: string}): string;
}

export interface CatalogOptions {
  /** What was left out before. */
  readonly refused?: readonly Refusal[];
  /** Ids of commands that the host has beside all plugins. */
  readonly hostCommands?: readonly string[];
}

/** What the kernel itself contributes under its own name. */
export const KERNEL = 'kernel';

/**
 * Compiles plugins, the distribution's first. A plugin that clashes with an earlier one, listens to a hook nobody owns,
 * filters by what a hook does not offer, stands in a circle or needs a service that is not there is left out with the
 * reason.
 */
export function createCatalog(
  candidates: readonly CatalogPlugin[],
  {refused: before = [], hostCommands = []}: CatalogOptions = {},
): Catalog {
  const refused = [...before];
  let admitted = [...candidates];
  for (;;) {
    const faults = findFaults(admitted, hostCommands);
    if (faults.size === 0) break;
    refused.push(...[...faults].map(([{root, manifest}, reason]) => ({name: manifest.name, root, reason})));
    admitted = admitted.filter((plugin) => !faults.has(plugin));
  }
  return compile(admitted, refused);
}

/** Flags that every command has from oclif. */
const HOST_FLAGS = ['json', 'help', 'version'];

type Faults = ReadonlyMap<CatalogPlugin, string>;

/**
 * What is wrong with some plugins by themselves, else with how they stand beside each other; the next look is without
 * them.
 */
function findFaults(plugins: readonly CatalogPlugin[], hostCommands: readonly string[]): Faults {
  const unusable = findUnusable(plugins);
  if (unusable.size > 0) return unusable;
  const clashes = findClashes(plugins, hostCommands);
  return clashes.size > 0 ? clashes : findCircles(plugins);
}

function findUnusable(plugins: readonly CatalogPlugin[]): Faults {
  const faults = new Map<CatalogPlugin, string>();
  const hooks = new Map<string, Hook>();
  const services = new Map<string, Owned<ServiceEntry>>();
  // Of two that clash, the first is meant.
  for (const hook of [...kernelHooks, ...plugins.flatMap(({manifest}) => manifest.hooks)])
    if (!hooks.has(hook.name)) hooks.set(hook.name, hook);
  for (const {manifest} of plugins)
    for (const service of manifest.services)
      if (!services.has(service.name)) services.set(service.name, {...service, plugin: manifest.name});
  for (const plugin of plugins) {
    const claims = claimsOf(plugin.manifest);
    const twice = claims.find((claim, index) => claims.indexOf(claim) !== index);
    const odd =
      plugin.origin === 'core'
        ? undefined
        : plugin.manifest.commands
            .flatMap(({aliases}) => aliases)
            .find((alias) => !/^[a-z][a-z0-9-]*(:[a-z][a-z0-9-]*)*$/.test(alias));
    const fault =
      odd !== undefined
        ? `its alias ${odd} is none of words`
        : twice
          ? `it has its ${twice} twice`
          : (findListenerFault(plugin, hooks) ??
            findServiceFault(plugin.manifest, services) ??
            findCapabilityFault(plugin, services));
    if (fault) faults.set(plugin, fault);
  }
  return faults;
}

function findClashes(plugins: readonly CatalogPlugin[], hostCommands: readonly string[]): Faults {
  const faults = new Map<CatalogPlugin, string>();
  const own = [
    `name ${KERNEL}`,
    ...kernelHooks.map(({name}) => `hook ${name}`),
    ...HOST_FLAGS.map((name) => `flag --${name}`),
    ...hostCommands.map(commandClaim),
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

/**
 * Of those that stand in a circle only the last to come is left out: it closed the circle, and no plugin can push out
 * one before it.
 */
function findCircles(plugins: readonly CatalogPlugin[]): Faults {
  for (const hook of new Set(plugins.flatMap(({manifest}) => manifest.listeners.map((one) => one.hook)))) {
    const {circle} = orderListeners(listenersOf(plugins, hook));
    const last = plugins.filter(({manifest}) => circle.includes(manifest.name)).at(-1);
    if (last)
      return new Map([
        [last, `its place among the listeners of ${hook} goes round in a circle (${circle.join(', ')})`],
      ]);
  }
  return new Map();
}

function claimsOf(manifest: Manifest): readonly string[] {
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

/** What a plugin of the product may be given without a word, an installed one must have declared. */
function findCapabilityFault(
  {manifest, origin}: CatalogPlugin,
  services: ReadonlyMap<string, Owned<ServiceEntry>>,
): string | undefined {
  if (origin === 'core') return undefined;
  const declared = manifest.capabilities ?? [];
  for (const {name, version, capability} of services.values()) {
    if (
      capability === undefined ||
      manifest.services.some((own) => own.name === name) ||
      !isRequired(manifest, {name, version})
    )
      continue;
    if (!declared.some((one) => one === capability || one.startsWith(`${capability}:`)))
      return `it needs the service ${name}, for which it must declare the capability ${capability}`;
  }
  return undefined;
}

/** Whether a plugin has required a service: by its name, as optional, or as one of a family. */
export function isRequired({requires}: Manifest, {name, version}: Pick<ServiceEntry, 'name' | 'version'>): boolean {
  const range =
    requires.optional?.[name] ?? (name.includes(':') ? requires.services[`${name.split(':')[0] ?? ''}:*`] : undefined);
  return name in requires.services || (range !== undefined && satisfies(version, range));
}

function listenersOf(plugins: readonly CatalogPlugin[], hook: string): readonly Owned<ListenerEntry>[] {
  return plugins.flatMap(({manifest}) =>
    manifest.listeners.filter((one) => one.hook === hook).map((one) => ({...one, plugin: manifest.name})),
  );
}

/** Of two tools of one name the later stands in for the earlier; that it may was found out before. */
function mergeTools(entries: readonly Owned<ToolEntry>[]): Catalog['tools'] {
  const tools = new Map<string, Owned<ToolEntry> & {readonly replaces?: string}>();
  for (const entry of entries) {
    const replaced = tools.get(entry.name);
    tools.set(entry.name, replaced ? {...entry, replaces: replaced.plugin} : entry);
  }
  return tools;
}

function compile(admitted: readonly CatalogPlugin[], refused: readonly Refusal[]): Catalog {
  const plugins = new Map(admitted.map((plugin) => [plugin.manifest.name, plugin]));
  const owned = <T>(pick: (manifest: Manifest) => readonly T[]): readonly Owned<T>[] =>
    admitted.flatMap(({manifest}) => pick(manifest).map((entry) => ({...entry, plugin: manifest.name})));
  const byName = <T extends {readonly name: string}>(entries: readonly Owned<T>[]): ReadonlyMap<string, Owned<T>> =>
    new Map(entries.map((entry) => [entry.name, entry]));
  const hooks = byName([...kernelHooks.map((hook) => ({...hook, plugin: KERNEL})), ...owned(({hooks: own}) => own)]);
  return {
    plugins,
    refused,
    hooks,
    tools: mergeTools(owned(({tools}) => tools)),
    services: byName(owned(({services}) => services)),
    flags: byName(owned(({flags}) => flags)),
    commands: new Map(
      owned(({commands}) => commands).flatMap((entry) => [entry.id, ...entry.aliases].map((id) => [id, entry])),
    ),
    listeners: new Map([...hooks.keys()].map((hook) => [hook, orderListeners(listenersOf(admitted, hook)).ordered])),
    exitCodeOf: (code) =>
      kernelErrors[code]?.exit ??
      admitted.map(({manifest}) => manifest.errors[code]?.exit).find((exit) => exit !== undefined) ??
      1,
    // The name was taken from this very map.
    fileOf: ({plugin, module}) => join(plugins.get(plugin)?.root ?? '', module),
  };
}
