import {createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse} from 'node:http';
import {createServer as createTlsServer} from 'node:https';
import {isIPv6, type AddressInfo} from 'node:net';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import type {Setup} from '../serve/setup.js';
import {BodyFault, readBody, sendRefusal, sendResponse, toWebRequest} from './exchange.js';
import {guardRequest, type Guard} from './guard-request.js';
import {HttpClients} from './http-clients.js';

/** Where and for whom to listen. */
export interface Address {
  readonly host: string;
  readonly port: number;
  readonly token: string;
  readonly tls?: {readonly cert: string; readonly key: string};
  readonly signal: AbortSignal;
  onListening(url: string): void;
}

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

/** Serves clients at an address until the signal aborts. */
export async function serveOverHttp(setup: Setup, address: Address): Promise<void> {
  const clients = new HttpClients(setup);
  const named = isIPv6(address.host) ? `[${address.host}]` : address.host.toLowerCase();
  const guard: Guard = {token: address.token, hosts: new Set([...LOOPBACK, named])};
  const listener: RequestListener = (incoming, outgoing) => {
    answer(clients, guard, incoming, outgoing).catch((error: unknown) => {
      setup.log(`A request failed: ${messageOf(error)}`);
      if (!outgoing.headersSent) sendRefusal(outgoing, {status: 500, sentence: 'The request failed.'});
      else outgoing.destroy();
    });
  };
  const server = address.tls ? createTlsServer(address.tls, listener) : createServer(listener);
  await listen(server, address);
  const {port} = server.address() as AddressInfo;
  address.onListening(`${address.tls ? 'https' : 'http'}://${named}:${port}/mcp`);
  await new Promise<void>((resolve) => {
    if (address.signal.aborted) resolve();
    address.signal.addEventListener('abort', () => resolve(), {once: true});
  });
  server.close();
  await clients.close();
  server.closeAllConnections();
}

async function answer(
  clients: HttpClients,
  guard: Guard,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const refusal = guardRequest(incoming, guard);
  if (refusal) return sendRefusal(outgoing, refusal);
  const gone = new AbortController();
  outgoing.once('close', () => gone.abort());
  try {
    const body = incoming.method === 'POST' ? await readBody(incoming) : undefined;
    await sendResponse(await clients.answer(toWebRequest(incoming, body, gone.signal), body), outgoing);
  } catch (error) {
    if (!(error instanceof BodyFault)) throw error;
    sendRefusal(outgoing, {status: error.status, sentence: error.message});
  }
}

async function listen(server: Server, {host, port}: Address): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  }).catch((cause: unknown) => {
    throw new KernelError('MCP_SERVE_FAILED', `Cannot listen at ${host}, port ${port}: ${messageOf(cause)}`, {
      cause,
      hint: 'Choose another --port; 0 takes a free one.',
    });
  });
}
