import {askStatus, sendRequest} from './http-stranger.js';
import {listenTo, type Ear} from './listen-to.js';
import {readMessages, type RpcMessage} from './read-messages.js';
import {demand, Unfit} from './unfit.js';

export interface Door {
  readonly port: number;
  readonly token: string;
  readonly signal: AbortSignal;
}

/** A client that speaks the protocol with a companion and knows only the specification. */
export interface Stranger {
  readonly id: string;
  readonly ear: Ear;
  request(method: string, params?: object): Promise<RpcMessage>;
  /** Calls a tool and gives the result. Throws Unfit when there is no result. */
  call(name: string, input: object): Promise<unknown>;
  /** Ends the session and gives the status of the answer. */
  leave(): Promise<number>;
  [Symbol.asyncDispose](): Promise<void>;
}

const VERSION = '2025-06-18';
const HELLO = {
  protocolVersion: VERSION,
  capabilities: {},
  clientInfo: {name: 'gemini-ide-check-companion', version: '1.0.0'},
};

/** The headers of a valid request. */
export function headersOf(token: string, session?: string): Record<string, string> {
  const known = session === undefined ? {} : {'mcp-session-id': session, 'mcp-protocol-version': VERSION};
  return {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...known,
  };
}

/** The text of a request in JSON-RPC. */
export function bodyOf(method: string, params: object, id?: number): string {
  return JSON.stringify({jsonrpc: '2.0', ...(id === undefined ? {} : {id}), method, params});
}

/** The text of a request that starts a session. */
export function helloBody(): string {
  return bodyOf('initialize', HELLO, 0);
}

/** Starts a session and listens. Throws Unfit when a step of it fails. */
export async function meetCompanion({port, token, signal}: Door): Promise<Stranger> {
  const greeting = await sendRequest({port, headers: headersOf(token), body: helloBody(), signal});
  if (greeting.statusCode !== 200) greeting.destroy();
  demand(greeting.statusCode === 200, `initialize was answered with ${greeting.statusCode}.`);
  const hello = await answerTo(0, readMessages(greeting, signal));
  const id = greeting.headers['mcp-session-id'];
  demand(typeof id === 'string' && id !== '', 'initialize was answered without mcp-session-id.');
  demand(
    typeof (hello.result as {protocolVersion?: unknown} | undefined)?.protocolVersion === 'string',
    'The result of initialize names no protocolVersion.',
  );
  const headers = headersOf(token, id);
  const ready = await askStatus({port, headers, body: bodyOf('notifications/initialized', {}), signal});
  demand(ready >= 200 && ready < 300, `notifications/initialized was answered with ${ready}.`);
  const ear = await listenTo({port, headers, signal});
  let last = 0;
  const stranger: Stranger = {
    id,
    ear,
    async request(method, params = {}) {
      last += 1;
      return answerTo(
        last,
        readMessages(await sendRequest({port, headers, body: bodyOf(method, params, last), signal}), signal),
      );
    },
    async call(name, input) {
      const {result, error} = await stranger.request('tools/call', {name, arguments: input});
      demand(error === undefined, `${name} was answered with an error: ${String(error?.message)}`);
      return result;
    },
    leave: () => askStatus({port, method: 'DELETE', headers, signal}),
    async [Symbol.asyncDispose]() {
      ear.stop();
      // Not every server lets a client end its session, and this one may have ended.
      await stranger.leave().catch((error: unknown) => error);
    },
  };
  return stranger;
}

async function answerTo(id: number, messages: AsyncIterable<RpcMessage>): Promise<RpcMessage> {
  for await (const message of messages) if (message.id === id && message.method === undefined) return message;
  throw new Unfit('The answer ended without a result.');
}
