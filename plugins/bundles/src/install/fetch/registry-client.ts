import {setMaxListeners} from 'node:events';
import {createRequire} from 'node:module';
import {messageOf} from '@gemini-kernel/kernel';
import type {NpmOptions} from '../source/read-npm-options.js';
import {checkReachable} from './check-reachable.js';
import {wrongArchive} from './integrity.js';
import {unreachable, wrongStatus} from './network-faults.js';

export interface FetchRequest {
  readonly url: string;
  readonly options: NpmOptions;
  /** What is fetched, for display. */
  readonly what: string;
  /** Larger answers are refused. */
  readonly limit: number;
  readonly signal: AbortSignal;
  /** Bytes with this digest may come from npm's own cache without a request. */
  readonly integrity?: string;
  readonly accept?: string;
  /** Called for each address that the server redirects to; an error that it throws ends the fetch. */
  judge?(url: string): void;
}

interface Auth {
  readonly token?: string | null;
  readonly auth?: string | null;
  readonly cert?: string | null;
  readonly key?: string | null;
}

interface Answer {
  readonly status: number;
  readonly headers: {get(name: string): string | null};
  readonly body: NodeJS.ReadableStream & {destroy(): void};
}

type RegistryFetch = {getAuth(url: string, options: object): Auth};
type Fetch = (url: string, options: object) => Promise<Answer>;

/** A longer pause between two pieces counts as no answer, whatever npm's configuration says. */
const PATIENCE_MS = 30_000;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const MOST_HOPS = 5;
const RETRIED = new Set([408, 429, 500, 502, 503, 504]);

/**
 * Fetches an address with the user's npm configuration: proxy, certificates, and the token if the host is the one it
 * belongs to. Throws KernelError INSTALL_UNREACHABLE, INSTALL_UNAUTHORISED or INSTALL_MISSING.
 */
export async function fetchBytes(request: FetchRequest): Promise<Buffer> {
  const {url, options, what, signal} = request;
  await checkReachable(url, options, signal, what);
  const load = createRequire(import.meta.url);
  const {getAuth} = load('npm-registry-fetch') as RegistryFetch;
  // Exactly the copy that npm-registry-fetch uses, which does not pass on a signal.
  const fetch = createRequire(load.resolve('npm-registry-fetch'))('make-fetch-happen') as Fetch;
  const send = (): Promise<Buffer> => follow(request, (hop) => receive(fetch, hop, getAuth(hop.url, options)));
  try {
    return await send();
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof PassingFault)) throw describe(error, request);
    return send().catch((again: unknown) => {
      signal.throwIfAborted();
      throw describe(again, request);
    });
  }
}

/** A failure that a retry may not meet. */
class PassingFault extends Error {}

function describe(error: unknown, {url, what, integrity}: FetchRequest): unknown {
  const cause = error instanceof PassingFault ? error.cause : error;
  // npm's cache itself checks what it reads and stores against the digest.
  const {code, found} = (deepest(cause) ?? {}) as {readonly code?: unknown; readonly found?: unknown};
  if (integrity && code === 'EINTEGRITY')
    return wrongArchive({what, by: 'the lock', expected: integrity, found: String(found)});
  return unreachable(what, url, cause);
}

function deepest(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? deepest(error.cause) : error;
}

/** Follows a few redirects, if the caller allows each. */
async function follow(
  request: FetchRequest,
  receiveOne: (hop: FetchRequest) => Promise<Buffer | URL>,
): Promise<Buffer> {
  const {options, what, signal, judge} = request;
  let hop = request;
  for (let count = 0; count <= MOST_HOPS; count += 1) {
    const found = await receiveOne(hop);
    if (!(found instanceof URL)) return found;
    judge?.(found.href);
    await checkReachable(found.href, options, signal, what);
    hop = {...request, url: found.href};
  }
  throw unreachable(what, request.url, new Error(`it redirects more than ${MOST_HOPS} times`));
}

async function receive(fetch: Fetch, request: FetchRequest, auth: Auth): Promise<Buffer | URL> {
  const {url, options, what, signal} = request;
  const answer = await fetch(url, fetchOptions(request, auth));
  if (REDIRECTS.has(answer.status)) {
    answer.body.destroy();
    return placeOf(answer.headers.get('location'), url);
  }
  if (answer.status !== 200) {
    answer.body.destroy();
    if (RETRIED.has(answer.status))
      throw new PassingFault('status', {cause: new Error(`it answered ${answer.status}`)});
    throw wrongStatus({
      what,
      url,
      status: answer.status,
      isKnown: Boolean(auth.token ?? auth.auth),
      registry: options.registry,
    });
  }
  return readBody(answer, request.limit, signal);
}

function placeOf(location: string | null, from: string): URL {
  const place = location !== null && URL.canParse(location, from) ? new URL(location, from) : undefined;
  if (
    place &&
    /^https?:$/.test(place.protocol) &&
    place.username === '' &&
    !(place.protocol === 'http:' && from.startsWith('https:'))
  )
    return place;
  throw new Error(`it redirects to ${place ? `${place.protocol}//${place.host}` : 'nowhere'}, which is not allowed`);
}

function fetchOptions({options, signal, integrity, accept}: FetchRequest, auth: Auth): object {
  const authorization = auth.token ? `Bearer ${auth.token}` : auth.auth ? `Basic ${auth.auth}` : undefined;
  return {
    signal,
    redirect: 'manual',
    headers: {
      ...(authorization ? {authorization} : {}),
      ...(accept ? {accept} : {}),
      ...(options['userAgent'] ? {'user-agent': options['userAgent']} : {}),
    },
    cert: auth.cert ?? options['cert'],
    key: auth.key ?? options['key'],
    ca: options['ca'],
    strictSSL: options['strictSSL'],
    localAddress: options['localAddress'],
    proxy: options.httpsProxy ?? options.proxy,
    noProxy: options.noProxy,
    maxSockets: options['maxSockets'],
    retry: {retries: 0},
    timeout: Math.min(options.timeout ?? PATIENCE_MS, PATIENCE_MS),
    ...(integrity && options.cache ? {cachePath: options.cache, cache: 'force-cache', integrity} : {}),
  };
}

function readBody({body, headers}: Answer, limit: number, signal: AbortSignal): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const stop = (error: unknown): void => {
      signal.removeEventListener('abort', onAbort);
      body.destroy();
      reject(error);
    };
    const onAbort = (): void => stop(signal.reason);
    // One for each archive that is read at the same time.
    setMaxListeners(0, signal);
    signal.addEventListener('abort', onAbort, {once: true});
    body.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > limit) stop(new Error(`it is larger than ${limit} bytes`));
    });
    body.once('error', (cause: Error) =>
      stop(new PassingFault(messageOf(cause), {cause: new Error(`the connection broke after ${size} bytes`, {cause})})),
    );
    body.once('end', () => {
      signal.removeEventListener('abort', onAbort);
      const announced = headers.get('content-encoding') ? null : headers.get('content-length');
      if (announced !== null && Number(announced) !== size)
        reject(
          new PassingFault('short', {cause: new Error(`the connection broke after ${size} of ${announced} bytes`)}),
        );
      else resolve(Buffer.concat(chunks));
    });
  });
}
