import type {OpenServer} from '../connection/open-server.js';
import {isTable} from '../config/is-table.js';
import type {StandardSchemaV1} from '../sdk/client.js';
import type {RemoteTool} from './offered-tools.js';

/** More pages than this are a server that never ends. */
const MOST_PAGES = 500;
const MOST_ITEMS = 20_000;

/** Accepts any answer, so that one strange part does not cost the rest. */
export const anything: StandardSchemaV1<unknown, Readonly<Record<string, unknown>>> = {
  '~standard': {
    version: 1,
    vendor: 'gemini',
    validate: (value: unknown) => ({value: value as Readonly<Record<string, unknown>>}),
  },
};

/** How a list is asked for. */
export interface ListOptions {
  readonly signal: AbortSignal;
  readonly timeout: number;
}

/** All tools of a server, page by page, as it describes them. */
export async function listRemoteTools(server: OpenServer, options: ListOptions): Promise<readonly RemoteTool[]> {
  const {client} = server;
  if (!client.getServerCapabilities()?.tools) return [];
  // The newest revision says in headers what a tool takes; the SDK leaves out those whose headers are invalid.
  if (client.getProtocolEra() === 'modern') {
    const {tools} = await client.listTools(undefined, options);
    return tools;
  }
  return listPages(server, {method: 'tools/list', key: 'tools'}, options);
}

/** All items of a list of a server, page by page. */
export async function listPages(
  {client}: OpenServer,
  {method, key}: {readonly method: string; readonly key: string},
  options: ListOptions,
): Promise<readonly RemoteTool[]> {
  const items: RemoteTool[] = [];
  const seen = new Set<string>();
  for (let cursor: string | undefined; seen.size < MOST_PAGES && items.length < MOST_ITEMS;) {
    const params = cursor === undefined ? {} : {cursor};
    const page = await client.request({method, params}, anything, options);
    if (Array.isArray(page[key])) items.push(...page[key].filter(isTable));
    const next = page['nextCursor'];
    if (typeof next !== 'string' || seen.has(next)) return items;
    seen.add(next);
    cursor = next;
  }
  return items;
}
