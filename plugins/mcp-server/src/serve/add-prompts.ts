import {KernelError} from '@gemini-kernel/kernel';
import type {Server, ServerContext} from '#sdk';
import type {PromptSource, ServedPrompt} from '../contract.js';
import {capabilitiesOf, createReach} from './client-link.js';
import type {LivePerson} from './live-person.js';
import type {PausedCalls} from './paused-calls.js';
import {createAsk, type Reach} from './reach.js';
import {ServedClient} from './served-client.js';
import type {Sources} from './sources.js';
import {createTell} from './tell-client.js';
import type {Use} from './use.js';

interface Parts {
  readonly server: Server;
  readonly use: Use;
  readonly sources: Sources;
  readonly person: LivePerson;
  newId(): string;
  /** In the stateless protocol, where a prompt that asks pauses. */
  readonly paused?: PausedCalls | undefined;
}

/** Serves the prompts of all sources. Of two with one name, the first counts. */
export function addPrompts({server, use, sources, person, newId, paused}: Parts): void {
  server.setRequestHandler('prompts/list', (_, context) =>
    use(context, async (session) => ({
      prompts: (await listPrompts(await sources.prompts(session))).map(({prompt}) => toProtocol(prompt)),
    })),
  );
  const get = (one: Get, context: ServerContext, reach: Reach, signal: AbortSignal) =>
    use(context, async (session) => {
      const id = `mcp-${newId()}`;
      const client = new ServedClient(reach, `The prompt ${one.name}`, signal);
      const source = await findSource(await sources.prompts(session), one.name);
      const messages = await person.during(id, {ask: createAsk(reach), client, tell: createTell(context)}, () =>
        source.get(one.name, one.arguments ?? {}, id),
      );
      return {messages: messages.map(({role, content}) => ({role, content: {...content}}))};
    });
  server.setRequestHandler('prompts/get', ({params}, context) => {
    if (!paused) return get(params, context, createReach(server, context), context.mcpReq.signal);
    const capabilities = capabilitiesOf(server, context);
    return paused.run({context, act: (send, signal) => get(params, context, {capabilities, send}, signal)});
  });
  server.setRequestHandler('completion/complete', ({params: {ref, argument}}, context) =>
    use(context, async (session) => {
      if (ref.type !== 'ref/prompt') return {completion: {values: []}};
      const source = await findSource(await sources.prompts(session), ref.name);
      const values = await source.complete(ref.name, argument.name, argument.value);
      // The protocol allows no more.
      return {completion: {values: values.slice(0, 100), total: values.length, hasMore: values.length > 100}};
    }),
  );
}

interface Get {
  readonly name: string;
  readonly arguments?: Readonly<Record<string, string>> | undefined;
}

interface Found {
  readonly prompt: ServedPrompt;
  readonly source: PromptSource;
}

async function listPrompts(sources: readonly PromptSource[]): Promise<readonly Found[]> {
  const found = new Map<string, Found>();
  for (const source of sources)
    for (const prompt of await source.list()) if (!found.has(prompt.name)) found.set(prompt.name, {prompt, source});
  return [...found.values()];
}

async function findSource(sources: readonly PromptSource[], name: string): Promise<PromptSource> {
  const found = (await listPrompts(sources)).find(({prompt}) => prompt.name === name);
  if (found) return found.source;
  throw new KernelError('MCP_PROMPT_UNKNOWN', `There is no prompt ${JSON.stringify(name)}.`);
}

function toProtocol({arguments: taken = [], ...prompt}: ServedPrompt) {
  return {...prompt, arguments: taken.map((one) => ({...one}))};
}
