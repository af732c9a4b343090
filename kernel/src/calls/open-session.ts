import {KERNEL} from '../catalog/catalog-plugin.js';
import type {CallOptions, CallRequest, ToolInfo, ToolOutcome} from '../contract/call.js';
import type {SessionStart} from '../contract/moments/session-begin.js';
import type {SessionInfo} from '../contract/session.js';
import type {Core} from '../hooks/core.js';
import type {Dispatch, Stage} from '../hooks/dispatch.js';
import type {AskingSession} from '../scopes/narrow-session.js';
import type {Scope} from '../scopes/scope.js';
import type {WriteOrder} from '../scopes/write-order.js';
import {askPerson, type Answer} from './ask-person.js';
import {callTool, describeCall} from './call.js';
import type {Caller, CallPath} from './call-path.js';
import type {GuardReport, Session} from '../contract/session-handle.js';
import {attestGuards, requireProven} from './guards.js';
import {listTools} from './list-tools.js';
import type {Running} from './running.js';
import type {Sources} from './sources.js';

/** A session as the kernel holds it: calls come with who makes them. */
export interface HeldSession extends AskingSession {
  callFor(request: CallRequest, options: CallOptions, caller: Caller): Promise<ToolOutcome>;
}

export interface SessionParts extends Core {
  readonly stage: Stage;
  /** Where the person is who answers for the session. */
  readonly person: Stage;
  readonly parent: SessionInfo | undefined;
  /** Fixes what `session:begin` and `session:mode` settled. */
  settle(start: Partial<Pick<SessionStart, 'id' | 'mode'>>): void;
  readonly dispatch: Dispatch;
  readonly scope: Scope;
  readonly order: WriteOrder;
  readonly sources: Sources;
  readonly answer: Answer;
  nextId(tool: string): string;
  readonly running: Running;
  /** The sessions that this one opened. */
  children(): readonly Session[];
  /** Before the services of the session end. */
  onClosing(): Promise<void>;
  onClosed(): Promise<void>;
}

/** Opens a session over a scope of its own. */
export function openSession(parts: SessionParts): HeldSession {
  const {stage, dispatch, scope, running, sources} = parts;
  const {session: info} = stage;
  const guards = (): Promise<readonly GuardReport[]> => attestGuards(parts, stage);
  const begin = onlyOnce(async () => {
    const {requireGuards} = await settleStart(parts);
    if (requireGuards) requireProven(await guards());
  });
  const path: CallPath = {
    ...parts,
    keyOf: scope.keyOf,
    running: running.calls,
    begin,
    listing: (signal) => sources.list({...stage, keyOf: scope.keyOf}, signal),
    call: (request, options, caller) => session.callFor(request, options, caller),
    offered: async () => offer(await tools(), parts),
  };
  const tools = async (): Promise<readonly ToolInfo[]> => listTools(parts.catalog, await path.listing(undefined));
  let announced = false;
  const session: HeldSession = {
    info,
    service: (name, as = KERNEL) => scope.lookup(name, as),
    callFor: (request, options, caller) => running.during(() => callTool(path, request, options, caller)),
    call: (request, options = {}) => session.callFor(request, options, {services: []}),
    describe: (request) => describeCall(path, request),
    ...{tools, guards},
    ask: (form, {signal} = {}) => session.askFor({...form, source: KERNEL, isOurs: true}, signal),
    askFor: (form, signal) => askPerson({...parts, stage: parts.person}, form, signal),
    offered: () => begin().then(path.offered),
    leftOut: () => begin().then(async () => findLeftOut(await tools(), parts)),
    async setMode(mode) {
      await begin();
      parts.settle({mode: await dispatch('session:mode', {value: mode, from: info.mode}, stage)});
    },
    async announce() {
      await begin();
      warnOfGuards(await guards(), stage);
      announced = true;
      await dispatch('session:open', info, stage);
    },
    close: onlyOnce(async () => {
      for (const child of parts.children()) await child.close();
      if (announced) await dispatch('session:close', info, stage);
      await parts.onClosing();
      await scope.close();
      await parts.onClosed();
    }),
  };
  return session;
}

/** The tools that listeners of `tools:offer` leave in; names that they add do not count. */
async function offer(
  tools: readonly ToolInfo[],
  {dispatch, stage}: Pick<SessionParts, 'dispatch' | 'stage'>,
  callId?: string,
): Promise<readonly ToolInfo[]> {
  const options = callId === undefined ? stage : {...stage, callId};
  const kept = new Set(await dispatch('tools:offer', {tools, value: tools.map(({name}) => name)}, options));
  return tools.filter(({name}) => kept.has(name));
}

async function findLeftOut(tools: readonly ToolInfo[], parts: SessionParts): ReturnType<Session['leftOut']> {
  const callId = parts.nextId('offer');
  await offer(tools, parts, callId);
  const kept = parts.trace.of(callId).filter(({answer}) => Array.isArray(answer));
  return tools.flatMap(({name}) => {
    const first = kept.find(({answer}) => !(answer as readonly string[]).includes(name));
    return first ? [{tool: name, plugin: first.plugin}] : [];
  });
}

function warnOfGuards(reports: readonly GuardReport[], {tell}: Stage): void {
  for (const {plugin, state, reason} of reports)
    if (state === 'down') tell({code: 'GUARD_DOWN', sentence: `${plugin} does not guard tool calls: ${reason}`});
}

/** Lets listeners of `session:begin` settle how the session starts. */
async function settleStart({stage, dispatch, settle, parent}: SessionParts): Promise<SessionStart> {
  const {id, mode} = stage.session;
  const above = parent ? {parent: {id: parent.id, mode: parent.mode}} : {};
  const start = await dispatch('session:begin', {value: {id, mode, requireGuards: false, ...above}}, stage);
  settle(start);
  return start;
}

function onlyOnce(act: () => Promise<void>): () => Promise<void> {
  let acting: Promise<void> | undefined;
  return () => (acting ??= act());
}
