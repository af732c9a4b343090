import type {ServerResponse} from 'node:http';
import type {Caller} from '../answer-request.js';
import {sendEvents, sendJson} from '../send.js';
import {findRoute} from './find-route.js';
import {restError, type RpcError} from './rest-error.js';

interface RestRequest {
  readonly verb: string;
  readonly url: string;
  readonly body: string;
}

interface Envelope {
  readonly result?: unknown;
  readonly error?: RpcError;
}

const JSON_TYPE = 'application/a2a+json';

/** Answers one request of REST: what it asks for is asked for over JSON-RPC, within this process. */
export async function answerRest(
  {verb, url, body}: RestRequest,
  response: ServerResponse,
  {sdk, rpc, card, context}: Caller,
): Promise<void> {
  const fail = (error: RpcError): void => {
    const {status, body: said} = restError(error);
    sendJson(response, said, {status, type: JSON_TYPE});
  };
  const given = readBody(body);
  if (given === undefined) return fail({code: -32700, message: 'The body is not an object of JSON.'});
  const asked = findRoute(verb, url, given);
  if (!asked) return sendJson(response, restError(unknownAddress(verb, url)).body, {status: 404, type: JSON_TYPE});
  const {method, params, fault} = asked;
  if (fault !== undefined) return fail({code: -32602, message: fault});
  try {
    sdk.validateVersion(context.requestedVersion, card, 'HTTP+JSON');
    const answer = await rpc.handle({jsonrpc: '2.0', id: 1, method, params}, context);
    if (Symbol.asyncIterator in answer) return await sendStream(answer, response, fail);
    const {result, error} = answer as Envelope;
    if (error) fail(error);
    else if (result === null) response.writeHead(204).end();
    else sendJson(response, result, {type: JSON_TYPE});
  } catch (error) {
    fail(sdk.JsonRpcTransportHandler.mapToJSONRPCError(error));
  }
}

/** A stream that fails before it begins is an answer like any other. */
async function sendStream(
  stream: AsyncIterable<unknown>,
  response: ServerResponse,
  fail: (error: RpcError) => void,
): Promise<void> {
  const events = stream[Symbol.asyncIterator]();
  const first = await events.next();
  const {error} = (first.value ?? {}) as Envelope;
  if (error) return fail(error);
  await sendEvents(response, unwrap(first, events));
}

async function* unwrap(first: IteratorResult<unknown>, rest: AsyncIterator<unknown>): AsyncGenerator<unknown> {
  for (let next = first; next.done !== true; next = await rest.next()) {
    const {result, error} = next.value as Envelope;
    yield error ? restError(error).body : result;
  }
}

/** Undefined for a body that is no object. */
function readBody(text: string): Readonly<Record<string, unknown>> | undefined {
  if (text === '') return {};
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null && !Array.isArray(body)
      ? (body as Readonly<Record<string, unknown>>)
      : undefined;
  } catch (error) {
    if ((error as Error).name !== 'SyntaxError') throw error;
    return undefined;
  }
}

function unknownAddress(verb: string, url: string): RpcError {
  return {code: -32001, message: `${verb} ${url.slice(0, 200)} is not served. JSON-RPC is at POST /.`};
}
