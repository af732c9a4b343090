import {KernelError, messageOf} from '@gemini-kernel/kernel';
import type {Network} from '@gemini-kernel/plugin-network/contract';

/** The texts of a catalog. Both were received together: a signature is checked against these bytes. */
export interface CatalogTexts {
  readonly text: string;
  readonly signatures?: string;
  readonly etag?: string;
}

export interface CatalogRequest {
  readonly url: URL;
  readonly network: Pick<Network, 'explain' | 'fetch'>;
  /** What was fetched before; it is used where the server says that it still holds. */
  readonly kept?: CatalogTexts | undefined;
  readonly limit: number;
  readonly signal: AbortSignal;
}

/** A server that takes longer is not waited for. */
const PATIENCE_MS = 10_000;
const MOST_HOPS = 5;
const LONGEST_ETAG = 500;
const MOST_SIGNATURES = 64 * 1024;
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Where a catalog may be fetched from: https, or http of this machine. Throws KernelError CATALOG_INVALID. */
export function catalogUrl(location: string): URL {
  const url = URL.canParse(location) ? new URL(location) : undefined;
  const isPlain = url?.protocol === 'http:' && LOOPBACK.test(url.hostname);
  if (url && (url.protocol === 'https:' || isPlain) && url.username === '' && url.password === '') return url;
  throw new KernelError('CATALOG_INVALID', `${JSON.stringify(hidden(location))} is not an address of a catalog.`, {
    hint: 'Use https without a user and a password, or the absolute path of a file.',
  });
}

/** The text without a user and a password. */
function hidden(location: string): string {
  return location.replace(/\/\/[^/@]*@/, '//');
}

/** Where the signatures of a catalog are. */
export function signaturesUrl(url: URL): URL {
  const beside = new URL(url);
  beside.pathname += '.sig';
  return beside;
}

/** Fetches a catalog with its signatures. Throws KernelError CATALOG_UNREACHABLE or CATALOG_INVALID. */
export async function fetchCatalog(request: CatalogRequest): Promise<CatalogTexts> {
  const {url, kept, network} = request;
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(PATIENCE_MS)]);
  try {
    const {text, etag} = await fetchText({...request, signal}, kept);
    const signatures = await fetchSignatures({...request, signal});
    return {text, ...(signatures === undefined ? {} : {signatures}), ...(etag === undefined ? {} : {etag})};
  } catch (error) {
    request.signal.throwIfAborted();
    if (error instanceof KernelError) throw error;
    if (signal.aborted) throw unreachable(url, `it did not answer within ${PATIENCE_MS / 1000} seconds`);
    const {message, hint} = await network.explain(url.href, error);
    throw new KernelError('CATALOG_UNREACHABLE', message, {cause: error, hint});
  }
}

async function fetchText(request: CatalogRequest, kept: CatalogTexts | undefined): Promise<CatalogTexts> {
  const {url} = request;
  const answer = await follow(request, kept?.etag === undefined ? {} : {'if-none-match': kept.etag});
  if (answer.status === 304 && kept) return kept;
  if (answer.status !== 200) throw await wrongStatus(url, answer);
  const text = await readText(answer, request);
  const etag = answer.headers.get('etag');
  return {text, ...(etag !== null && etag.length < LONGEST_ETAG ? {etag} : {})};
}

/** Only a server that says that there are none has none. */
async function fetchSignatures(request: CatalogRequest): Promise<string | undefined> {
  const url = signaturesUrl(request.url);
  const answer = await follow({...request, url}, {});
  if (answer.status === 200) return readText(answer, {url, limit: MOST_SIGNATURES});
  const fault = await wrongStatus(url, answer);
  if ([404, 410].includes(answer.status)) return undefined;
  throw fault;
}

async function wrongStatus(url: URL, {status, body}: Response): Promise<KernelError> {
  await body?.cancel();
  return unreachable(url, `it answered ${status}`);
}

/** Follows redirects that stay on the server. */
async function follow(request: CatalogRequest, headers: Readonly<Record<string, string>>): Promise<Response> {
  let {url} = request;
  for (let hop = 0; hop <= MOST_HOPS; hop += 1) {
    const answer = await request.network.fetch(url, {redirect: 'manual', headers, signal: request.signal});
    if (![301, 302, 303, 307, 308].includes(answer.status)) return answer;
    await answer.body?.cancel();
    const location = answer.headers.get('location') ?? '';
    const next = URL.canParse(location, url.href) ? new URL(location, url) : undefined;
    if (next?.origin !== url.origin || next.username !== '')
      throw unreachable(url, `it redirects to ${next ? next.host : 'nowhere'}, which is not the server that you named`);
    url = next;
  }
  throw unreachable(url, `it redirects more than ${MOST_HOPS} times`);
}

async function readText({body}: Response, {url, limit}: Pick<CatalogRequest, 'limit' | 'url'>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > limit) throw unreachable(url, `its answer is larger than ${limit / 1024} KiB`);
    chunks.push(chunk);
  }
  return decode(Buffer.concat(chunks), url.href);
}

/** Bytes that are not UTF-8 would be other bytes when they are checked. Throws KernelError CATALOG_INVALID. */
export function decode(bytes: Uint8Array, place: string): string {
  try {
    return new TextDecoder('utf-8', {fatal: true, ignoreBOM: true}).decode(bytes);
  } catch (cause) {
    throw new KernelError('CATALOG_INVALID', `The catalog ${place} is not UTF-8 text: ${messageOf(cause)}.`, {cause});
  }
}

function unreachable(url: URL, clause: string): KernelError {
  return new KernelError('CATALOG_UNREACHABLE', `Cannot get the catalog from ${url.host}: ${clause}.`, {
    hint: 'Check the address in the setting catalogs.sources, and the network.',
  });
}
