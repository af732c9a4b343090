import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import {createServer as createPlainServer, type AddressInfo, type Server} from 'node:net';

interface Message {
  readonly id?: number;
  readonly method: string;
  readonly params?: {readonly protocolVersion?: string};
}

export interface OddEditor {
  readonly port: number;
  [Symbol.asyncDispose](): Promise<void>;
}

/** What an editor's server may do otherwise than it should. */
export interface Oddness {
  readonly version?: string;
  readonly tools?: readonly string[];
  /** Breaks off at this method. */
  readonly breaksAt?: string;
}

const INPUT = {type: 'object', properties: {}};

/** An editor that speaks the protocol as far as the doctor asks, but for what is odd about it. */
export function startOddEditor({version, tools = ['openDiff', 'closeDiff'], breaksAt}: Oddness): Promise<OddEditor> {
  return serve((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.method === 'DELETE') return response.writeHead(200).end();
      if (request.method === 'GET')
        return response.writeHead(200, {'content-type': 'text/event-stream'}).write(': here\n\n');
      const message = JSON.parse(Buffer.concat(chunks).toString()) as Message;
      if (message.method === breaksAt) return request.socket.destroy();
      if (message.id === undefined) return response.writeHead(202).end();
      const results: Readonly<Record<string, object>> = {
        initialize: {
          protocolVersion: version ?? message.params?.protocolVersion,
          capabilities: {tools: {}},
          serverInfo: {name: 'odd', version: '3'},
        },
        'tools/list': {tools: tools.map((name) => ({name, inputSchema: INPUT}))},
      };
      return response
        .writeHead(200, {'content-type': 'application/json', 'mcp-session-id': 'one'})
        .end(JSON.stringify({jsonrpc: '2.0', id: message.id, result: results[message.method] ?? {}}));
    });
  });
}

/** A web server that knows nothing of editors. */
export function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<OddEditor> {
  return listen(createServer(answer));
}

/** A server that takes connections and says nothing. */
export function serveSilence(): Promise<OddEditor> {
  return listen(createPlainServer());
}

async function listen(server: Server): Promise<OddEditor> {
  const sockets = new Set<{destroy(): void}>();
  server.on('connection', (socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A port without a listener. */
export async function freePort(): Promise<number> {
  await using server = await serveSilence();
  return server.port;
}

/** A process that lives and has opened no terminal. */
export async function startStranger(): Promise<{readonly pid: number; [Symbol.asyncDispose](): Promise<void>}> {
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], {stdio: ['pipe', 'ignore', 'ignore']});
  await once(child, 'spawn');
  return {
    pid: child.pid ?? 0,
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'close');
      child.kill('SIGKILL');
      await ended;
    },
  };
}
