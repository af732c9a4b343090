import {markForeign, ToolError, type Part, type ToolResult} from '@gemini-kernel/kernel';
import {isTable} from '../config/is-table.js';
import {reasonOf} from '../connection/mcp-errors.js';
import type {ServerConfig} from '../config/server-config.js';
import type {ServerLink} from '../connection/server-link.js';
import type {CallWatch, Completion} from '../contract.js';
import {anything} from '../offers/list-remote.js';
import {keepLong} from './keep-long.js';
import {bound, showBlock, showResource, tablesIn} from './show-result.js';

interface Source {
  readonly config: ServerConfig;
  readonly link: ServerLink;
}

type Table = Readonly<Record<string, unknown>>;

/**
 * All messages of a prompt. Its texts are what the person asked for by its name; what it embeds is marked as foreign.
 * In a talk of both sides, who says what is kept.
 */
export async function getPrompt(
  source: Source,
  name: string,
  values: Readonly<Record<string, string>>,
  watch: CallWatch,
): Promise<readonly Part[]> {
  const answer = await ask(source, {method: 'prompts/get', params: {name, arguments: {...values}}}, watch);
  const messages = tablesIn(answer['messages']);
  const isTalk = messages.some(({role}) => role === 'assistant');
  return messages.flatMap(({role, content}): readonly Part[] => {
    const blocks = (Array.isArray(content) ? content : [content]).filter(isTable);
    const shown = blocks.flatMap((block): readonly Part[] =>
      block['type'] === 'text' ? [{text: String(block['text'])}] : showBlock(source.config.name, name, block),
    );
    return isTalk ? [{text: role === 'assistant' ? 'The assistant said:' : 'The user said:'}, ...shown] : shown;
  });
}

/** The contents of a resource. Throws ToolError MCP_CALL_FAILED when it has none. */
export async function readResource(source: Source, uri: string, watch: CallWatch): Promise<ToolResult> {
  const {name} = source.config;
  const answer = await ask(source, {method: 'resources/read', params: {uri}}, watch);
  const contents = tablesIn(answer['contents']);
  if (contents.length === 0)
    throw new ToolError('MCP_CALL_FAILED', `The MCP server "${name}" gave nothing for the resource ${uri}.`);
  const texts = contents.flatMap(({text}) => (typeof text === 'string' ? [text] : []));
  const shown: ToolResult = {
    model: contents.flatMap((one) => showResource(name, 'resources/read', {uri, ...one})),
    display: `${uri} of ${name}`,
    plain: contents.map(({text, mimeType}) => (typeof text === 'string' ? text : `[${String(mimeType)}]`)).join('\n'),
  };
  return keepLong(shown, texts, watch);
}

/** Values that a server proposes for an argument; none when it has no proposals. */
export async function completeArgument(
  source: Source,
  {prompt, argument, prefix, values}: Completion,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const {client} = await source.link.use(signal);
  if (!client.getServerCapabilities()?.completions) return [];
  const params = {
    ref: {type: 'ref/prompt', name: prompt},
    argument: {name: argument, value: prefix},
    ...(Object.keys(values).length === 0 ? {} : {context: {arguments: {...values}}}),
  };
  const answer = await client.request({method: 'completion/complete', params}, anything, {signal, timeout: 5000});
  const {completion} = answer;
  const found = isTable(completion) && Array.isArray(completion['values']) ? completion['values'] : [];
  return found.filter((value) => typeof value === 'string');
}

async function ask(
  {config, link}: Source,
  request: {readonly method: string; readonly params: Record<string, unknown>},
  {signal}: CallWatch,
): Promise<Table> {
  const {client, ended} = await link.use(signal);
  try {
    return await client.request(request, anything, {signal, timeout: config.timeoutMs});
  } catch (error) {
    signal.throwIfAborted();
    const reason = ended.aborted ? `the server ${String(ended.reason)}` : reasonOf(error);
    const label = `The MCP server "${config.name}" refused ${request.method}:`;
    throw new ToolError('MCP_CALL_FAILED', `${label} ${reason}.`, {
      model: `${label}\n${markForeign(bound(reason))}`,
      cause: error,
    });
  }
}
