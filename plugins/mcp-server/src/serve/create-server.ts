import {isKernelError, isToolError} from '@gemini-kernel/kernel';
import type {Session} from '@gemini-kernel/kernel/host';
import type {Server} from '#sdk';
import {agentTools} from '../agent/describe-agent-tools.js';
import {Threads} from '../agent/threads.js';
import {addPrompts} from './add-prompts.js';
import {addResources} from './add-resources.js';
import {addSubscriptions} from './add-subscriptions.js';
import {createAsk, learnFacts} from './client-link.js';
import {ClientSession} from './client-session.js';
import {describeTool} from './describe-tool.js';
import {callOwnTool, type ClientCall} from './own-call.js';
import {PausedCalls} from './paused-calls.js';
import type {Sdk, Setup} from './setup.js';
import {findSources} from './sources.js';
import {tellLists} from './tell-lists.js';
import type {Use} from './use.js';
import {failWith} from './show-outcome.js';

/** What belongs to one client, or to all clients of the stateless protocol at one address. */
export interface ClientParts {
  readonly threads: Threads;
  readonly paused: PausedCalls;
}

export function createClientParts({sdk}: Setup): ClientParts {
  return {threads: new Threads(), paused: new PausedCalls(sdk)};
}

interface ServedClient {
  readonly server: Server;
  close(): Promise<void>;
  /** Closes it when its last call has ended. */
  end(): Promise<void>;
}

/** The MCP server for one client. `isStateless`: each request comes with all that is known of the client. */
export function createServer(setup: Setup, parts: ClientParts, isStateless: boolean): ServedClient {
  const {sdk, version, face} = setup;
  const hasTools = face !== 'agent';
  const sources = findSources(setup.kernel);
  const hasPrompts = hasTools && sources.hasPrompts;
  // The stateless protocol has no way to tell a client at any time.
  const lists = isStateless ? {} : {listChanged: true};
  const capabilities = {
    tools: lists,
    logging: {},
    ...(hasTools ? {resources: isStateless ? {} : {subscribe: true, ...lists}} : {}),
    ...(hasPrompts ? {prompts: lists, completions: {}} : {}),
  };
  const server = new sdk.Server({name: 'gemini', version}, {capabilities});
  const client = new ClientSession(setup, (source) => {
    // A client that has gone needs no notices.
    if (!isStateless) tellLists(server, source, {resources: hasTools, prompts: hasPrompts}).catch(() => undefined);
  });
  const use: Use = (context, act) => guarded(sdk, () => client.use(() => learnFacts(server, context, setup), act));
  const call = (one: ClientCall) => use(one.context, (session) => callTool(session, one));
  const callTool = async (session: Session, one: ClientCall) => {
    if (face !== 'tools' && agentTools.some(({name}) => name === one.name)) return parts.threads.call(session, one);
    const newId = (): string => setup.kernel.environment.newId();
    const result = hasTools ? await callOwnTool({session, person: client.person, newId}, one) : undefined;
    return result ?? failWith(`There is no tool ${JSON.stringify(one.name)}.`);
  };
  server.setRequestHandler('tools/list', (_, context) =>
    use(context, async (session) => ({
      tools: [
        ...(hasTools ? (await session.offered()).map(describeTool) : []),
        ...(face === 'tools' ? [] : agentTools),
      ],
    })),
  );
  server.setRequestHandler('tools/call', ({params: {name, arguments: input = {}}}, context) =>
    isStateless
      ? parts.paused.run((ask, signal) => call({name, input, ask, signal, context}), context)
      : call({name, input, ask: createAsk(server, context), signal: context.mcpReq.signal, context}),
  );
  if (hasTools) addResources(server, use, sources);
  const subscriptions = hasTools && !isStateless ? addSubscriptions({server, client, use, sources}) : undefined;
  if (hasPrompts) addPrompts(server, use, sources);
  server.setNotificationHandler('notifications/roots/list_changed', () => client.renew());
  const close = async (): Promise<void> => {
    subscriptions?.close();
    await client.close();
  };
  return {server, close, end: () => client.end()};
}

/** Errors for people reach the client as a sentence. */
async function guarded<T>({ProtocolError, ProtocolErrorCode}: Sdk, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!isKernelError(error) && !isToolError(error)) throw error;
    const {code, message, hint} = error;
    throw new ProtocolError(ProtocolErrorCode.InternalError, [`${code}: ${message}`, hint ?? ''].join(' ').trim());
  }
}
