import {isRequired, KERNEL} from '../catalog/catalog-plugin.js';
import type {Catalog} from '../catalog/catalog.js';
import {isKernelError, isToolError, KernelError, messageOf} from '../contract/error.js';
import type {Owned, ServiceEntry} from '../contract/manifest.js';
import type {Tell} from '../contract/notice.js';
import type {Services} from '../contract/registry.js';
import type {Service, ServiceContext, ServiceLookup} from '../contract/service.js';
import type {ScopeKind} from '../contract/session.js';
import type {Core} from '../hooks/core.js';
import {Deadline} from '../hooks/deadline.js';
import type {Uses} from './uses.js';

const CREATE_MS = 10_000;
const DISPOSE_MS = 5000;

/** The services of one session, of one place, or of the whole program. */
export interface Scope {
  readonly lookup: ServiceLookup;
  /** Finds a service on behalf of a chain of services that are being created. */
  readonly find: Find;
  /** What a service is called among those of all scopes of a kernel. */
  keyOf(name: string): string;
  /** Waits until none of these services is being created any more. */
  settle(names: ReadonlySet<string>): Promise<void>;
  /**
   * Lets go of these services at once: the next that asks for one gets a new one. What it gives disposes the old ones,
   * the newest first.
   */
  release(names: ReadonlySet<string>): () => Promise<void>;
  /** Disposes what was created, the newest first. */
  close(): Promise<void>;
}

/** Where a scope finds the services that live longer than it does. */
export type Parent = Pick<Scope, 'find' | 'keyOf'>;

interface ScopeParts extends Core {
  readonly kind: ScopeKind;
  /** Unlike that of any other scope of the kernel. */
  readonly id: string;
  readonly parent?: Parent;
  /** What a service is created with, but its look-up. */
  contextOf(entry: Owned<ServiceEntry>, key: string, signal: AbortSignal): Omit<ServiceContext, 'service' | 'names'>;
  readonly tell: Tell;
  readonly uses: Uses;
  /** Finds services for the loader where this scope has only some of them: those of a place that is open. */
  readonly around?: () => ServiceLookup | undefined;
}

export type Find = (name: string, plugin: string, chain: readonly string[]) => Promise<unknown>;

/** Makes a scope; nothing is created before it is asked for. */
export function createScope(parts: ScopeParts): Scope {
  const {catalog, kind, id, parent} = parts;
  const created = new Map<string, Creation>();
  const disposals: Disposal[] = [];
  let closed: Error | undefined;

  const keyOf = (name: string): string => {
    const scope = catalog.services.get(name)?.scope;
    return parent && scope !== kind ? parent.keyOf(name) : `${id}/${name}`;
  };
  const find: Find = async (name, plugin, chain) => {
    const entry = catalog.services.get(name);
    checkDeclared(catalog, name, plugin);
    if (!entry) throw new KernelError('SERVICE_MISSING', `No installed plugin provides the service ${name}.`);
    if (chain.includes(name))
      throw new KernelError('SERVICE_CIRCLE', `Services wait for each other: ${[...chain, name].join(' -> ')}.`);
    if (entry.scope !== kind) {
      if (parent) return parent.find(name, plugin, chain);
      throw outOfScope(entry, plugin);
    }
    const known = created.get(name) ?? begin(parts, {entry, chain, find, keyOf, disposals, closed});
    created.set(name, known);
    return known.instance;
  };

  return {
    find,
    keyOf,
    // `find` gives what the service's own `create` gave, whose type `Services` states.
    lookup: (name, plugin) => find(name, plugin, []) as Promise<Services[typeof name]>,
    async close() {
      closed = new Error('The session is over.');
      for (const {ending} of created.values()) ending.abort(closed);
      await disposeAll(disposals.splice(0), parts);
      parts.uses.forget([...created.keys()].map(keyOf));
      created.clear();
    },
    async settle(names) {
      await Promise.allSettled([...created].flatMap(([name, {instance}]) => (names.has(name) ? [instance] : [])));
    },
    release(names) {
      for (const name of names) {
        created.get(name)?.ending.abort(new Error(`The service ${name} is created again.`));
        created.delete(name);
      }
      const leaving = disposals.filter(({name}) => names.has(name));
      disposals.splice(0, Infinity, ...disposals.filter((one) => !leaving.includes(one)));
      return () => disposeAll(leaving, parts);
    },
  };
}

function outOfScope({name, scope}: ServiceEntry, plugin: string): KernelError {
  return new KernelError('SERVICE_SCOPE', `${plugin} asked for ${name}, which lives in a ${scope}, outside one.`);
}

interface Creation {
  readonly instance: Promise<unknown>;
  /** Ends what the service does for as long as it lives. */
  readonly ending: AbortController;
}

interface Beginning {
  readonly entry: Owned<ServiceEntry>;
  readonly chain: readonly string[];
  readonly find: Find;
  keyOf(name: string): string;
  readonly disposals: Disposal[];
  /** Why nothing can begin any more. */
  readonly closed: Error | undefined;
}

function begin(parts: ScopeParts, {entry, chain, find, keyOf, disposals, closed}: Beginning): Creation {
  const {name, plugin} = entry;
  const ending = new AbortController();
  if (closed) ending.abort(closed);
  const key = keyOf(name);
  let isCreating = true;
  const service: ServiceContext['service'] = (other) => {
    // A service that asks later asks each time, and so finds the new one.
    parts.uses.note(key, keyOf(other), isCreating);
    return find(other, plugin, [...chain, name]) as Promise<never>;
  };
  const names: ServiceContext['names'] = (family) => namesOf(parts.catalog, family, plugin);
  const context = {...parts.contextOf(entry, key, ending.signal), service, names};
  const own: ServiceLookup = (other, asker) => find(other, asker, [...chain, name]) as Promise<never>;
  const lookup = parts.around?.() ?? own;
  const instance = create({...parts, lookup}, entry, context, disposals).finally(() => (isCreating = false));
  return {instance, ending};
}

interface Disposal {
  readonly name: string;
  dispose(): Promise<void>;
}

async function disposeAll(disposals: readonly Disposal[], {tell}: Pick<ScopeParts, 'tell'>): Promise<void> {
  for (const {dispose} of [...disposals].reverse()) {
    await new Deadline('Disposing a service', DISPOSE_MS, undefined)
      .race(dispose)
      .catch((error: unknown) =>
        tell({code: 'SERVICE_NOT_CLOSED', sentence: `A service failed to shut down: ${messageOf(error)}`}),
      );
  }
}

async function create(
  {load, border, lookup}: ScopeParts & {readonly lookup: ServiceLookup},
  entry: Owned<ServiceEntry>,
  context: ServiceContext,
  disposals: Disposal[],
): Promise<unknown> {
  const {name, plugin} = entry;
  try {
    return await new Deadline(`Creating the service ${name}`, CREATE_MS, context.signal).race(async () => {
      const provided = (await load(entry, 'service', lookup)) as Service<never>;
      const instance: unknown = await provided.create(context);
      const dispose = async (): Promise<void> => provided.dispose?.(instance as never);
      // The scope may have closed meanwhile; then nothing else disposes it.
      if (context.signal.aborted) await dispose();
      else disposals.push({name, dispose});
      return border.service(instance, entry);
    });
  } catch (cause) {
    if (isKernelError(cause) || isToolError(cause)) throw cause;
    throw new KernelError('SERVICE_FAILED', `${plugin} could not start its service ${name}: ${messageOf(cause)}`, {
      cause,
    });
  }
}

/** The services of a family that a plugin requires. */
export function namesOf(catalog: Catalog, family: string, plugin: string): readonly string[] {
  const manifest = catalog.plugins.get(plugin)?.manifest;
  const isOf = (name: string): boolean => name === family || name.startsWith(`${family}:`);
  return [...catalog.services.values()]
    .filter((one) => isOf(one.name) && manifest !== undefined && isRequired(manifest, one))
    .map(({name}) => name);
}

function checkDeclared(catalog: Catalog, name: string, plugin: string): void {
  const manifest = catalog.plugins.get(plugin)?.manifest;
  const version = catalog.services.get(name)?.version ?? '';
  const isOwn = manifest?.services.some((own) => own.name === name) ?? false;
  if (plugin === KERNEL || isOwn || (manifest && isRequired(manifest, {name, version}))) return;
  throw new KernelError('SERVICE_UNDECLARED', `${plugin} uses the service ${name} without requiring it.`, {
    hint: `Add "${name}" to gemini.requires.services in the plugin's package.json.`,
  });
}
