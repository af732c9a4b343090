import {setMaxListeners} from 'node:events';
import {Agent, request, type IncomingMessage} from 'node:http';
import {connect, type Socket, type TcpNetConnectOpts} from 'node:net';

export interface DirectFetchOptions {
  /** Called when a stream opened with GET has ended, on either side. */
  onStreamEnd(): void;
  /** Called when the other side sends too many requests. */
  onFlood(): void;
  /** Called once a socket is connected, before a byte is sent; gives the reason to send nothing there. */
  findFault(): Error | undefined;
}

/** The largest message or answer of a companion, in bytes. */
const LARGEST = 32 * 1024 * 1024;
const MOST_SOCKETS = 8;
/** Each request of the other side is answered by a separate request. */
const MOST_WAITING = 500;
/** A Response with one of these statuses must not have a body. */
const EMPTY = new Set([204, 205, 304]);
const NEWLINE = 0x0a;

export interface DirectFetch {
  fetch(url: string | URL, init?: RequestInit): Promise<Response>;
  /** Ends all open requests. */
  close(): void;
}

/**
 * Fetches from this machine: bypasses every proxy, has no time limit for silent streams as the built-in `fetch` has,
 * and limits what a companion can send or request.
 */
export function createDirectFetch({onStreamEnd, onFlood, findFault}: DirectFetchOptions): DirectFetch {
  const agent = createAgent(findFault);
  let waiting = 0;
  const fetch = (url: string | URL, init: RequestInit = {}): Promise<Response> =>
    new Promise((resolve, reject) => {
      const {method = 'GET', signal, body} = init;
      if ((waiting += 1) > MOST_WAITING) onFlood();
      // All requests of a connection share one agent.
      if (signal) setMaxListeners(0, signal);
      const headers = Object.fromEntries(new Headers(init.headers));
      const length = typeof body === 'string' ? {'content-length': Buffer.byteLength(body)} : {};
      const sent = request(url, {agent, method, headers: {...headers, ...length}, ...(signal ? {signal} : {})});
      sent.once('close', () => {
        waiting -= 1;
      });
      sent.on('error', reject);
      sent.on('response', (answer) => {
        try {
          resolve(toResponse(answer));
          if (method === 'GET' && isStream(answer)) answer.once('close', onStreamEnd);
        } catch (error) {
          // An invalid status or invalid headers: this is not a server of the protocol.
          answer.destroy();
          reject(error);
        }
      });
      sent.end(typeof body === 'string' ? body : undefined);
    });
  return {fetch, close: () => agent.destroy()};
}

/** Gives requests a socket only once it is connected and the other side has passed the check. */
function createAgent(findFault: DirectFetchOptions['findFault']): Agent {
  const createConnection = (options: TcpNetConnectOpts, done: (error: Error | null, socket?: Socket) => void): void => {
    const socket = connect(options);
    socket.once('error', done);
    socket.once('connect', () => {
      socket.removeListener('error', done);
      const fault = findFault();
      if (fault) socket.destroy();
      done(fault ?? null, fault ? undefined : socket);
    });
  };
  // Node waits for `done` if nothing is returned; its types do not say so.
  return Object.assign(new Agent({keepAlive: true, maxSockets: MOST_SOCKETS}), {createConnection});
}

function isStream({statusCode, headers}: IncomingMessage): boolean {
  return statusCode === 200 && (headers['content-type'] ?? '').startsWith('text/event-stream');
}

function toResponse(answer: IncomingMessage): Response {
  const {statusCode: status = 500, statusMessage: statusText = '', headers} = answer;
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((one): [string, string] => [name, one]),
  );
  if (EMPTY.has(status)) answer.resume();
  return new Response(EMPTY.has(status) ? null : bounded(answer), {status, statusText, headers: pairs});
}

/** The body, until one line of a stream, or the whole of anything else, exceeds the limit. */
function bounded(answer: IncomingMessage): ReadableStream<Uint8Array> {
  const perLine = isStream(answer);
  let size = 0;
  let isOver = false;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const end = (act: () => void): void => {
        if (!isOver) act();
        isOver = true;
      };
      answer.on('data', (chunk: Buffer) => {
        const line = perLine ? chunk.lastIndexOf(NEWLINE) : -1;
        size = line < 0 ? size + chunk.length : chunk.length - line - 1;
        if (size > LARGEST) answer.destroy(new Error(`it sent more than ${LARGEST} bytes at once`));
        else if (!isOver) controller.enqueue(chunk);
        if ((controller.desiredSize ?? 0) <= 0) answer.pause();
      });
      answer.once('error', (error) => end(() => controller.error(error)));
      answer.once('end', () => end(() => controller.close()));
      answer.once('close', () => end(() => controller.error(new Error('it broke off'))));
    },
    pull: () => void answer.resume(),
    cancel() {
      isOver = true;
      answer.destroy();
    },
  });
}
