import {isKernelError, isToolError} from '@gemini-kernel/kernel';
import type {Session} from '@gemini-kernel/kernel/host';
import type {Server, ServerContext} from '#sdk';
import {agentTools} from '../agent/describe-agent-tools.js';
import {Threads} from '../agent/threads.js';
import {createAsk, learnFacts} from './client-link.js';
import {ClientSession} from './client-session.js';
import {describeTool} from './describe-tool.js';
import {listFiles, readFileResource} from './files.js';
import {callOwnTool, type ClientCall} from './own-call.js';
import {PausedCalls} from './paused-calls.js';
import type {Sdk, Setup} from './setup.js';
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
  const server = new sdk.Server(
    {name: 'gemini', version},
    {capabilities: {tools: {}, ...(hasTools ? {resources: {}} : {})}},
  );
  const client = new ClientSession(setup);
  const use = <T>(context: ServerContext, act: (session: Session) => Promise<T>): Promise<T> =>
    guarded(sdk, () => client.use(() => learnFacts(server, context, setup), act));
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
  if (hasTools) addResources(server, use);
  server.setNotificationHandler('notifications/roots/list_changed', () => client.renew());
  return {server, close: () => client.close(), end: () => client.end()};
}

function addResources(
  server: Server,
  use: <T>(context: ServerContext, act: (session: Session) => Promise<T>) => Promise<T>,
): void {
  server.setRequestHandler('resources/list', (_, context) =>
    use(context, async (session) => ({resources: [...(await listFiles(session))]})),
  );
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [{name: 'file', uriTemplate: 'file://{+path}', description: 'A file of the workspace.'}],
  }));
  server.setRequestHandler('resources/read', ({params: {uri}}, context) =>
    use(context, async (session) => ({
      contents: [
        await readFileResource(uri, (path) =>
          session.call({tool: 'read_file', input: {file_path: path}}, {signal: context.mcpReq.signal}),
        ),
      ],
    })),
  );
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
