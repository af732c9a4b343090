import type {Session} from '@gemini-kernel/kernel/host';
import type {CallToolResult, Server} from '#sdk';
import {agentTools} from '../agent/describe-agent-tools.js';
import {capabilitiesOf, createReach} from './client-link.js';
import type {ClientParts} from './client-parts.js';
import {describeTool} from './describe-tool.js';
import type {LivePerson} from './live-person.js';
import {callOwnTool, type ClientCall} from './own-call.js';
import type {Setup} from './setup.js';
import {failWith} from './show-outcome.js';
import type {Use} from './use.js';

interface Served {
  readonly server: Server;
  readonly setup: Setup;
  readonly parts: ClientParts;
  readonly person: LivePerson;
  readonly use: Use;
  /** A call that asks pauses, and one that takes long may become a task. */
  readonly isStateless: boolean;
}

/** Serves the tools of the session, the agent, or both. */
export function addTools(served: Served): void {
  const {server, setup, parts, use, isStateless} = served;
  server.setRequestHandler('tools/list', (_, context) =>
    use(context, async (session) => ({
      tools: [
        ...(setup.face === 'agent' ? [] : (await session.offered()).map(describeTool)),
        ...(setup.face === 'tools' ? [] : agentTools),
      ],
    })),
  );
  const call = (one: ClientCall): Promise<CallToolResult> =>
    use(one.context, (session) => callTool(served, session, one));
  server.setRequestHandler('tools/call', ({params: {name, arguments: input = {}}}, context) => {
    if (!isStateless)
      return call({name, input, reach: createReach(server, context), signal: context.mcpReq.signal, context});
    const capabilities = capabilitiesOf(server, context);
    return parts.paused.run({
      context,
      act: (send, signal) => call({name, input, reach: {capabilities, send}, signal, context}),
      late: parts.tasks.lateFor(server, context),
    });
  });
  if (isStateless) parts.tasks.serve(server);
}

async function callTool({setup, parts, person}: Served, session: Session, call: ClientCall): Promise<CallToolResult> {
  const {sdk, face, kernel} = setup;
  if (face !== 'tools' && agentTools.some(({name}) => name === call.name)) return parts.threads.call(session, call);
  const newId = (): string => kernel.environment.newId();
  const result = face === 'agent' ? undefined : await callOwnTool({sdk, session, person, newId}, call);
  return result ?? failWith(`There is no tool ${JSON.stringify(call.name)}.`);
}
