import type {ServiceLookup} from '../contract/service.js';
import {isRequired, KERNEL, type Catalog} from '../catalog/catalog.js';
import {type Owned} from '../contract/manifest.js';
import {Deadline} from '../hooks/deadline.js';
import {isKernelError, isToolError, KernelError, messageOf} from '../contract/error.js';
import type {Load} from '../hooks/load.js';
import type {ServiceEntry} from '../contract/manifest.js';
import type {Service, ServiceContext} from '../contract/service.js';
import type {Services} from '../contract/registry.js';

const CREATE_MS = 10_000;
const DISPOSE_MS = 5000;

/** The services of one session, or of the whole program. */
export interface Scope {
  readonly lookup: ServiceLookup;
  /** Finds a service on behalf of a chain of services that are being created. */
  readonly find: Find;
  /** Waits until none of these services is being created any more. */
  settle(names: ReadonlySet<string>): Promise<void>;
  /**
   * Lets go of these services at once: who asks for one again gets a new one. What it gives disposes the old ones, the
   * newest first.
   */
  release(names: ReadonlySet<string>): () => Promise<void>;
  /** Disposes what was created, the newest first. */
  close(): Promise<void>;
}

interface ScopeParts {
  readonly kind: 'process' | 'session';
  readonly catalog: Catalog;
  /** Where services of the other lifetime are found: a session's parent is the program. */
  readonly parent?: Find;
  readonly load: Load;
  /** What a service is created with, but its look-up. */
  contextOf(plugin: string, signal: AbortSignal): Omit<ServiceContext, 'service' | 'names'>;
  warn(sentence: string): void;
  /** By service: those that asked for it while they were created; of all scopes of a kernel. */
  readonly users: Map<string, Set<string>>;
}

export type Find = (name: string, plugin: string, chain: readonly string[]) => Promise<unknown>;

/** The services of these plugins, and those that were created with one of them. */
export function servicesOf(
  plugins: ReadonlySet<string>,
  {catalog, users}: Pick<ScopeParts, 'catalog' | 'users'>,
): ReadonlySet<string> {
  const all = new Set([...catalog.services.values()].filter(({plugin}) => plugins.has(plugin)).map(({name}) => name));
  // A set that grows while it is walked is walked to its end.
  for (const name of all) for (const user of users.get(name) ?? []) all.add(user);
  return all;
}

/** Makes a scope; nothing is created before it is asked for. */
export function createScope(parts: ScopeParts): Scope {
  const {catalog, kind} = parts;
  const created = new Map<string, Creation>();
  const disposals: Disposal[] = [];
  let closed: Error | undefined;

  const find: Find = async (name, plugin, chain) => {
    const entry = catalog.services.get(name);
    checkDeclared(catalog, name, plugin);
    if (!entry) {
      throw new KernelError('SERVICE_MISSING', `No installed plugin provides the service ${name}.`, {
        hint: 'Run gemini doctor to see which plugins were left out, and why.',
      });
    }
    if (chain.includes(name))
      throw new KernelError('SERVICE_CIRCLE', `Services wait for each other: ${[...chain, name].join(' -> ')}.`);
    if (entry.scope !== kind) {
      if (parts.parent) return parts.parent(name, plugin, chain);
      throw new KernelError('SERVICE_SCOPE', `${plugin} asked for ${name}, which lives in a session, outside one.`);
    }
    const known = created.get(name) ?? begin(parts, {entry, chain, find, disposals, closed});
    created.set(name, known);
    return known.instance;
  };

  return {
    find,
    // `find` gives what the service's own `create` gave, whose type `Services` states.
    lookup: (name, plugin) => find(name, plugin, []) as Promise<Services[typeof name]>,
    async close() {
      closed = new Error('The session is over.');
      for (const {ending} of created.values()) ending.abort(closed);
      await disposeAll(disposals.splice(0), parts);
      created.clear();
    },
    async settle(names) {
      await Promise.allSettled([...created].flatMap(([name, {instance}]) => (names.has(name) ? [instance] : [])));
    },
    release(names) {
      const leaving = disposals.filter(({name}) => names.has(name));
      disposals.splice(0, Infinity, ...disposals.filter((one) => !leaving.includes(one)));
      for (const name of names) {
        created.get(name)?.ending.abort(new Error(`The service ${name} is made anew.`));
        created.delete(name);
      }
      return () => disposeAll(leaving, parts);
    },
  };
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
  readonly disposals: Disposal[];
  /** Why nothing can begin any more. */
  readonly closed: Error | undefined;
}

function begin(parts: ScopeParts, {entry, chain, find, disposals, closed}: Beginning): Creation {
  const {name, plugin} = entry;
  const {catalog, users} = parts;
  const ending = new AbortController();
  if (closed) ending.abort(closed);
  let isCreated = false;
  const service: ServiceContext['service'] = (other) => {
    // Who asks later asks each time, and so finds the new one.
    if (!isCreated) users.set(other, (users.get(other) ?? new Set()).add(name));
    return find(other, plugin, [...chain, name]) as Promise<never>;
  };
  const names: ServiceContext['names'] = (family) => namesOf(catalog, family, plugin);
  const instance = create(parts, entry, {...parts.contextOf(plugin, ending.signal), service, names}, disposals);
  return {instance: instance.finally(() => (isCreated = true)), ending};
}

interface Disposal {
  readonly name: string;
  dispose(): Promise<void>;
}

async function disposeAll(disposals: readonly Disposal[], {warn}: Pick<ScopeParts, 'warn'>): Promise<void> {
  for (const {dispose} of [...disposals].reverse()) {
    await new Deadline('Disposing a service', DISPOSE_MS, undefined)
      .race(dispose)
      .catch((error: unknown) => warn(`A service did not end well: ${messageOf(error)}`));
  }
}

async function create(
  {load}: ScopeParts,
  entry: Owned<ServiceEntry>,
  context: ServiceContext,
  disposals: Disposal[],
): Promise<unknown> {
  const {name, plugin} = entry;
  try {
    return await new Deadline(`Creating the service ${name}`, CREATE_MS, context.signal).race(async () => {
      const provided = (await load(entry, 'service')) as Service<never>;
      const instance: unknown = await provided.create(context);
      const dispose = async (): Promise<void> => provided.dispose?.(instance as never);
      // The scope may have closed meanwhile; then nobody will come back for it.
      if (context.signal.aborted) await dispose();
      else disposals.push({name, dispose});
      return instance;
    });
  } catch (cause) {
    if (isKernelError(cause) || isToolError(cause)) throw cause;
    const hint = 'Run gemini doctor to see the state of every plugin.';
    throw new KernelError('SERVICE_FAILED', `${plugin} could not start its service ${name}: ${messageOf(cause)}`, {
      cause,
      hint,
    });
  }
}

function namesOf(catalog: Catalog, family: string, plugin: string): readonly string[] {
  const manifest = catalog.plugins.get(plugin)?.manifest;
  return [...catalog.services.values()]
    .filter(
      (one) => (one.name === family || one.name.startsWith(`${family}:`)) && manifest && isRequired(manifest, one),
    )
    .map(({name}) => name);
}

function checkDeclared(catalog: Catalog, name: string, plugin: string): void {
  const manifest = catalog.plugins.get(plugin)?.manifest;
  const version = catalog.services.get(name)?.version ?? '';
  if (
    plugin === KERNEL ||
    (manifest && isRequired(manifest, {name, version})) ||
    manifest?.services.some((own) => own.name === name)
  )
    return;
  throw new KernelError('SERVICE_UNDECLARED', `${plugin} uses the service ${name} without requiring it.`, {
    hint: `Add "${name}" to gemini.requires.services in the plugin's package.json.`,
  });
}
