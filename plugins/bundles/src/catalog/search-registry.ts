import {KernelError} from '@gemini-kernel/kernel';
import {hostOf} from '../install/fetch/network-faults.js';
import {fetchBytes, type FetchRequest} from '../install/fetch/registry-client.js';
import {registryOf} from '../install/fetch/resolve-registry.js';
import type {NpmOptions} from '../install/source/read-npm-options.js';
import {oneLine} from '../one-line.js';
import type {CatalogEntry, CatalogKind, CatalogQuery} from './catalogs.js';
import {isScope, matchesWords} from './match-words.js';

/** The keyword in package.json by which a package is found. */
export const KEYWORDS: Readonly<Record<CatalogKind, string>> = {
  plugin: 'gemini-plugin',
  extension: 'gemini-cli-extension',
};

export interface RegistrySearch extends Pick<FetchRequest, 'judge' | 'options' | 'signal'> {
  /** Ends with a slash. */
  readonly registry: string;
  readonly query: Pick<CatalogQuery, 'kind' | 'limit' | 'words'>;
}

/** What `GET /-/v1/search` says of a package; nothing of it is certain. */
interface SearchedPackage {
  readonly name?: unknown;
  readonly version?: unknown;
  readonly description?: unknown;
  readonly date?: unknown;
  readonly keywords?: unknown;
  readonly publisher?: unknown;
  readonly author?: unknown;
}

const NAME = /^(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/i;
const VERSION = /^[0-9A-Za-z][0-9A-Za-z.+-]{0,63}$/;
const MOST_ANSWER = 8 * 1024 * 1024;
/** The public registry gives no more at once. */
const MOST_ASKED = 250;
const LONGEST_TEXT = 200;
const LONGEST_NAME = 214;

/** The registries that the person's npm uses for these words: that of a scope, or all that are configured. */
export function registriesFor(words: readonly string[], options: NpmOptions): readonly string[] {
  const scopes = words.filter(isScope);
  const configured = Object.keys(options).flatMap((key) => (key.endsWith(':registry') ? [key.slice(0, -9)] : []));
  const names = scopes.length > 0 ? scopes : ['', ...configured.filter(isScope).sort()];
  return [...new Set(names.map((scope) => registryOf(scope === '' ? 'any' : `${scope}/any`, options)))];
}

/** Searches one registry. Throws the errors of `fetchBytes`, and KernelError CATALOG_UNREACHABLE. */
export async function searchRegistry(search: RegistrySearch): Promise<readonly CatalogEntry[]> {
  const {registry, query, ...request} = search;
  const {kind, words, limit} = query;
  const url = new URL('-/v1/search', registry);
  const asked = words.map((word) => (isScope(word) ? `scope:${word.slice(1)}` : word));
  url.searchParams.set('text', [`keywords:${KEYWORDS[kind]}`, ...asked].join(' '));
  // Some registries pass over the keyword; what they found besides is left out here.
  url.searchParams.set('size', String(Math.min(MOST_ASKED, limit * 2 + 20)));
  const bytes = await fetchBytes({...request, url: url.href, what: 'search results', limit: MOST_ANSWER}).catch(
    (error: unknown) => {
      if (!(error instanceof KernelError) || error.code !== 'INSTALL_MISSING') throw error;
      throw unsearchable(registry, 'it has no search', error);
    },
  );
  return packagesOf(bytes, registry).flatMap((one) => entryOf(one, {kind, words, from: hostOf(registry)}));
}

function packagesOf(bytes: Buffer, registry: string): readonly SearchedPackage[] {
  try {
    const {objects} = (JSON.parse(bytes.toString()) ?? {}) as {readonly objects?: unknown};
    if (!Array.isArray(objects)) throw new Error('no list of objects');
    return objects.map((one) => (one as {readonly package?: SearchedPackage} | null)?.package ?? {});
  } catch (cause) {
    throw unsearchable(registry, 'its answer is not that of a search', cause);
  }
}

function unsearchable(registry: string, clause: string, cause: unknown): KernelError {
  return new KernelError('CATALOG_UNREACHABLE', `${hostOf(registry)} cannot be searched: ${clause}.`, {
    cause,
    hint: 'Install by name where the name is known, or name a catalog in the setting catalogs.sources.',
  });
}

/** An entry, unless the package is of another kind, or has no name or version that could be installed. */
function entryOf(
  found: SearchedPackage,
  {kind, words, from}: {readonly kind: CatalogKind; readonly words: readonly string[]; readonly from: string},
): readonly CatalogEntry[] {
  const {name, version, keywords} = found;
  if (!isText(name) || !isText(version) || !isPackage(name, version)) return [];
  const known = Array.isArray(keywords) ? keywords : [];
  if (!known.includes(KEYWORDS[kind]) || !matchesWords(name, '', words.filter(isScope))) return [];
  return [{kind, name, version, from, ...textsOf(found), install: kind === 'plugin' ? name : `npm:${name}`}];
}

function isPackage(name: string, version: string): boolean {
  return NAME.test(name) && name.length <= LONGEST_NAME && VERSION.test(version);
}

function textsOf({
  description,
  date,
  publisher,
  author,
}: SearchedPackage): Pick<CatalogEntry, 'author' | 'description' | 'published'> {
  const by = textIn(publisher, 'username') ?? textIn(author, 'name') ?? (isText(author) ? author : undefined);
  return {
    description: isText(description) ? oneLine(description, LONGEST_TEXT) : '',
    ...(by === undefined ? {} : {author: oneLine(by, LONGEST_TEXT)}),
    ...(isText(date) && !Number.isNaN(Date.parse(date)) ? {published: new Date(date).toISOString()} : {}),
  };
}

function textIn(value: unknown, key: string): string | undefined {
  const found = (value as Readonly<Record<string, unknown>> | null | undefined)?.[key];
  return isText(found) && found !== '' ? found : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
