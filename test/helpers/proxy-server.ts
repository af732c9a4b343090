import {createServer, request as forward, type IncomingMessage} from 'node:http';
import {connect, type AddressInfo, type Socket} from 'node:net';

/** A real proxy on loopback that takes every host for one server of the test. */
export interface ProxyServer {
  readonly port: number;
  /** What it was asked: method, target, and who asked. */
  readonly seen: readonly {readonly line: string; readonly authorization?: string}[];
  /** Refuses everything with this status. */
  refuse(status: number): void;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts a proxy whose tunnels and forwarded requests all end at this port. */
export async function startProxy(port: number): Promise<ProxyServer> {
  const seen: {line: string; authorization?: string}[] = [];
  const sockets = new Set<Socket>();
  let refusal: number | undefined;
  const note = ({method, url, headers}: IncomingMessage): void => {
    const authorization = headers['proxy-authorization'];
    seen.push({line: `${method ?? ''} ${url ?? ''}`, ...(authorization === undefined ? {} : {authorization})});
  };
  const server = createServer((incoming, response) => {
    note(incoming);
    if (refusal !== undefined) return void response.writeHead(refusal).end();
    const {pathname, search} = new URL(incoming.url ?? '');
    const onward = forward(
      {port, host: '127.0.0.1', method: incoming.method, path: pathname + search, headers: incoming.headers},
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    incoming.pipe(onward);
  });
  server.on('connect', (incoming, socket: Socket, head) => {
    note(incoming);
    socket.on('error', () => socket.destroy());
    if (refusal !== undefined) return void socket.end(`HTTP/1.1 ${refusal} Refused\r\n\r\n`);
    const onward = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.write(head);
      socket.pipe(onward).pipe(socket);
    });
    onward.on('error', () => socket.destroy());
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    port: (server.address() as AddressInfo).port,
    seen,
    refuse: (status) => {
      refusal = status;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((done) => server.close(() => done()));
    },
  };
}
