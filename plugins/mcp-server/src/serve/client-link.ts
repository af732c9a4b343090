import type {Server, ServerContext} from '#sdk';
import type {ClientCapabilities, ClientRequest} from '../contract.js';
import type {ClientFacts} from './client-session.js';
import {readRoots} from './client-roots.js';
import {canAsk, type Answers, type Reach} from './reach.js';
import type {Setup} from './setup.js';

/** Where a request of the stateless protocol names them. */
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const ROOTS_MS = 5000;
/** As long as a timer can be: a person may take any time, and the call's signal ends the wait. */
const LONGEST_MS = 2 ** 31 - 1;

/** What a request of the stateless protocol says of its client. */
function declaredWith({mcpReq}: ServerContext): ClientCapabilities | undefined {
  const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
  // The SDK has checked its form.
  return envelope[CAPABILITIES] as ClientCapabilities | undefined;
}

/** What a client declares: once for a connection, or with each request in the stateless protocol. */
export function capabilitiesOf(server: Server, context: ServerContext): ClientCapabilities {
  return declaredWith(context) ?? (server.getClientCapabilities() as ClientCapabilities | undefined) ?? {};
}

/** Reaches the client by requests to it, while its own request is under way. */
export function createReach(server: Server, context: ServerContext): Reach {
  return {
    capabilities: capabilitiesOf(server, context),
    async send(requests, signal) {
      const answers = Object.entries(requests).map(
        async ([name, request]) => [name, await sendOne(context, request, signal)] as const,
      );
      return Object.fromEntries(await Promise.all(answers));
    },
  };
}

async function sendOne({mcpReq}: ServerContext, request: ClientRequest, signal: AbortSignal): Promise<Answers[string]> {
  const options = {signal, timeout: LONGEST_MS};
  if (request.method === 'roots/list') return mcpReq.send({method: 'roots/list'}, options);
  // What a tool asks is what the client gets; the SDK has checked nothing of it yet.
  const params = request.params as never;
  if (request.method === 'elicitation/create') return mcpReq.elicitInput(params, options);
  return mcpReq.send({method: request.method, params}, options);
}

/** Learns from a client what its session needs. A client that does not say its roots has none. */
export async function learnFacts(server: Server, context: ServerContext, setup: Setup): Promise<ClientFacts> {
  const capabilities = capabilitiesOf(server, context);
  const facts = {canAsk: canAsk(capabilities), roots: []};
  // The stateless protocol has no requests to clients.
  if (declaredWith(context) || !capabilities.roots) return facts;
  try {
    const {roots} = await context.mcpReq.send({method: 'roots/list'}, {timeout: ROOTS_MS});
    return {
      ...facts,
      roots: await readRoots(
        roots.map(({uri}) => uri),
        setup,
      ),
    };
  } catch {
    setup.log('A client did not say its roots.');
    return facts;
  }
}
