import {lookup} from 'node:dns/promises';
import {chmodSync} from 'node:fs';
import {createConnection, createServer, isIP, type Server, type Socket} from 'node:net';
import {once} from 'node:events';
import type {AskedHost, ExitConnection, ExitWatch} from '../contract.js';
import {findCredential, secretsFor, valueOf, type Credential} from './credentials.js';
import {grantOf, isInner, isNamed, type HostRule} from './host-rules.js';
import {readRequest, type ExitRequest} from './read-request.js';

const CONNECT_MS = 30_000;
const REQUEST_MS = 10_000;
const MOST_AT_ONCE = 256;

/** What an exit lets through, and whom it tells and asks. */
export interface ExitOptions {
  readonly rules: readonly HostRule[];
  report(connection: ExitConnection): void;
  /** Asked about hosts that no rule names; without it they are refused. */
  readonly decide?: ExitWatch['decide'];
  /** What is added to requests, and the variables that hold it. */
  readonly secrets?: Secrets;
}

/** The secrets that an exit adds. */
export interface Secrets {
  readonly credentials: readonly Credential[];
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** A connection that stands, and what is sent first. */
interface Opened {
  readonly socket: Socket;
  readonly head: Buffer;
}

/**
 * The way out for confined programs that may reach some hosts: a proxy on a socket in the file system. Names are
 * resolved here, and the connection goes to the address that was looked at.
 */
export class NetworkExit {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(private readonly options: ExitOptions) {
    this.#server = createServer({allowHalfOpen: true}, (socket) => void this.#serve(socket));
    this.#server.maxConnections = MOST_AT_ONCE;
  }

  /** Opens one at a path. */
  static async open(path: string, options: ExitOptions): Promise<NetworkExit> {
    const exit = new NetworkExit(options);
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
      this.options.report({host, port, ...target});
      return void client.end(request.refuse(`gemini: ${host}:${port} was not reached: ${target.fault}`));
    }
    this.options.report({host, port});
    const {socket, head} = target;
    client.write(request.accept);
    socket.write(head);
    client.pipe(socket);
    socket.pipe(client);
  }

  async #open(request: ExitRequest): Promise<Opened | Refused> {
    const {credentials = [], variables = {}} = this.options.secrets ?? {};
    const {withHeader} = request;
    const credential = withHeader && findCredential(credentials, request);
    if (!withHeader || !credential) {
      const socket = await this.#connect(request);
      return 'fault' in socket ? socket : {socket, head: request.head};
    }
    const found = valueOf(credential, variables);
    if ('fault' in found) return fault(found.fault);
    const {host, port} = credential;
    const socket = await this.#connect({host, port});
    if ('fault' in socket) return socket;
    const secure = await this.#encrypt(socket, host);
    return {socket: secure, head: withHeader(credential.header, found.value)};
  }

  /** A secret is sent to no one who does not prove to be that host. */
  async #encrypt(socket: Socket, host: string): Promise<Socket> {
    const {connect} = await import('node:tls');
    const secure = connect({
      socket,
      rejectUnauthorized: true,
      ...(isIP(host) > 0 ? {} : {servername: host}),
      ALPNProtocols: ['http/1.1'],
    });
    secure.setTimeout(CONNECT_MS, () => secure.destroy(new Error('it did not answer in time.')));
    await once(secure, 'secureConnect');
    secure.setTimeout(0);
    return this.#keep(secure);
  }

  async #connect({host, port}: Pick<ExitRequest, 'host' | 'port'>): Promise<Socket | Refused> {
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
    if (isNamed(this.options.rules, host, port)) return true;
    const grant = grantOf(host, port);
    // No one can tell from a number what is behind it in a network that is not public.
    if (grant === undefined || (isIP(host) > 0 && isInner(host))) return false;
    const asked: AskedHost = {host, port, grant, secrets: secretsFor(this.options.secrets?.credentials ?? [], grant)};
    return this.options.decide?.(asked) ?? false;
  }

  #mayConnect(host: string, address: string, port: number): boolean {
    if (!isInner(address)) return true;
    return host.toLowerCase() === 'localhost' || isNamed(this.options.rules, address, port);
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
