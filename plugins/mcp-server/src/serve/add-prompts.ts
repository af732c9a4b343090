import {KernelError} from '@gemini-kernel/kernel';
import type {Server} from '#sdk';
import type {PromptSource, ServedPrompt} from '../contract.js';
import type {Sources} from './sources.js';
import type {Use} from './use.js';

/** Serves the prompts of all sources. Of two with one name, the first counts. */
export function addPrompts(server: Server, use: Use, sources: Sources): void {
  server.setRequestHandler('prompts/list', (_, context) =>
    use(context, async (session) => ({
      prompts: (await listPrompts(await sources.prompts(session))).map(({prompt}) => toProtocol(prompt)),
    })),
  );
  server.setRequestHandler('prompts/get', ({params: {name, arguments: values = {}}}, context) =>
    use(context, async (session) => {
      const messages = await (await findSource(await sources.prompts(session), name)).get(name, values);
      return {messages: messages.map(({role, content}) => ({role, content: {...content}}))};
    }),
  );
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
