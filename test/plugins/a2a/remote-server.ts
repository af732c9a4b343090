import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';

export interface RpcRequest {
  readonly id: number;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** An agent of another program on loopback, by hand, so that it can lie and break the protocol. */
export interface RemoteServer {
  readonly url: string;
  /** Method, path and login of each request. */
  readonly seen: readonly string[];
  readonly asked: readonly RpcRequest[];
  /** The `traceparent` of each request that has one. */
  readonly traces: readonly string[];
  [Symbol.asyncDispose](): Promise<void>;
}

interface Behaviour {
  card?(url: string): unknown;
  /** The `result` of a request, or what takes over the response. */
  answer?(request: RpcRequest, response: ServerResponse): unknown;
  /** The login that the card itself needs. */
  readonly cardNeeds?: string;
}

export const card = (url: string, more: object = {}): object => ({
  ...{name: 'Terms', description: 'Knows terms.', version: '1', protocolVersion: '1.0'},
  supportedInterfaces: [{url: `${url}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0'}],
  ...{capabilities: {streaming: false}, defaultInputModes: [], defaultOutputModes: [], skills: []},
  ...more,
});

export const task = (state: string, text: string, more: object = {}): object => ({
  task: {
    ...{id: 't1', contextId: 'c1', status: {state: `TASK_STATE_${state}`}, history: []},
    artifacts: [{artifactId: 'a1', name: 'response', parts: [{text}]}],
    ...more,
  },
});

export async function startRemote(behaviour: Behaviour = {}): Promise<RemoteServer> {
  const seen: string[] = [];
  const asked: RpcRequest[] = [];
  const traces: string[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const login = request.headers.authorization ?? request.headers['x-api-key'] ?? 'none';
    seen.push(`${request.method} ${request.url} ${String(login)}`);
    const {traceparent} = request.headers;
    if (traceparent !== undefined) traces.push(String(traceparent));
    const json = (value: unknown, status = 200): void => {
      response.writeHead(status, {'content-type': 'application/json'}).end(JSON.stringify(value));
    };
    if (request.method === 'GET') {
      if (behaviour.cardNeeds !== undefined && login !== behaviour.cardNeeds) return json({}, 401);
      return json((behaviour.card ?? card)(url));
    }
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const rpc = JSON.parse(body) as RpcRequest;
    asked.push(rpc);
    const result = await (behaviour.answer ?? (() => task('COMPLETED', 'It is a word.')))(rpc, response);
    if (result !== undefined && !response.headersSent) json({jsonrpc: '2.0', id: rpc.id, result});
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ...{url, seen, asked, traces},
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
