import {randomUUID} from 'node:crypto';
import type {WebStandardStreamableHTTPServerTransport} from '#sdk';
import {createClientParts, type ClientParts} from '../serve/client-parts.js';
import {createServer} from '../serve/create-server.js';
import type {Sdk, Setup} from '../serve/setup.js';
import {KeptEvents} from './kept-events.js';

const MOST_CLIENTS = 64;
const LONGEST_IDLE_MS = 60 * 60_000;
/** How long a client waits before it takes up a stream that broke off. */
const RETRY_MS = 1000;

interface HttpClient {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly events: KeptEvents;
  /** Requests that are not answered yet, the stream for notifications included. */
  open: number;
  lastUsed: number;
  close(): Promise<void>;
}

/** The clients at one address, each with the session that it was given at its first request. */
export class HttpClients {
  readonly #clients = new Map<string, HttpClient>();
  readonly #shared: ClientParts;
  readonly #stateless: ReturnType<Sdk['createMcpHandler']>;

  constructor(private readonly setup: Setup) {
    this.#shared = createClientParts(setup);
    this.#stateless = setup.sdk.createMcpHandler(
      () => {
        const {server, end} = createServer(setup, this.#shared, true);
        server.onclose = () => void end();
        return server;
      },
      {legacy: 'reject'},
    );
  }

  async answer(request: Request, body: unknown): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    if (id === null && request.method === 'POST' && !(await this.setup.sdk.isLegacyRequest(request.clone(), body)))
      return this.#stateless.fetch(request, {parsedBody: body});
    const client = id === null ? undefined : this.#clients.get(id);
    if (client) return this.#pass(client, request, body);
    if (id !== null) return fail(404, 'This session has ended, or is not yours. Initialize again.');
    if (!this.setup.sdk.isInitializeRequest(body)) return fail(400, 'The first request is initialize.');
    await this.#sweep();
    if (this.#clients.size >= MOST_CLIENTS) return fail(503, `There are ${MOST_CLIENTS} clients already.`);
    return this.#pass(await this.#begin(), request, body);
  }

  async close(): Promise<void> {
    for (const client of [...this.#clients.values()]) await client.close();
    await this.#stateless.close();
    await this.#shared.close();
  }

  async #begin(): Promise<HttpClient> {
    const parts = createClientParts(this.setup);
    const served = createServer(this.setup, parts, false);
    const events = new KeptEvents();
    const transport = new this.setup.sdk.WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: events,
      retryInterval: RETRY_MS,
      onsessioninitialized: (id) => void this.#clients.set(id, client),
      onsessionclosed: () => client.close(),
    });
    const client: HttpClient = {
      transport,
      events,
      open: 0,
      lastUsed: Date.now(),
      close: async () => {
        this.#clients.delete(transport.sessionId ?? '');
        await transport.close();
        await parts.close();
        await served.close();
      },
    };
    await served.server.connect(transport);
    return client;
  }

  async #pass(client: HttpClient, request: Request, body: unknown): Promise<Response> {
    const lastEvent = request.headers.get('last-event-id');
    if (request.method === 'GET' && lastEvent !== null && !client.events.has(lastEvent))
      return fail(400, `The event ${JSON.stringify(lastEvent)} is not kept for this session. Send the request again.`);
    client.lastUsed = Date.now();
    client.open += 1;
    request.signal.addEventListener('abort', () => (client.open -= 1), {once: true});
    return client.transport.handleRequest(request, body === undefined ? {} : {parsedBody: body});
  }

  /** Closes sessions that no one has used for long. */
  async #sweep(): Promise<void> {
    const before = Date.now() - LONGEST_IDLE_MS;
    for (const client of [...this.#clients.values()])
      if (client.open <= 0 && client.lastUsed < before) await client.close();
  }
}

function fail(status: number, sentence: string): Response {
  return Response.json({jsonrpc: '2.0', id: null, error: {code: -32000, message: sentence}}, {status});
}
