import type {ServerResponse} from 'node:http';
import type {Caller} from './answer-request.js';
import {sendEvents, sendJson} from './send.js';

/** Answers one request of JSON-RPC, of protocol 1.0 or 0.3; what streams comes as server-sent events. */
export async function answerRpc(body: string, response: ServerResponse, caller: Caller): Promise<void> {
  const {sdk, card, context} = caller;
  const isEarlier = context.requestedVersion.startsWith('0.');
  const fail = (error: unknown): object => ({
    ...{jsonrpc: '2.0', id: null},
    error: isEarlier
      ? sdk.LegacyJsonRpcTransportHandler.mapToLegacyJSONRPCError(error)
      : sdk.JsonRpcTransportHandler.mapToJSONRPCError(error),
  });
  const asked = readRequest(body);
  if ('error' in asked) return sendJson(response, asked);
  try {
    sdk.validateVersion(context.requestedVersion, card, 'JSONRPC');
    const rpc = isEarlier ? new sdk.LegacyJsonRpcTransportHandler(caller.handler) : caller.rpc;
    const answer = await rpc.handle(asked, context);
    if (!(Symbol.asyncIterator in answer)) return sendJson(response, answer);
    await sendStream(untilFailed(answer, fail), response);
  } catch (error) {
    sendJson(response, fail(error));
  }
}

/** A stream that fails before it begins is an answer like any other. */
async function sendStream(events: AsyncGenerator<unknown>, response: ServerResponse): Promise<void> {
  const first = await events.next();
  if (first.done !== true && 'error' in Object(first.value)) {
    sendJson(response, first.value);
    return void (await events.return(undefined));
  }
  await sendEvents(response, from(first, events));
}

async function* from(first: IteratorResult<unknown>, rest: AsyncGenerator<unknown>): AsyncGenerator<unknown> {
  if (first.done === true) return;
  yield first.value;
  yield* rest;
}

/** A request of JSON-RPC 2.0, or the answer to what is not one: the SDK takes both for wrong parameters. */
function readRequest(body: string): Record<string, unknown> {
  const value = parse(body);
  if (value === undefined) return failure(-32_700, 'The body is not JSON.', null);
  const {jsonrpc, method, id = null} = Object(value) as Readonly<Record<string, unknown>>;
  const isId = id === null || typeof id === 'string' || typeof id === 'number';
  const isRequest = typeof value === 'object' && jsonrpc === '2.0' && typeof method === 'string' && isId;
  if (isRequest && !Array.isArray(value)) return value as Record<string, unknown>;
  return failure(-32_600, 'A request is an object with jsonrpc "2.0", a method and an id.', isId ? id : null);
}

function failure(code: number, message: string, id: unknown): Record<string, unknown> {
  return {jsonrpc: '2.0', id, error: {code, message}};
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The events of a stream; what it fails with is the last. */
async function* untilFailed(events: AsyncIterable<unknown>, fail: (error: unknown) => object): AsyncGenerator<unknown> {
  try {
    yield* events;
  } catch (error) {
    yield fail(error);
  }
}
