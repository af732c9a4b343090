import type {Session, ToolOutcome} from '@gemini-kernel/kernel/host';
import type {CallToolResult, ServerContext} from '#sdk';
import type {LivePerson} from './live-person.js';
import {createProgress} from './progress.js';
import {createAsk, type Reach} from './reach.js';
import {ServedClient} from './served-client.js';
import type {Sdk} from './setup.js';
import {failWith, showOutcome} from './show-outcome.js';
import {createTell} from './tell-client.js';

/** One request of a client to call a tool. */
export interface ClientCall {
  readonly name: string;
  readonly input: unknown;
  readonly reach: Reach;
  readonly signal: AbortSignal;
  readonly context: ServerContext;
}

interface Served {
  readonly sdk: Sdk;
  readonly session: Session;
  readonly person: LivePerson;
  newId(): string;
}

/** Calls a tool by the one path, for a client. Undefined when there is none of this name. */
export async function callOwnTool(
  {sdk, session, person, newId}: Served,
  {name, input, reach, signal, context}: ClientCall,
): Promise<CallToolResult | undefined> {
  if (!(await session.tools()).some((tool) => tool.name === name)) return undefined;
  const id = `mcp-${newId()}`;
  const client = new ServedClient(reach, `The tool ${name}`, signal);
  return person.during(id, {ask: createAsk(reach), client, tell: createTell(context)}, async () => {
    try {
      const outcome = await session.call({tool: name, input, id}, {signal, onProgress: createProgress(context)});
      refuseLacking(sdk, outcome, client);
      return showOutcome(outcome);
    } catch (error) {
      if (signal.aborted) return failWith('The call was cancelled.');
      throw error;
    }
  });
}

type Lacking = ConstructorParameters<Sdk['MissingRequiredClientCapabilityError']>[0];

/** The protocol has an error of its own for what a client does not declare. */
function refuseLacking({MissingRequiredClientCapabilityError}: Sdk, outcome: ToolOutcome, client: ServedClient): void {
  if (outcome.status !== 'failed' || outcome.error.code !== 'MCP_CLIENT_LACKS' || !client.lacking) return;
  // They are the words of the protocol, in JSON.
  const requiredCapabilities = client.lacking as Lacking['requiredCapabilities'];
  throw new MissingRequiredClientCapabilityError({requiredCapabilities}, outcome.error.message);
}
