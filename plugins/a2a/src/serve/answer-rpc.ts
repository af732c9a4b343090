import type {IncomingMessage, ServerResponse} from 'node:http';
import type {AgentCard, JsonRpcTransportHandler} from '#sdk';
import type {Grant} from '../tokens/tokens.js';
import {refuse} from './guard.js';
import type {Sdk} from './setup.js';
import {GRANT} from './task-runs.js';

const MOST_BYTES = 4 * 1024 * 1024;

interface Parts {
  readonly sdk: Sdk;
  readonly rpc: JsonRpcTransportHandler;
  readonly card: AgentCard;
  readonly grant: Grant;
}

/** Answers one request of JSON-RPC; what streams comes as server-sent events. */
export async function answerRpc(
  request: IncomingMessage,
  response: ServerResponse,
  {sdk, rpc, card, grant}: Parts,
): Promise<void> {
  const body = await readBody(request);
  if (body === undefined)
    return refuse(response, {status: 413, sentence: `A request has at most ${MOST_BYTES} bytes.`});
  const version = request.headers['a2a-version'];
  const context = new sdk.ServerCallContext({
    user: {isAuthenticated: true, userName: grant.id},
    ...(typeof version === 'string' ? {requestedVersion: version} : {}),
    state: new Map([[GRANT, grant]]),
  });
  const fail = (error: unknown): string =>
    JSON.stringify({jsonrpc: '2.0', id: null, error: sdk.JsonRpcTransportHandler.mapToJSONRPCError(error)});
  let answer: Awaited<ReturnType<JsonRpcTransportHandler['handle']>>;
  try {
    sdk.validateVersion(context.requestedVersion, card, 'JSONRPC');
    answer = await rpc.handle(body, context);
  } catch (error) {
    return void response.writeHead(200, {'content-type': 'application/json'}).end(fail(error));
  }
  if (!(Symbol.asyncIterator in answer))
    return void response.writeHead(200, {'content-type': 'application/json'}).end(JSON.stringify(answer));
  response.writeHead(200, {'content-type': 'text/event-stream', 'cache-control': 'no-cache'});
  response.flushHeaders();
  try {
    for await (const event of answer) {
      // A caller that has left keeps its task: it can subscribe again.
      if (response.destroyed) break;
      response.write(`data: ${JSON.stringify(event)}\n\n`);
    }
  } catch (error) {
    response.write(`data: ${fail(error)}\n\n`);
  }
  response.end();
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
