import {fetchBytes} from './fetch/registry-client.js';
import {registryOf} from './fetch/resolve-registry.js';
import {isOlder} from './judge/is-older.js';
import type {NpmOptions} from './source/read-npm-options.js';

interface Wanted {
  readonly name: string;
  /** The version that runs. */
  readonly version: string;
  readonly options: NpmOptions;
  readonly signal: AbortSignal;
}

const MOST_BYTES = 64 * 1024;
const VERSION = /^\d{1,9}\.\d{1,9}\.\d{1,9}(?:-[0-9A-Za-z.-]{1,48})?$/;
/** From the least stable one on: a version of one channel is compared with it and with more stable ones. */
const CHANNELS = ['nightly', 'preview', 'latest'];

/**
 * The newest version of a package that is not less stable than the one that runs; undefined: there is no newer one.
 * Throws the errors of `fetchBytes`, and a SyntaxError for an answer that is not JSON.
 */
export async function findNewer({name, version, options, signal}: Wanted): Promise<string | undefined> {
  const url = `${registryOf(name, options)}-/package/${name.replace('/', '%2f')}/dist-tags`;
  const bytes = await fetchBytes({url, options, what: `versions of ${name}`, limit: MOST_BYTES, signal});
  return newestOf(JSON.parse(bytes.toString('utf8')), version);
}

/** What the tags of a package say, of which nothing is certain. */
export function newestOf(tags: unknown, version: string): string | undefined {
  if (typeof tags !== 'object' || tags === null) return undefined;
  const own = CHANNELS.findIndex((channel) => version.includes(`-${channel}`));
  return CHANNELS.slice(own < 0 ? CHANNELS.indexOf('latest') : own)
    .map((channel): unknown => (Object.hasOwn(tags, channel) ? (tags as Record<string, unknown>)[channel] : undefined))
    .filter((one): one is string => typeof one === 'string' && VERSION.test(one) && isOlder(version, one))
    .reduce<string | undefined>((best, one) => (best === undefined || isOlder(best, one) ? one : best), undefined);
}
