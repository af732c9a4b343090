import type {IncomingMessage, ServerResponse} from 'node:http';
import type {A2ARequestHandler, AgentCard, JsonRpcTransportHandler, ServerCallContext} from '#sdk';
import type {Grant} from '../tokens/tokens.js';
import {answerRpc} from './answer-rpc.js';
import {answerCommands} from './commands/answer-commands.js';
import {refuse} from './guard.js';
import {DEVELOPMENT_TOOL} from './developer/uri.js';
import {answerRest} from './rest/answer-rest.js';
import type {Sdk, Setup} from './setup.js';
import {GRANT} from './task-runs.js';

const MOST_BYTES = 4 * 1024 * 1024;

/** What answers requests, whatever their form. */
export interface Answering {
  readonly sdk: Sdk;
  readonly handler: A2ARequestHandler;
  readonly rpc: JsonRpcTransportHandler;
  readonly card: AgentCard;
}

/** One call of someone who has a token. */
export interface Caller extends Answering {
  readonly context: ServerCallContext;
}

/** Answers one request that was let in: JSON-RPC at the root, REST below it. */
export async function answerRequest(
  request: IncomingMessage,
  response: ServerResponse,
  {grant, setup, ...answering}: Answering & {readonly grant: Grant; readonly setup: Setup},
): Promise<void> {
  const body = await readBody(request);
  if (body === undefined)
    return refuse(response, {status: 413, sentence: `A request has at most ${MOST_BYTES} bytes.`});
  // The third number of a version does not count.
  const version = /^\d+\.\d+/.exec(String(request.headers['a2a-version'] ?? ''))?.[0];
  const context = new answering.sdk.ServerCallContext({
    user: {isAuthenticated: true, userName: grant.id},
    ...(version === undefined ? {} : {requestedVersion: version}),
    requestedExtensions: extensionsOf(request),
    state: new Map([[GRANT, grant]]),
  });
  if (context.requestedExtensions?.includes(DEVELOPMENT_TOOL)) response.setHeader('A2A-Extensions', DEVELOPMENT_TOOL);
  const {method: verb = '', url = ''} = request;
  if (url === '/' && verb === 'POST') return answerRpc(body, response, {...answering, context});
  if (await answerCommands({verb, url, body, grant}, response, setup)) return;
  return answerRest({verb, url, body}, response, {...answering, context});
}

/** The extensions that a caller asks for; 0.3 has another header. */
function extensionsOf({headers}: IncomingMessage): string[] {
  const named = [headers['a2a-extensions'] ?? headers['x-a2a-extensions'] ?? []].flat();
  return named.flatMap((text) => text.split(',')).map((one) => one.trim());
}

/** The text of a body; undefined for one that is too large. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
