import {isRequired, KERNEL, type Catalog, type Owned} from './catalog.js';
import {Deadline} from './deadline.js';
import {isKernelError, isToolError, KernelError, messageOf} from './error.js';
import type {Load} from './load.js';
import type {ServiceEntry} from './manifest.js';
import type {Service, ServiceContext, ServiceName, Services} from './service.js';

const CREATE_MS = 10_000;
const DISPOSE_MS = 5000;

/** Finds a service for a plugin; for the kernel itself every service is open. */
export type ServiceLookup = <N extends ServiceName>(name: N, plugin: string) => Promise<Services[N]>;

/** The services of one session, or of the whole program. */
export interface Scope {
  readonly lookup: ServiceLookup;
  /** Finds a service on behalf of a chain of services that are being created. */
  readonly find: Find;
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
}

export type Find = (name: string, plugin: string, chain: readonly string[]) => Promise<unknown>;

/** Makes a scope; nothing is created before it is asked for. */
export function createScope(parts: ScopeParts): Scope {
  const {catalog, kind} = parts;
  const created = new Map<string, Promise<unknown>>();
  const disposals: (() => Promise<void>)[] = [];
  const closing = new AbortController();

  const find: Find = async (name, plugin, chain) => {
    const entry = catalog.services.get(name);
    checkDeclared(catalog, name, plugin);
    if (!entry) {
      throw new KernelError('SERVICE_MISSING', `No installed plugin provides the service ${name}.`, {hint: 'Run gemini doctor to see which plugins were left out, and why.'});
    }
    if (chain.includes(name)) throw new KernelError('SERVICE_CIRCLE', `Services wait for each other: ${[...chain, name].join(' -> ')}.`);
    if (entry.scope !== kind) {
      if (parts.parent) return parts.parent(name, plugin, chain);
      throw new KernelError('SERVICE_SCOPE', `${plugin} asked for ${name}, which lives in a session, outside one.`);
    }
    const service: ServiceContext['service'] = (other) => find(other, entry.plugin, [...chain, name]) as Promise<never>;
    const names: ServiceContext['names'] = (family) => namesOf(catalog, family, entry.plugin);
    const known = created.get(name) ?? create(parts, entry, {...parts.contextOf(entry.plugin, closing.signal), service, names}, disposals);
    created.set(name, known);
    return known;
  };

  return {
    find,
    // `find` gives what the service's own `create` gave, whose type `Services` states.
    lookup: (name, plugin) => find(name, plugin, []) as Promise<Services[typeof name]>,
    async close() {
      closing.abort(new Error('The session is over.'));
      for (const dispose of disposals.splice(0).reverse()) {
        await new Deadline('Disposing a service', DISPOSE_MS, undefined).race(dispose).catch((error: unknown) => parts.warn(`A service did not end well: ${messageOf(error)}`));
      }
      created.clear();
    },
  };
}

async function create({load}: ScopeParts, entry: Owned<ServiceEntry>, context: ServiceContext, disposals: (() => Promise<void>)[]): Promise<unknown> {
  const {name, plugin} = entry;
  try {
    return await new Deadline(`Creating the service ${name}`, CREATE_MS, context.signal).race(async () => {
      const provided = (await load(entry, 'service')) as Service<never>;
      const instance: unknown = await provided.create(context);
      const dispose = async (): Promise<void> => provided.dispose?.(instance as never);
      // The scope may have closed meanwhile; then nobody will come back for it.
      if (context.signal.aborted) await dispose();
      else disposals.push(dispose);
      return instance;
    });
  } catch (cause) {
    if (isKernelError(cause) || isToolError(cause)) throw cause;
    const hint = 'Run gemini doctor to see the state of every plugin.';
    throw new KernelError('SERVICE_FAILED', `${plugin} could not start its service ${name}: ${messageOf(cause)}`, {cause, hint});
  }
}

function namesOf(catalog: Catalog, family: string, plugin: string): readonly string[] {
  const manifest = catalog.plugins.get(plugin)?.manifest;
  return [...catalog.services.values()].filter((one) => (one.name === family || one.name.startsWith(`${family}:`)) && manifest && isRequired(manifest, one)).map(({name}) => name);
}

function checkDeclared(catalog: Catalog, name: string, plugin: string): void {
  const manifest = catalog.plugins.get(plugin)?.manifest;
  const version = catalog.services.get(name)?.version ?? '';
  if (plugin === KERNEL || (manifest && isRequired(manifest, {name, version})) || manifest?.services.some((own) => own.name === name)) return;
  throw new KernelError('SERVICE_UNDECLARED', `${plugin} uses the service ${name} without requiring it.`, {hint: `Add "${name}" to gemini.requires.services in the plugin's package.json.`});
}
