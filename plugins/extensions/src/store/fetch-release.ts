import type {Network} from '@gemini-kernel/plugin-network/contract';
import {chooseAsset, type ReleaseAsset} from './choose-asset.js';

/** How releases are asked for. */
export interface ReleaseMeans {
  readonly network: Pick<Network, 'explain' | 'fetch'>;
  /** The address of the API, with a slash at its end. Only tests give another one. */
  readonly api?: string;
}

export interface ReleaseFetch extends ReleaseMeans {
  readonly repository: string;
  /** The tag that was asked for; without it, the newest release counts. */
  readonly tag: string | undefined;
  readonly preRelease: boolean;
  readonly platform: NodeJS.Platform;
  readonly arch: string;
  readonly limit: number;
  readonly signal: AbortSignal;
  /** Makes the error of a reason such as `it answered 500`. */
  failed(reason: string): Error;
}

export interface FetchedRelease {
  readonly tag: string;
  /** The name of the asset; absent for the source code of the tag. */
  readonly asset?: string;
  readonly bytes: Buffer;
}

const API = 'https://api.github.com/';
/** Where GitHub keeps what its API redirects to. */
const STORES = /^(?:[\w-]+\.)*(?:github\.com|githubusercontent\.com)$/;
const LOCATION = /^https:\/\/(?:www\.)?github\.com\/([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/i;
const TAG = /^\w[\w.+/@-]{0,200}$/;
const MOST_ANSWER = 4 * 1024 * 1024;
const MOST_HOPS = 5;
const ASKING_MS = 10_000;
const FETCHING_MS = 300_000;

/** `owner/name` of an address of GitHub; undefined for any other address. */
export function repositoryOf(location: string): string | undefined {
  return LOCATION.exec(location)?.[1];
}

/**
 * The archive of a release: its asset for this platform, or the source code of its tag. Undefined when there is no such
 * release. Sends no token and no cookie, and follows redirects to GitHub's own servers only.
 */
export async function fetchRelease(request: ReleaseFetch): Promise<FetchedRelease | undefined> {
  const {repository, platform, arch, limit, failed, api = API} = request;
  const found = await askForRelease(request);
  if (!found) return undefined;
  const {tag, assets} = found;
  const asset = chooseAsset(assets, platform, arch);
  // Put together here: what the answer names as addresses does not count.
  const path = asset ? `releases/assets/${asset.id}` : `tarball/${encodeURIComponent(tag)}`;
  const url = new URL(`repos/${repository}/${path}`, api);
  const accept = asset ? 'application/octet-stream' : 'application/vnd.github+json';
  const answer = await receive(request, {url, accept, limit, patience: FETCHING_MS});
  if (answer.status !== 200) throw failed(`${asset?.name ?? tag}: it answered ${answer.status}`);
  return {tag, ...(asset ? {asset: asset.name} : {}), bytes: answer.bytes};
}

interface Release {
  readonly tag: string;
  readonly assets: readonly ReleaseAsset[];
}

async function askForRelease(request: ReleaseFetch): Promise<Release | undefined> {
  const {repository, tag, preRelease, failed, api = API} = request;
  const path =
    tag !== undefined
      ? `releases/tags/${encodeURIComponent(tag)}`
      : preRelease
        ? 'releases?per_page=1'
        : 'releases/latest';
  const url = new URL(`repos/${repository}/${path}`, api);
  const answer = await receive(request, {
    ...{url, accept: 'application/vnd.github+json', limit: MOST_ANSWER},
    patience: ASKING_MS,
  });
  if (answer.status === 404) return undefined;
  if (answer.status !== 200) throw failed(`it answered ${answer.status}`);
  const value = parse(answer.bytes, failed);
  const release: unknown = Array.isArray(value) ? value[0] : value;
  // A repository without any release has an empty list.
  return release === undefined ? undefined : readRelease(release, failed);
}

function parse(bytes: Buffer, failed: ReleaseFetch['failed']): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    throw failed('its answer is not JSON');
  }
}

function readRelease(value: unknown, failed: ReleaseFetch['failed']): Release {
  const {tag_name: tag, assets} = (value ?? {}) as {readonly tag_name?: unknown; readonly assets?: unknown};
  if (typeof tag !== 'string' || !TAG.test(tag) || !Array.isArray(assets))
    throw failed('its answer does not describe a release');
  return {
    tag,
    assets: assets.flatMap((one: {readonly id?: unknown; readonly name?: unknown} | null) => {
      const {id, name} = one ?? {};
      return typeof name === 'string' && Number.isSafeInteger(id) ? [{id: id as number, name}] : [];
    }),
  };
}

interface Reception {
  readonly url: URL;
  readonly accept: string;
  readonly limit: number;
  readonly patience: number;
}

interface Answer {
  readonly status: number;
  readonly bytes: Buffer;
}

async function receive(request: ReleaseFetch, {url, accept, limit, patience}: Reception): Promise<Answer> {
  const {network, failed} = request;
  const late = AbortSignal.timeout(patience);
  const signal = AbortSignal.any([request.signal, late]);
  try {
    const response = await follow(request, {url, accept, signal});
    return {status: response.status, bytes: await readBytes(response, limit, failed)};
  } catch (error) {
    request.signal.throwIfAborted();
    if (late.aborted) throw failed(`it did not answer within ${patience / 1000} seconds`);
    if ((error as {code?: unknown}).code === 'EXTENSION_UNREACHABLE') throw error;
    throw failed((await network.explain(url.href, error)).message.replace(/\.$/, ''));
  }
}

async function follow(
  {network, failed, api = API}: ReleaseFetch,
  {url, accept, signal}: {readonly url: URL; readonly accept: string; readonly signal: AbortSignal},
): Promise<Response> {
  let at = url;
  for (let hop = 0; hop <= MOST_HOPS; hop += 1) {
    const answer = await network.fetch(at, {redirect: 'manual', headers: {accept}, signal});
    if (![301, 302, 303, 307, 308].includes(answer.status)) return answer;
    await answer.body?.cancel();
    const location = answer.headers.get('location') ?? '';
    const next = URL.canParse(location, at.href) ? new URL(location, at) : undefined;
    if (!next || !isOfGitHub(next, api))
      throw failed(`it redirects to ${next ? next.host : 'nowhere'}, which is not a server of GitHub`);
    at = next;
  }
  throw failed(`it redirects more than ${MOST_HOPS} times`);
}

function isOfGitHub(url: URL, api: string): boolean {
  return (
    url.origin === new URL(api).origin || (url.protocol === 'https:' && url.port === '' && STORES.test(url.hostname))
  );
}

async function readBytes({body}: Response, limit: number, failed: ReleaseFetch['failed']): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > limit) throw failed(`its answer is larger than ${limit / 1024 / 1024} MiB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
