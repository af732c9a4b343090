import type {OpenServer} from '../connection/open-server.js';
import {isTable} from '../config/is-table.js';
import type {StandardSchemaV1} from '../sdk/client.js';
import type {RemoteTool} from './offered-tools.js';

/** More pages than this are a server that never ends. */
const MOST_PAGES = 500;
const MOST_TOOLS = 20_000;

/** Accepts any answer, so that one strange part does not cost the rest. */
export const anything: StandardSchemaV1<unknown, Readonly<Record<string, unknown>>> = {
  '~standard': {
    version: 1,
    vendor: 'gemini',
    validate: (value: unknown) => ({value: value as Readonly<Record<string, unknown>>}),
  },
};

/** All tools of a server, page by page, as it describes them. */
export async function listRemoteTools(
  {client}: OpenServer,
  options: {readonly signal: AbortSignal; readonly timeout: number},
): Promise<readonly RemoteTool[]> {
  if (!client.getServerCapabilities()?.tools) return [];
  // The newest revision says in headers what a tool takes; the SDK leaves out those whose headers are invalid.
  if (client.getProtocolEra() === 'modern') {
    const {tools} = await client.listTools(undefined, options);
    return tools;
  }
  const tools: RemoteTool[] = [];
  const seen = new Set<string>();
  for (let cursor: string | undefined; seen.size < MOST_PAGES && tools.length < MOST_TOOLS;) {
    const params = cursor === undefined ? {} : {cursor};
    const page = await client.request({method: 'tools/list', params}, anything, options);
    if (Array.isArray(page['tools'])) tools.push(...page['tools'].filter(isTable));
    const next = page['nextCursor'];
    if (typeof next !== 'string' || seen.has(next)) return tools;
    seen.add(next);
    cursor = next;
  }
  return tools;
}
