import type {HostEntries, Owned} from '../contract/manifest.js';
import {join} from 'node:path';
import type {Flag, FlagSpec} from '../contract/flag.js';
import type {Hook} from '../contract/hook.js';
import {KERNEL, listenersOf, hostServices, type CatalogPlugin} from './catalog-plugin.js';
import type {DeclaredSetting} from '../contract/setting.js';
import {findFaults} from './find-faults.js';
import {kernelErrors} from './kernel-errors.js';
import type {
  CommandEntry,
  ListenerEntry,
  Manifest,
  ServiceEntry,
  ToolEntry,
  TypedCommand,
} from '../contract/manifest.js';
import {kernelHooks} from '../contract/moments/index.js';
import {orderListeners} from './order.js';

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
  readonly host: HostEntries;
  /** A tool that stands in for one of the product's says whose. */
  readonly tools: ReadonlyMap<string, Owned<ToolEntry> & {readonly replaces?: string}>;
  readonly services: ReadonlyMap<string, Owned<ServiceEntry>>;
  readonly hooks: ReadonlyMap<string, Owned<Hook>>;
  readonly listeners: ReadonlyMap<string, readonly Owned<ListenerEntry>[]>;
  readonly commands: ReadonlyMap<string, Owned<CommandEntry>>;
  /** The commands that can be typed in a conversation, each name once. */
  readonly typed: readonly TypedCommand[];
  readonly flags: ReadonlyMap<string, Owned<Flag & FlagSpec>>;
  readonly settings: readonly DeclaredSetting[];
  /** The exit code that an error code stands for. */
  exitCodeOf(code: string): number;
  /** The absolute path of a contribution's file. */
  fileOf(contribution: {readonly plugin: string; readonly module: string}): string;
}

export interface CatalogOptions {
  /** What was left out before. */
  readonly refused?: readonly Refusal[];
  readonly host?: Partial<HostEntries>;
}

/**
 * Compiles plugins, the distribution's first. A plugin that clashes with an earlier one, listens to an unowned hook,
 * filters by what a hook does not offer, stands in a circle or needs a service that is not there is left out with the
 * reason.
 */
export function createCatalog(
  candidates: readonly CatalogPlugin[],
  {refused: before = [], host: given = {}}: CatalogOptions = {},
): Catalog {
  const host = {commands: [], services: [], errors: {}, ...given};
  const refused = [...before];
  let admitted = [...candidates];
  for (;;) {
    const faults = findFaults(admitted, host);
    if (faults.size === 0) break;
    refused.push(...[...faults].map(([{root, manifest}, reason]) => ({name: manifest.name, root, reason})));
    admitted = admitted.filter((plugin) => !faults.has(plugin));
  }
  return compile(admitted, refused, host);
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

function compile(admitted: readonly CatalogPlugin[], refused: readonly Refusal[], host: HostEntries): Catalog {
  const plugins = new Map(admitted.map((plugin) => [plugin.manifest.name, plugin]));
  const owned = <T>(pick: (manifest: Manifest) => readonly T[]): readonly Owned<T>[] =>
    admitted.flatMap(({manifest}) => pick(manifest).map((entry) => ({...entry, plugin: manifest.name})));
  const byName = <T extends {readonly name: string}>(entries: readonly Owned<T>[]): ReadonlyMap<string, Owned<T>> =>
    new Map(entries.map((entry) => [entry.name, entry]));
  const hooks = byName([...kernelHooks.map((hook) => ({...hook, plugin: KERNEL})), ...owned(({hooks: own}) => own)]);
  return {
    plugins,
    refused,
    host,
    hooks,
    tools: mergeTools(owned(({tools}) => tools)),
    services: byName([...hostServices(host), ...owned(({services}) => services)]),
    flags: byName(owned(({flags}) => flags)),
    settings: admitted.flatMap(({origin, manifest: {name: plugin, settings = []}}) =>
      settings.map((one) => ({...one, plugin, ofProduct: origin === 'core'})),
    ),
    commands: new Map(
      owned(({commands}) => commands).flatMap((entry) => [entry.id, ...entry.aliases].map((id) => [id, entry])),
    ),
    typed: owned(({commands}) => commands)
      .filter(({slash, id}) => slash && !id.startsWith('--'))
      .flatMap(({id, aliases, summary, plugin}) => [id, ...aliases].map((name) => ({name, id, summary, plugin}))),
    listeners: new Map([...hooks.keys()].map((hook) => [hook, orderListeners(listenersOf(admitted, hook)).ordered])),
    exitCodeOf: (code) =>
      kernelErrors[code]?.exit ??
      host.errors[code]?.exit ??
      admitted.map(({manifest}) => manifest.errors[code]?.exit).find((exit) => exit !== undefined) ??
      1,
    // The name was taken from this very map.
    fileOf: ({plugin, module}) => (plugin === KERNEL ? module : join(plugins.get(plugin)?.root ?? '', module)),
  };
}
