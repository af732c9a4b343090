import {callTool, describeCall, type CallPath} from './call.js';
import {type CallOptions, type CallRequest, type ToolInfo, type ToolOutcome} from '../contract/call.js';
import {KERNEL, type Catalog} from '../catalog/catalog.js';
import type {Dispatch, DispatchOptions} from '../hooks/dispatch.js';
import {attestGuards, requireProven, type GuardReport} from './guards.js';
import type {Load} from '../hooks/load.js';
import type {RuntimeTool, SessionStart} from '../contract/moments/index.js';
import type {Running} from './running.js';
import type {Scope} from '../scopes/scope.js';
import type {ServiceName, Services} from '../contract/registry.js';
import type {SessionInfo} from '../contract/session.js';
import type {ToolCall} from '../contract/tool.js';
import type {Trace} from '../hooks/trace.js';

/** What a host or a command holds of one conversation. */
export interface Session {
  readonly info: SessionInfo;
  /** For hosts and commands, which act for the plugin `as`. */
  service<N extends ServiceName>(name: N, as?: string): Promise<Services[N]>;
  call(request: CallRequest, options?: CallOptions): Promise<ToolOutcome>;
  /** The call that a request would become. Nothing is judged or run. */
  describe(request: CallRequest): Promise<ToolCall>;
  /** Every tool there is now, by name. */
  tools(): Promise<readonly ToolInfo[]>;
  /** The tools that a model is given: all but those that listeners of `tools:offer` leave out. */
  offered(): Promise<readonly ToolInfo[]>;
  /** Whether the guards of `tool:judge` refuse what they must. */
  guards(): Promise<readonly GuardReport[]>;
  /**
   * Begins the session and tells listeners of `session:open`; warns of guards that are down. A single command has no
   * need of it.
   */
  announce(): Promise<void>;
  /** Tells listeners of `session:close` if they heard of the opening, then disposes the session's services. */
  close(): Promise<void>;
}

interface Parts {
  readonly info: SessionInfo;
  /** Fixes what `session:begin` settled. */
  settle(start: Pick<SessionStart, 'id' | 'mode'>): void;
  readonly catalog: Catalog;
  readonly dispatch: Dispatch;
  readonly load: Load;
  readonly scope: Scope;
  readonly trace: Trace;
  nextId(tool: string): string;
  readonly running: Running;
  warn(sentence: string): void;
  onClose(): void;
}

/** Opens a session over a scope of its own. */
export function openSession({
  info,
  settle,
  catalog,
  dispatch,
  load,
  scope,
  trace,
  nextId,
  running,
  warn,
  onClose,
}: Parts): Session {
  const options: DispatchOptions = {session: info, lookup: scope.lookup};
  const collect: CallPath['collect'] = async (signal) =>
    (await dispatch('tools:collect', {}, {...options, signal})) as readonly RuntimeTool[];
  const guards = (): Promise<readonly GuardReport[]> => attestGuards({catalog, trace, load}, options);
  let beginning: Promise<void> | undefined;
  const begin = (): Promise<void> =>
    (beginning ??= dispatch(
      'session:begin',
      {value: {id: info.id, mode: info.mode, requireGuards: false}},
      options,
    ).then(async (start) => {
      settle(start as SessionStart);
      if ((start as SessionStart).requireGuards) requireProven(await guards());
    }));
  const path: CallPath = {
    catalog,
    dispatch,
    load,
    trace,
    collect,
    nextId,
    begin,
    session: info,
    lookup: scope.lookup,
    running: running.calls,
    inOrder: createQueue(),
  };
  const tools = async (): Promise<readonly ToolInfo[]> => listTools(catalog, await collect(undefined));
  let announced = false;
  let closed = false;
  return {
    info,
    service: (name, as = KERNEL) => scope.lookup(name, as),
    call: (request, given = {}) => running.during(() => callTool(path, request, given)),
    describe: (request) => describeCall(path, request),
    tools,
    guards,
    async offered() {
      await begin();
      const all = await tools();
      const kept = (await dispatch(
        'tools:offer',
        {tools: all, value: all.map(({name}) => name)},
        options,
      )) as readonly string[];
      return all.filter(({name}) => kept.includes(name));
    },
    async announce() {
      await begin();
      for (const {plugin, state, reason} of await guards())
        if (state === 'down') warn(`${plugin} does not guard tool calls: ${reason}`);
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
