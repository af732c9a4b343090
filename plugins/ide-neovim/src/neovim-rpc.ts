import {connect, type Socket} from 'node:net';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import {decodeMultiStream, encode} from '@msgpack/msgpack';

/** A connection to a running Neovim. */
export interface NeovimRpc {
  /** Sends a request. Rejects with an Error in Neovim's own words, or because Neovim has ended. */
  request(method: string, ...parameters: readonly unknown[]): Promise<unknown>;
  /** Resolves when the connection has ended, on either side. */
  readonly ended: Promise<void>;
  close(): void;
}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

const CONNECT_MS = 5000;
const [REQUEST, RESPONSE, NOTIFICATION] = [0, 1, 2];

/**
 * Connects to the address of a Neovim: a socket, a pipe of Windows, or host:port. Throws KernelError
 * NEOVIM_UNREACHABLE.
 */
export async function connectToNeovim(
  address: string,
  onNotification: (method: string, parameters: readonly unknown[]) => void,
): Promise<NeovimRpc> {
  const socket = await openSocket(address);
  const waiting = new Map<number, Waiting>();
  let count = 0;
  const finish = (): void => {
    for (const {reject} of waiting.values()) reject(new Error('Neovim has ended.'));
    waiting.clear();
    socket.destroy();
  };
  // However it ended, the connection is closed.
  const ended = readMessages(socket, waiting, onNotification).then(finish, finish);
  return {
    ended,
    request: (method, ...parameters) =>
      new Promise((resolve, reject) => {
        if (socket.destroyed) return reject(new Error('Neovim has ended.'));
        const id = (count = (count + 1) % 0xffffffff);
        waiting.set(id, {resolve, reject});
        socket.write(encode([REQUEST, id, method, parameters]));
      }),
    close: () => socket.destroy(),
  };
}

function openSocket(address: string): Promise<Socket> {
  const [, host, port] = /^([^/\\]+):(\d+)$/.exec(address) ?? [];
  return new Promise((resolve, reject) => {
    const socket =
      host !== undefined && port !== undefined ? connect({host, port: Number(port)}) : connect({path: address});
    const fail = (cause: unknown): void => {
      socket.destroy();
      reject(
        new KernelError('NEOVIM_UNREACHABLE', `Cannot reach Neovim at ${address}: ${messageOf(cause)}`, {
          cause,
          hint: 'Run :echo v:servername in Neovim to see its address. In a terminal of Neovim you need not give one.',
        }),
      );
    };
    socket.setTimeout(CONNECT_MS, () => fail(new Error('it does not answer.')));
    socket.once('error', fail);
    socket.once('connect', () => {
      socket.setTimeout(0);
      socket.off('error', fail);
      resolve(socket);
    });
  });
}

/**
 * Reads messages from Neovim until the stream ends. Rejects when the connection breaks, or a message cannot be decoded.
 */
async function readMessages(
  socket: Socket,
  waiting: Map<number, Waiting>,
  onNotification: (method: string, parameters: readonly unknown[]) => void,
): Promise<void> {
  for await (const message of decodeMultiStream(socket)) {
    if (!Array.isArray(message)) return;
    const [kind, ...rest] = message as readonly unknown[];
    if (kind === RESPONSE) settle(waiting, rest);
    else if (kind === NOTIFICATION) onNotification(String(rest[0]), Array.isArray(rest[1]) ? rest[1] : []);
    else if (kind === REQUEST) socket.write(encode([RESPONSE, rest[0], 'This client answers no requests.', null]));
  }
}

function settle(waiting: Map<number, Waiting>, [id, error, result]: readonly unknown[]): void {
  const one = waiting.get(Number(id));
  waiting.delete(Number(id));
  if (error === null || error === undefined) one?.resolve(result);
  else one?.reject(new Error(Array.isArray(error) ? String(error[1]) : String(error)));
}
