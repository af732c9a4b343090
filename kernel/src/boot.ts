import {createDispatch, ownsHook} from './dispatch.js';
import type {Catalog} from './catalog.js';
import type {Environment} from './environment.js';
import {KernelError} from './error.js';
import type {Subject} from './filter.js';
import {createLoad, type ImportFile, type Load} from './load.js';
import {openSession, type Session} from './open-session.js';
import {createScope, type Find, type Scope} from './scope.js';
import type {SessionTools} from './service.js';
import type {SessionInfo} from './session.js';
import {createTrace, type Trace} from './trace.js';

export interface Kernel {
  readonly catalog: Catalog;
  readonly environment: Environment;
  readonly trace: Trace;
  readonly load: Load;
  /** Opens a session. Nobody hears of it before it is announced. */
  open(options?: {readonly mode?: string; readonly live?: boolean; readonly interactive?: boolean}): Session;
  /** Closes every session, the newest first, then what lives as long as the program. */
  close(): Promise<void>;
}

/** What a service without a session can do with tools. */
function refuse(): Promise<never> {
  return Promise.reject(new KernelError('SERVICE_SCOPE', 'A service that lives as long as the program has no session whose tools it could use.'));
}

/** Makes a kernel over a catalog. No plugin code runs yet. */
export function boot(catalog: Catalog, environment: Environment, importFile?: ImportFile): Kernel {
  const trace = createTrace();
  const warn = (sentence: string): void => environment.warn(sentence);
  const load = createLoad(catalog, importFile);
  const dispatch = createDispatch({catalog, trace, warn, load});
  const scopeOf = (kind: 'process' | 'session', session: SessionInfo, {parent, tools}: {parent?: Find; tools: SessionTools}): Scope => {
    const announce = (plugin: string, signal: AbortSignal) => async (hook: string, payload: unknown, inner?: () => Promise<unknown>) => {
      if (ownsHook(catalog, hook, plugin)) return dispatch(hook, payload, {session, lookup: scope.lookup, signal, inner, subject: Object(payload) as Subject});
      throw new KernelError('HOOK_NOT_OWNED', `${plugin} announced ${hook}, which it does not own.`);
    };
    const contextOf: Parameters<typeof createScope>[0]['contextOf'] = (plugin, signal) => ({environment, session, signal, tools, dispatch: announce(plugin, signal)});
    const scope = createScope({kind, catalog, load, warn, contextOf, ...(parent ? {parent} : {})});
    return scope;
  };
  const program = scopeOf('process', {id: 'none', mode: 'default', interactive: environment.interactive, live: false}, {tools: {call: refuse, offered: refuse}});
  const sessions = new Set<Session>();
  let calls = 0;
  return Object.freeze({
    catalog, environment, trace, load,
    open({mode = 'default', live = false, interactive = environment.interactive} = {}) {
      let settled = {id: environment.newId(), mode};
      const info: SessionInfo = Object.freeze({
        interactive, live,
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
        call: (request, {signal, onProgress} = {}) => session.call(request, {...(signal ? {signal} : {}), ...(onProgress ? {onProgress} : {})}),
        offered: () => session.offered(),
      };
      const scope = scopeOf('session', info, {parent: program.find, tools});
      const session: Session = openSession({info, settle, catalog, dispatch, load, trace, nextId, warn, scope, onClose: () => sessions.delete(session)});
      sessions.add(session);
      return session;
    },
    async close() {
      for (const session of [...sessions].reverse()) await session.close();
      await program.close();
    },
  });
}
