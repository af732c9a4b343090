import type {Server, ServerContext} from '#sdk';
import type {ClientFacts} from './client-session.js';
import {readRoots} from './client-roots.js';
import type {Ask} from './live-person.js';
import type {Setup} from './setup.js';

/** Where a request of the stateless protocol names them. */
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const ROOTS_MS = 5000;
/** As long as a timer can be: a person may take any time, and the call's signal ends the wait. */
const LONGEST_MS = 2 ** 31 - 1;

interface Capabilities {
  readonly elicitation?: Readonly<Record<string, unknown>> | undefined;
  readonly roots?: unknown;
}

/** What a request of the stateless protocol says of its client. */
function declaredWith({mcpReq}: ServerContext): Capabilities | undefined {
  const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
  // The SDK has checked its form.
  return envelope[CAPABILITIES] as Capabilities | undefined;
}

/** What a client declares: once for a connection, or with each request in the stateless protocol. */
function capabilitiesOf(server: Server, context: ServerContext): Capabilities {
  return declaredWith(context) ?? server.getClientCapabilities() ?? {};
}

/** Whether the person of the client can be asked. */
export function canAsk(server: Server, context: ServerContext): boolean {
  const {elicitation} = capabilitiesOf(server, context);
  return elicitation !== undefined && ('form' in elicitation || !('url' in elicitation));
}

/** Asks by a request to the client, while its own request is under way. */
export function createAsk(server: Server, context: ServerContext): Ask {
  if (!canAsk(server, context)) return undefined;
  return async (request, signal) => context.mcpReq.elicitInput(request, {signal, timeout: LONGEST_MS});
}

/** Learns from a client what its session needs. A client that does not say its roots has none. */
export async function learnFacts(server: Server, context: ServerContext, setup: Setup): Promise<ClientFacts> {
  const facts = {canAsk: canAsk(server, context), roots: []};
  // The stateless protocol has no requests to clients.
  if (declaredWith(context) || !capabilitiesOf(server, context).roots) return facts;
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
