import type {Session} from '@gemini-kernel/kernel/host';
import type {CallToolResult, ServerContext} from '#sdk';
import type {Ask, LivePerson} from './live-person.js';
import {createProgress} from './progress.js';
import {createTell} from './tell-client.js';
import {failWith, showOutcome} from './show-outcome.js';

/** One request of a client to call a tool. */
export interface ClientCall {
  readonly name: string;
  readonly input: unknown;
  readonly ask: Ask;
  readonly signal: AbortSignal;
  readonly context: ServerContext;
}

interface Served {
  readonly session: Session;
  readonly person: LivePerson;
  newId(): string;
}

/** Calls a tool by the one path, for a client. Undefined when there is none of this name. */
export async function callOwnTool(
  {session, person, newId}: Served,
  {name, input, ask, signal, context}: ClientCall,
): Promise<CallToolResult | undefined> {
  if (!(await session.tools()).some((tool) => tool.name === name)) return undefined;
  const id = `mcp-${newId()}`;
  return person.during(id, {ask, tell: createTell(context)}, async () => {
    try {
      return showOutcome(await session.call({tool: name, input, id}, {signal, onProgress: createProgress(context)}));
    } catch (error) {
      if (signal.aborted) return failWith('The call was cancelled.');
      throw error;
    }
  });
}
