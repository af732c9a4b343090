import {createDispatch, ownsHook, type Dispatch} from './hooks/dispatch.js';
import type {Catalog} from './catalog/catalog.js';
import {changedPlugins, createLiveCatalog} from './catalog/live-catalog.js';
import {createRunning} from './calls/running.js';
import type {Environment} from './contract/environment.js';
import {KernelError} from './contract/error.js';
import type {Subject} from './hooks/filter.js';
import {narrowEnvironment} from './scopes/narrow-environment.js';
import {createLoad, type ImportFile, type Load} from './hooks/load.js';
import {openSession, type Session} from './calls/open-session.js';
import {createScope, servicesOf, type Find, type Scope} from './scopes/scope.js';
import type {SessionTools} from './contract/service.js';
import type {SessionInfo} from './contract/session.js';
import {createTrace, type Trace} from './hooks/trace.js';

export interface Kernel {
  readonly catalog: Catalog;
  readonly environment: Environment;
  readonly trace: Trace;
  readonly load: Load;
  /** Opens a session. Nobody hears of it before it is announced. */
  open(options?: {readonly mode?: string; readonly live?: boolean; readonly interactive?: boolean}): Session;
  /**
   * Goes on with another catalog as soon as no call is running: services of plugins that changed are disposed, and what
   * was created with them. Code that was imported stays in memory.
   */
  replace(next: Catalog): Promise<void>;
  /**
   * For an error that nobody handled: it fails the calls that run now, or is a warning after a call. False where no
   * call can have caused it.
   */
  fail(error: unknown): boolean;
  /** Closes every session, the newest first, then what lives as long as the program. */
  close(): Promise<void>;
}

/** What a service without a session can do with tools. */
function refuse(): Promise<never> {
  return Promise.reject(
    new KernelError(
      'SERVICE_SCOPE',
      'A service that lives as long as the program has no session whose tools it could use.',
    ),
  );
}

type ScopeOf = (
  kind: 'process' | 'session',
  session: SessionInfo,
  parts: {readonly parent?: Find; readonly tools: SessionTools},
) => Scope;

interface ScopesParts {
  readonly catalog: Catalog;
  readonly environment: Environment;
  readonly load: Load;
  readonly dispatch: Dispatch;
  warn(sentence: string): void;
  /** By service: those that were created with it. */
  readonly users: Map<string, Set<string>>;
}

/** Makes the scopes of one kernel, whose services know of each other. */
function createScopes({catalog, environment, load, dispatch, warn, users}: ScopesParts): ScopeOf {
  return (kind, session, {parent, tools}) => {
    const announce =
      (plugin: string, signal: AbortSignal) =>
      async (hook: string, payload: unknown, inner?: () => Promise<unknown>) => {
        if (ownsHook(catalog, hook, plugin))
          return dispatch(hook, payload, {
            session,
            lookup: scope.lookup,
            signal,
            inner,
            subject: Object(payload) as Subject,
          });
        throw new KernelError('HOOK_NOT_OWNED', `${plugin} announced ${hook}, which it does not own.`);
      };
    const contextOf: Parameters<typeof createScope>[0]['contextOf'] = (plugin, signal) => ({
      environment: narrowEnvironment(environment, catalog.plugins.get(plugin)),
      session,
      signal,
      tools,
      dispatch: announce(plugin, signal),
    });
    const scope = createScope({kind, catalog, load, warn, contextOf, users, ...(parent ? {parent} : {})});
    return scope;
  };
}

/** Makes a kernel over a catalog. No plugin code runs yet. */
export function boot(given: Catalog, environment: Environment, importFile?: ImportFile): Kernel {
  const catalog = createLiveCatalog(given);
  const trace = createTrace();
  const warn = (sentence: string): void => environment.warn(sentence);
  const load = createLoad(catalog, importFile);
  const dispatch = createDispatch({catalog, trace, environment, load});
  const users = new Map<string, Set<string>>();
  const scopeOf = createScopes({catalog, environment, load, dispatch, warn, users});
  const program = scopeOf(
    'process',
    {id: 'none', mode: 'default', interactive: environment.interactive, live: false},
    {tools: {call: refuse, offered: refuse}},
  );
  const sessions = new Map<Session, Scope>();
  const running = createRunning(warn);
  let calls = 0;
  return Object.freeze({
    catalog,
    environment,
    trace,
    load,
    fail: (error: unknown) => running.calls.fail(error),
    open({mode = 'default', live = false, interactive = environment.interactive} = {}) {
      let settled = {id: environment.newId(), mode};
      const info: SessionInfo = Object.freeze({
        interactive,
        live,
        get id() {
          return settled.id;
        },
        get mode() {
          return settled.mode;
        },
      });
      const settle = ({id, mode: own}: typeof settled): void => void (settled = {id, mode: own});
      const nextId = (tool: string): string => `${tool}__${info.id.slice(0, 8)}-${(calls += 1)}`;
      const tools: SessionTools = {
        // Nobody but the host answers for a person.
        call: (request, {signal, onProgress} = {}) =>
          session.call(request, {...(signal ? {signal} : {}), ...(onProgress ? {onProgress} : {})}),
        offered: () => session.offered(),
      };
      const scope = scopeOf('session', info, {parent: program.find, tools});
      const session: Session = openSession({
        info,
        settle,
        catalog,
        dispatch,
        load,
        trace,
        nextId,
        warn,
        scope,
        running,
        onClose: () => sessions.delete(session),
      });
      sessions.set(session, scope);
      return session;
    },
    replace: (next: Catalog) =>
      running.whenIdle(async () => {
        const names = servicesOf(changedPlugins(catalog, next), {catalog, users});
        const scopes = [...[...sessions.values()].reverse(), program];
        await Promise.all(scopes.map((scope) => scope.settle(names)));
        // At once, so that nobody who asks meanwhile gets an old one, or makes one.
        catalog.replace(next);
        for (const dispose of scopes.map((scope) => scope.release(names))) await dispose();
      }),
    async close() {
      for (const session of [...sessions.keys()].reverse()) await session.close();
      await program.close();
    },
  });
}
