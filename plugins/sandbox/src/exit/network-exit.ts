import {lookup} from 'node:dns/promises';
import {chmodSync} from 'node:fs';
import {createConnection, createServer, isIP, type Server, type Socket} from 'node:net';
import {once} from 'node:events';
import type {AskedHost, ExitConnection, ExitWatch} from '../contract.js';
import {grantOf, isInner, isNamed, type HostRule} from './host-rules.js';
import {readRequest, type ExitRequest} from './read-request.js';

const CONNECT_MS = 30_000;
const REQUEST_MS = 10_000;
const MOST_AT_ONCE = 256;

/**
 * The way out for confined programs that may reach some hosts: a proxy on a socket in the file system. Names are
 * resolved here, and the connection goes to the address that was looked at.
 */
export class NetworkExit {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(
    private readonly rules: readonly HostRule[],
    private readonly report: (connection: ExitConnection) => void,
    private readonly decide: ExitWatch['decide'],
  ) {
    this.#server = createServer({allowHalfOpen: true}, (socket) => void this.#serve(socket));
    this.#server.maxConnections = MOST_AT_ONCE;
  }

  /** Opens one at a path. `decide` is asked about hosts that no rule names. */
  static async open(
    path: string,
    rules: readonly HostRule[],
    report: (connection: ExitConnection) => void,
    decide: ExitWatch['decide'] = () => false,
  ): Promise<NetworkExit> {
    const exit = new NetworkExit(rules, report, decide);
    exit.#server.listen(path);
    await once(exit.#server, 'listening');
    chmodSync(path, 0o600);
    exit.#server.unref();
    return exit;
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  async #serve(client: Socket): Promise<void> {
    this.#keep(client);
    client.setTimeout(REQUEST_MS, () => client.destroy());
    const request = await readRequest(client).catch(() => undefined);
    if (!request) return void client.destroy();
    client.setTimeout(0);
    const {host, port} = request;
    const target = await this.#open(request).catch((error: unknown) => fault((error as Error).message));
    if ('fault' in target) {
      this.report({host, port, ...target});
      return void client.end(request.refuse(`gemini: ${host}:${port} was not reached: ${target.fault}`));
    }
    this.report({host, port});
    client.write(request.accept);
    target.write(request.head);
    client.pipe(target);
    target.pipe(client);
  }

  async #open({host, port}: ExitRequest): Promise<Socket | Refused> {
    if (!(await this.#isGranted(host, port)))
      return {...fault('nothing grants this host to commands.'), isUngranted: true};
    const found = isIP(host) > 0 ? [{address: host}] : await lookup(host, {all: true, verbatim: true});
    const address = found.find((one) => this.#mayConnect(host, one.address, port))?.address;
    if (address === undefined) return fault('its address is not public, and no grant names the address.');
    const socket = this.#keep(createConnection({host: address, port, allowHalfOpen: true}));
    socket.setTimeout(CONNECT_MS, () => socket.destroy(new Error('it did not answer in time.')));
    await once(socket, 'connect');
    socket.setTimeout(0);
    return socket;
  }

  async #isGranted(host: string, port: number): Promise<boolean> {
    if (isNamed(this.rules, host, port)) return true;
    const grant = grantOf(host, port);
    // No one can tell from a number what is behind it in a network that is not public.
    if (grant === undefined || (isIP(host) > 0 && isInner(host))) return false;
    const asked: AskedHost = {host, port, grant};
    return this.decide(asked);
  }

  #mayConnect(host: string, address: string, port: number): boolean {
    if (!isInner(address)) return true;
    return host.toLowerCase() === 'localhost' || isNamed(this.rules, address, port);
  }

  #keep(socket: Socket): Socket {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    // The other side of a pair ends with it; what a program does with a broken connection is its own matter.
    socket.on('error', () => socket.destroy());
    return socket;
  }
}

interface Refused {
  readonly fault: string;
  readonly isUngranted?: true;
}

function fault(sentence: string): Refused {
  return {fault: sentence};
}
