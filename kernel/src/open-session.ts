import {callTool, type CallOptions, type CallPath, type CallRequest, type ToolInfo, type ToolOutcome} from './call.js';
import {KERNEL, type Catalog} from './catalog.js';
import type {Dispatch, DispatchOptions} from './dispatch.js';
import type {Load} from './load.js';
import type {RuntimeTool} from './moments/index.js';
import type {Scope} from './scope.js';
import type {ServiceName, Services} from './service.js';
import type {SessionInfo} from './session.js';

/** What a host or a command holds of one conversation. */
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

interface Parts {
  readonly info: SessionInfo;
  readonly catalog: Catalog;
  readonly dispatch: Dispatch;
  readonly load: Load;
  readonly scope: Scope;
  nextId(tool: string): string;
  onClose(): void;
}

/** Opens a session over a scope of its own. */
export function openSession({info, catalog, dispatch, load, scope, nextId, onClose}: Parts): Session {
  const options: DispatchOptions = {session: info, lookup: scope.lookup};
  const collect: CallPath['collect'] = async (signal) => (await dispatch('tools:collect', {}, {...options, signal})) as readonly RuntimeTool[];
  const path: CallPath = {catalog, dispatch, load, collect, nextId, session: info, lookup: scope.lookup, inOrder: createQueue()};
  let announced = false;
  let closed = false;
  return {
    info,
    service: (name, as = KERNEL) => scope.lookup(name, as),
    call: (request, given = {}) => callTool(path, request, given),
    tools: async () => listTools(catalog, await collect(undefined)),
    async announce() {
      announced = true;
      await dispatch('session:open', info, options);
    },
    async close() {
      if (closed) return;
      closed = true;
      onClose();
      if (announced) await dispatch('session:close', info, options);
      await scope.close();
    },
  };
}

function createQueue(): CallPath['inOrder'] {
  let last: Promise<unknown> = Promise.resolve();
  return (act) => {
    const turn = last.then(act);
    last = turn.catch(() => undefined);
    return turn;
  };
}

function listTools(catalog: Catalog, collected: readonly RuntimeTool[]): readonly ToolInfo[] {
  const own = [...catalog.tools.values()].map(({module: _, ...info}) => info);
  const later = collected
    .filter(({name}) => !catalog.tools.has(name))
    .map(({run: _, annotations = {}, ...info}) => ({...info, annotations, plugin: 'tools:collect'}));
  return [...own, ...later].sort((a, b) => (a.name < b.name ? -1 : 1));
}
