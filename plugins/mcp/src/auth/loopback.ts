import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';

/** What an authorization server sends back through the browser. */
export interface Returned {
  readonly code: string;
  readonly iss?: string;
}

/** A small web server on this machine that a browser returns to. */
export interface Loopback {
  readonly redirectUrl: string;
  /** Settles once, with the first answer that carries the right state. */
  readonly returned: Promise<Returned>;
  close(): Promise<void>;
}

interface LoopbackRequest {
  readonly state: string;
  /** The address that a client was registered with, if there is one. */
  readonly redirectUri?: string | undefined;
  readonly port?: number | undefined;
}

const PATH = '/oauth/callback';

/** Listens on this machine only. Throws the error of `listen`. */
export async function openLoopback({state, redirectUri, port}: LoopbackRequest): Promise<Loopback> {
  const given = redirectUri === undefined ? undefined : new URL(redirectUri);
  const path = given?.pathname ?? PATH;
  let settle: {resolve(value: Returned): void; reject(error: Error): void} | undefined;
  const returned = new Promise<Returned>((resolve, reject) => (settle = {resolve, reject}));
  // Who waits for it may have left already.
  returned.catch(() => undefined);
  const server = createServer((request, response) => {
    const outcome = readReturn(request, path, state);
    answer(response, outcome);
    if (outcome === 'other' || outcome === 'foreign') return;
    if (outcome instanceof Error) settle?.reject(outcome);
    else settle?.resolve(outcome);
  });
  await listen(server, Number(given?.port ?? '') || port || 0);
  const {port: bound} = server.address() as AddressInfo;
  const redirectUrl = redirectUri ?? `http://localhost:${bound}${PATH}`;
  return {
    redirectUrl,
    returned,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', () => resolve());
  });
}

function readReturn(request: IncomingMessage, path: string, state: string): Returned | Error | 'other' | 'foreign' {
  const url = new URL(request.url ?? '/', 'http://localhost');
  if (request.method !== 'GET' || url.pathname !== path) return 'other';
  return readAddress(url, state);
}

/** Reads the address that a browser was sent to; one with another state belongs to another login. */
export function readAddress({searchParams}: URL, state: string): Returned | Error | 'foreign' {
  if (searchParams.get('state') !== state) return 'foreign';
  const [code, iss, error] = ['code', 'iss', 'error'].map((name) => searchParams.get(name));
  if (error) return new Error(`the server answered "${searchParams.get('error_description') ?? error}"`);
  if (!code) return new Error('the server answered without a code');
  return {code, ...(iss ? {iss} : {})};
}

const pages = {
  other: [404, 'There is nothing here.'],
  foreign: [400, 'This is not the login that gemini waits for. Start it again.'],
  failed: [400, 'The login failed. The terminal shows the reason.'],
  done: [200, 'You are logged in. You can close this window and return to the terminal.'],
} as const;

/** Nothing of the request is in the page. */
function answer(response: ServerResponse, outcome: Returned | Error | 'other' | 'foreign'): void {
  const kind = typeof outcome === 'string' ? outcome : outcome instanceof Error ? 'failed' : 'done';
  const [status, text] = pages[kind];
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    connection: 'close',
  });
  response.end(`${text}\n`);
}
