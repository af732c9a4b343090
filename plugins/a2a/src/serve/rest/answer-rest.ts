import type {ServerResponse} from 'node:http';
import type {Caller} from '../answer-request.js';
import {sendEvents, sendJson} from '../send.js';
import {findEarlier} from './earlier/find-earlier.js';
import {findRoute, type Asked} from './find-route.js';
import {earlierError, restError, type RpcError} from './rest-error.js';

interface RestRequest {
  readonly verb: string;
  readonly url: string;
  readonly body: string;
}

interface Envelope {
  readonly result?: unknown;
  readonly error?: RpcError;
}

/** What differs between the versions of the protocol. */
interface Dialect {
  readonly type: string;
  find(verb: string, url: string, body: Readonly<Record<string, unknown>>): (Asked & Partial<Writing>) | undefined;
  ask(request: Record<string, unknown>): Promise<unknown>;
  describe(error: RpcError): {readonly status: number; readonly body: unknown};
  read(error: unknown): RpcError;
}

interface Writing {
  write(result: unknown): unknown;
}

const EARLIER = /^\/v1\//;

/** Answers one request of REST: what it asks for is asked for over JSON-RPC, within this process. */
export async function answerRest(
  {verb, url, body}: RestRequest,
  response: ServerResponse,
  caller: Caller,
): Promise<void> {
  const {sdk, card, context} = caller;
  const isEarlier = context.requestedVersion.startsWith('0.');
  const {type, find, ask, describe, read} = isEarlier ? earlierDialect(caller) : dialect(caller);
  const fail = (error: RpcError): void => {
    const {status, body: said} = describe(error);
    sendJson(response, said, {status, type});
  };
  const given = readBody(body);
  if (given === undefined) return fail({code: -32700, message: 'The body is not an object of JSON.'});
  const asked = find(verb, url, given);
  if (!asked) return sendJson(response, describe(unknownAddress(verb, url, isEarlier)).body, {status: 404, type});
  const {method, params, fault, write = (result: unknown) => result} = asked;
  if (fault !== undefined) return fail({code: -32602, message: fault});
  try {
    sdk.validateVersion(context.requestedVersion, card, 'HTTP+JSON');
    const answer = (await ask({jsonrpc: '2.0', id: 1, method, params})) as object;
    if (Symbol.asyncIterator in answer) {
      const stream = answer as AsyncIterable<unknown>;
      return await sendStream(stream, response, {fail, write, describe: (error) => describe(error).body});
    }
    const {result, error} = answer as Envelope;
    if (error) return fail(error);
    const written = write(result);
    if (written === null) response.writeHead(204).end();
    else sendJson(response, written, {type});
  } catch (error) {
    fail(read(error));
  }
}

function dialect({sdk, rpc, context}: Caller): Dialect {
  return {
    type: 'application/a2a+json',
    find: findRoute,
    ask: (request) => rpc.handle(request, context),
    describe: restError,
    read: (error) => sdk.JsonRpcTransportHandler.mapToJSONRPCError(error),
  };
}

function earlierDialect({sdk, handler, context}: Caller): Dialect {
  return {
    type: 'application/json',
    find: findEarlier,
    ask: (request) => new sdk.LegacyJsonRpcTransportHandler(handler).handle(request, context),
    describe: earlierError,
    read: (error) => sdk.LegacyJsonRpcTransportHandler.mapToLegacyJSONRPCError(error),
  };
}

interface StreamParts extends Writing {
  fail(error: RpcError): void;
  describe(error: RpcError): unknown;
}

/** A stream that fails before it begins is an answer like any other. */
async function sendStream(
  stream: AsyncIterable<unknown>,
  response: ServerResponse,
  {fail, write, describe}: StreamParts,
): Promise<void> {
  const events = stream[Symbol.asyncIterator]();
  const first = await events.next();
  const {error} = (first.value ?? {}) as Envelope;
  if (error) return fail(error);
  const said = ({result, error: fault}: Envelope): unknown => (fault ? describe(fault) : write(result));
  await sendEvents(response, unwrap(first, events, said));
}

async function* unwrap(
  first: IteratorResult<unknown>,
  rest: AsyncIterator<unknown>,
  said: (envelope: Envelope) => unknown,
): AsyncGenerator<unknown> {
  for (let next = first; next.done !== true; next = await rest.next()) yield said(next.value as Envelope);
}

/** Undefined for a body that is no object. Some clients send `null` where there is nothing to say. */
function readBody(text: string): Readonly<Record<string, unknown>> | undefined {
  if (text === '' || text === 'null') return {};
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

function unknownAddress(verb: string, url: string, isEarlier: boolean): RpcError {
  const isOther = isEarlier !== EARLIER.test(url);
  const hint = isOther
    ? 'In protocol 0.3 addresses begin with /v1/, and in 1.0 (A2A-Version: 1.0) they do not.'
    : 'JSON-RPC is at POST /.';
  return {code: -32001, message: `${verb} ${url.slice(0, 200)} is not served. ${hint}`};
}
