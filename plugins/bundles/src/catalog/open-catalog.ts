import {basename, isAbsolute} from 'node:path';
import {readRegular} from '@gemini-kernel/files';
import type {PublicKeys} from '@gemini-kernel/admission';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import type {Network} from '@gemini-kernel/plugin-network/contract';
import type {CatalogCache, KeptCatalog} from './catalog-cache.js';
import {findCatalogSigner} from './catalog-signature.js';
import type {SearchedSource} from './catalogs.js';
import {catalogUrl, decode, fetchCatalog, type CatalogTexts} from './fetch-catalog.js';
import {MOST_BYTES, parseCatalog, type ParsedCatalog, type ParsedEntry} from './parse-catalog.js';
import type {WantedCatalog} from './wanted-catalogs.js';

/** A catalog that was read, with its entries; without entries, where its `fault` says why it cannot be used. */
export interface OpenedCatalog {
  readonly source: Omit<SearchedSource, 'entries'>;
  readonly entries: readonly ParsedEntry[];
}

export interface Opening {
  readonly cache: CatalogCache;
  readonly network: Pick<Network, 'explain' | 'fetch'> | undefined;
  /** The administrator's keys. */
  readonly known: PublicKeys;
  readonly signal: AbortSignal;
  now(): Date;
}

type Checked = ParsedCatalog & {readonly signedBy: string | undefined};
type Outcome = Partial<Pick<SearchedSource, 'fault' | 'fetched' | 'hint'>> & {readonly checked?: Checked};

/** Reads a catalog from its file, or from its server, or as it was fetched last where the server does not answer. */
export async function openCatalog(wanted: WantedCatalog, opening: Opening): Promise<OpenedCatalog> {
  const {location, isManaged} = wanted;
  const {checked, ...said} = await (isAbsolute(location) ? fromFile : fromServer)(wanted, opening);
  return {
    source: {
      name: checked?.name ?? nameOf(location),
      type: 'catalog',
      location,
      ...(isManaged ? {isManaged} : {}),
      ...(checked?.signedBy === undefined ? {} : {signedBy: checked.signedBy}),
      ...said,
    },
    entries: checked?.entries ?? [],
  };
}

/** The name of a catalog that cannot be read. */
function nameOf(location: string): string {
  return !isAbsolute(location) && URL.canParse(location) ? new URL(location).host : basename(location);
}

async function fromFile(wanted: WantedCatalog, opening: Opening): Promise<Outcome> {
  const {location} = wanted;
  try {
    const text = decode(await readRegular(location, {limit: MOST_BYTES}), location);
    const beside = await readRegular(`${location}.sig`, {limit: MOST_BYTES}).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    });
    const signatures = beside && decode(beside, `${location}.sig`);
    return {checked: await check({text, ...(signatures === undefined ? {} : {signatures})}, wanted, opening)};
  } catch (error) {
    return faultOf(
      error instanceof KernelError
        ? error
        : new KernelError('CATALOG_UNREACHABLE', `Cannot read the catalog ${location}: ${messageOf(error)}.`, {
            cause: error,
            hint: 'Check the path in the setting catalogs.sources.',
          }),
    );
  }
}

async function fromServer(wanted: WantedCatalog, opening: Opening): Promise<Outcome> {
  const {cache, signal} = opening;
  const kept = await cache.read(wanted.location);
  try {
    const texts = await fetchTexts(wanted, kept, opening);
    const checked = await check(texts, wanted, opening);
    if (isOlder(checked, kept)) throw replayed(wanted, checked, kept);
    await cache.keep(wanted.location, {...texts, ...memoryOf(checked, kept, opening)});
    return {checked};
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof KernelError)) throw error;
    return {...faultOf(error), ...(kept ? await useKept(kept, wanted, opening) : {})};
  }
}

/** What is remembered beside the texts. Only a signed serial counts later. */
function memoryOf(
  {serial, signedBy}: Checked,
  kept: KeptCatalog | undefined,
  {now}: Opening,
): Pick<KeptCatalog, 'fetched' | 'serial'> {
  const known = (signedBy === undefined ? undefined : serial) ?? kept?.serial;
  return {fetched: now().toISOString(), ...(known === undefined ? {} : {serial: known})};
}

function replayed({location}: WantedCatalog, {serial}: Checked, kept: KeptCatalog | undefined): KernelError {
  const before = kept?.serial ?? 0;
  const clause =
    serial === undefined ? `it has no serial, and ${before}` : `its serial ${serial} is lower than ${before}, which`;
  return new KernelError('CATALOG_INVALID', `The catalog ${location} is not used: ${clause} was seen before.`, {
    hint: 'Ask its publisher why an older one is served.',
  });
}

function fetchTexts(
  {location}: WantedCatalog,
  kept: KeptCatalog | undefined,
  {network, signal}: Opening,
): Promise<CatalogTexts> {
  const url = catalogUrl(location);
  if (network) return fetchCatalog({url, network, kept, limit: MOST_BYTES, signal});
  throw new KernelError('CATALOG_UNREACHABLE', `Cannot get the catalog from ${url.host}: there is no network here.`, {
    hint: 'The plugin "network" is not loaded; name a file instead.',
  });
}

/** A server could offer what a signer has withdrawn since. */
function isOlder({serial, signedBy}: Checked, kept: KeptCatalog | undefined): boolean {
  return signedBy !== undefined && kept?.serial !== undefined && (serial ?? 0) < kept.serial;
}

/** What was fetched before holds only if it would be used today. */
async function useKept(kept: KeptCatalog, wanted: WantedCatalog, opening: Opening): Promise<Outcome> {
  try {
    return {checked: await check(kept, wanted, opening), fetched: kept.fetched};
  } catch (error) {
    if (error instanceof KernelError) return {};
    throw error;
  }
}

async function check(
  {text, signatures}: CatalogTexts,
  {location, key}: WantedCatalog,
  {known, now}: Opening,
): Promise<Checked> {
  const signedBy = findCatalogSigner({text, signatures, known, pinned: key, place: location});
  const parsed = await parseCatalog(text, location);
  if (parsed.expires && parsed.expires < now())
    throw new KernelError(
      'CATALOG_INVALID',
      `The catalog ${location} is not used: it expired on ${parsed.expires.toISOString().slice(0, 10)}.`,
      {hint: 'Ask its publisher for a new one.'},
    );
  return {...parsed, signedBy};
}

function faultOf({message, hint}: KernelError): Outcome {
  return {fault: message, ...(hint === undefined ? {} : {hint})};
}
