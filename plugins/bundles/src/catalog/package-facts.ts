import {KernelError} from '@gemini-kernel/kernel';
import {fetchBytes, type FetchRequest} from '../install/fetch/registry-client.js';
import {registryOf} from '../install/fetch/resolve-registry.js';
import {oneLine} from '../one-line.js';
import type {CatalogEntry} from './catalogs.js';

const MOST_ANSWER = 4 * 1024 * 1024;
const SIDE_BY_SIDE = 8;
const MOST_CAPABILITIES = 50;

type Request = Pick<FetchRequest, 'judge' | 'options' | 'signal'>;

/** Adds what the registry says of these versions: whether they are attested, and what they declare to do. */
export async function addFacts(entries: readonly CatalogEntry[], request: Request): Promise<readonly CatalogEntry[]> {
  const known: CatalogEntry[] = [...entries];
  const left = [...entries.keys()];
  const work = async (): Promise<void> => {
    for (let index = left.shift(); index !== undefined; index = left.shift()) {
      const entry = entries[index];
      if (entry) known[index] = {...entry, ...(await factsOf(entry, request))};
    }
  };
  await Promise.all(Array.from({length: SIDE_BY_SIDE}, work));
  return known;
}

async function factsOf(
  {name, version = ''}: CatalogEntry,
  request: Request,
): Promise<Partial<Pick<CatalogEntry, 'built' | 'does'>>> {
  const url = `${registryOf(name, request.options)}${name.replace('/', '%2f')}/${version}`;
  let value: unknown;
  try {
    value = JSON.parse((await fetchBytes({...request, url, what: name, limit: MOST_ANSWER})).toString());
  } catch (error) {
    request.signal.throwIfAborted();
    // A registry need not know single versions; then nothing is said about it.
    if (error instanceof KernelError || error instanceof SyntaxError) return {};
    throw error;
  }
  const {dist, gemini} = (value ?? {}) as {
    readonly dist?: {readonly attestations?: unknown};
    readonly gemini?: {readonly capabilities?: unknown};
  };
  const does = gemini?.capabilities;
  return {
    ...(dist?.attestations ? {built: {attested: true as const}} : {}),
    ...(Array.isArray(does)
      ? {does: does.slice(0, MOST_CAPABILITIES).flatMap((one) => (typeof one === 'string' ? [oneLine(one, 80)] : []))}
      : {}),
  };
}
