import {pathToFileURL} from 'node:url';
import {brandOf, type Brand} from './brand.js';
import {callTool, type CallOptions, type CallPath, type CallRequest, type ToolInfo, type ToolOutcome} from './call.js';
import {KERNEL, type Catalog} from './catalog.js';
import {createDispatch, ownsHook, type DispatchOptions} from './dispatch.js';
import type {Environment} from './environment.js';
import {KernelError, messageOf} from './error.js';
import type {RuntimeTool} from './moments/index.js';
import {createScope, type Find, type Scope} from './scope.js';
import type {ServiceName, Services} from './service.js';
import type {SessionInfo} from './session.js';
import {createTrace, type Trace} from './trace.js';

const LOAD_MS = 10_000;

export interface Session {
  readonly info: SessionInfo;
  /** For hosts and commands, which act for the plugin `as`. */
  service<N extends ServiceName>(name: N, as?: string): Promise<Services[N]>;
  call(request: CallRequest, options?: CallOptions): Promise<ToolOutcome>;
  /** Every tool there is now, by name. */
  tools(): Promise<readonly ToolInfo[]>;
  /** Tells listeners of `session:open`. A single command has no need of it. */
  announce(): Promise<void>;
  /** Tells listeners of `session:close` if they heard of the opening, then disposes the session's services. */
  close(): Promise<void>;
}

export interface Kernel {
  readonly catalog: Catalog;
  readonly environment: Environment;
  readonly trace: Trace;
  /** Opens a session. Nobody hears of it before it is announced. */
  open(options?: {readonly mode?: string; readonly live?: boolean}): Session;
  /** Imports one contribution and checks that it is what the manifest says. */
  load(entry: {readonly plugin: string; readonly module: string}, kind: Brand): Promise<unknown>;
  close(): Promise<void>;
}

/** Makes a kernel over a catalog. No plugin code runs yet. */
export function boot(catalog: Catalog, environment: Environment): Kernel {
  const trace = createTrace();
  const warn = (sentence: string): void => environment.warn(sentence);
  const load = createLoad(catalog);
  const dispatch = createDispatch({catalog, trace, warn, load});
  const outside: SessionInfo = {id: 'none', mode: 'default', interactive: environment.interactive, live: false};
  const scopeOf = (kind: 'process' | 'session', session: SessionInfo, parent?: Find): Scope => {
    const scope: Scope = createScope({
      kind, catalog, load, warn,
      ...(parent ? {parent} : {}),
      contextOf: (plugin, signal) => ({
        environment, session, signal,
        dispatch: async (hook, payload) => {
          if (ownsHook(catalog, hook, plugin)) return dispatch(hook, payload, {session, lookup: scope.lookup, signal});
          throw new KernelError('HOOK_NOT_OWNED', `${plugin} announced ${hook}, which it does not own.`);
        },
      }),
    });
    return scope;
  };
  const program = scopeOf('process', outside);
  const sessions = new Set<Session>();
  let calls = 0;

  const open: Kernel['open'] = ({mode = 'default', live = false} = {}) => {
    const info: SessionInfo = {id: environment.newId(), mode, interactive: environment.interactive, live};
    const scope = scopeOf('session', info, program.find);
    const options: DispatchOptions = {session: info, lookup: scope.lookup};
    const path: CallPath = {
      catalog, dispatch, load,
      session: info,
      lookup: scope.lookup,
      collect: async (signal) => (await dispatch('tools:collect', {}, {...options, signal})) as readonly RuntimeTool[],
      nextId: (tool) => `${tool}__${info.id.slice(0, 8)}-${(calls += 1)}`,
      inOrder: createQueue(),
    };
    let announced = false;
    const session: Session = {
      info,
      service: (name, as = KERNEL) => scope.lookup(name, as),
      call: (request, given = {}) => callTool(path, request, given),
      tools: async () => listTools(catalog, await path.collect(undefined)),
      async announce() {
        announced = true;
        await dispatch('session:open', info, options);
      },
      async close() {
        if (!sessions.delete(session)) return;
        if (announced) await dispatch('session:close', info, options);
        await scope.close();
      },
    };
    sessions.add(session);
    return session;
  };

  return Object.freeze({
    catalog, environment, trace, open, load,
    async close() {
      for (const session of [...sessions].reverse()) await session.close();
      await program.close();
    },
  });
}

function createLoad(catalog: Catalog): Kernel['load'] {
  const loaded = new Map<string, Promise<unknown>>();
  return (entry, kind) => {
    const file = catalog.fileOf(entry);
    const known = loaded.get(file) ?? importDefault(file, entry.plugin, kind);
    loaded.set(file, known);
    return known;
  };
}

async function importDefault(file: string, plugin: string, kind: Brand): Promise<unknown> {
  const hint = `Update, rebuild or uninstall ${plugin}. Run gemini doctor to see every plugin.`;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`It was not ready after ${LOAD_MS} ms.`)), LOAD_MS);
  });
  try {
    const module = (await Promise.race([import(pathToFileURL(file).href), late])) as {readonly default?: unknown};
    if (brandOf(module.default) !== kind) throw new Error(`Its default export is not a ${kind}.`);
    return module.default;
  } catch (cause) {
    throw new KernelError('PLUGIN_BROKEN', `${plugin} is broken: cannot load ${file}: ${messageOf(cause)}`, {cause, hint});
  } finally {
    clearTimeout(timer);
  }
}

function createQueue(): <T>(act: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (act) => {
    const turn = last.then(act, act);
    last = turn.catch(() => undefined);
    return turn;
  };
}

function listTools(catalog: Catalog, collected: readonly RuntimeTool[]): readonly ToolInfo[] {
  const own = [...catalog.tools.values()].map(({module: _, ...info}) => info);
  const later = collected.filter(({name}) => !catalog.tools.has(name)).map(({run: _, annotations = {}, ...info}) => ({...info, annotations, plugin: 'tools:collect'}));
  return [...own, ...later].sort((a, b) => (a.name < b.name ? -1 : 1));
}
