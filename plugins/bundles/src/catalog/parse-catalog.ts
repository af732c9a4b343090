import {KernelError, messageOf} from '@gemini-kernel/kernel';
import {findViolations} from '@gemini-kernel/kernel/host';
import {oneLine} from '../one-line.js';
import {publishedSchema} from '../published-schema.js';
import type {CatalogEntry, CatalogKind} from './catalogs.js';

/** A catalog as `catalog.schema.json` describes it. */
interface WrittenCatalog {
  readonly name: string;
  readonly serial?: number;
  readonly expires?: string;
  readonly entries: readonly WrittenEntry[];
}

interface WrittenEntry {
  readonly kind: CatalogKind;
  readonly name: string;
  readonly description: string;
  readonly source: string;
  readonly version?: string;
  readonly author?: string;
  readonly published?: string;
  readonly keywords?: readonly string[];
  readonly builtFrom?: string;
  readonly does?: readonly string[];
}

/** An entry with the text that words are looked up in. */
export interface ParsedEntry extends Omit<CatalogEntry, 'verdict'> {
  readonly searched: string;
}

export interface ParsedCatalog {
  readonly name: string;
  readonly serial: number | undefined;
  /** The end of its last day. */
  readonly expires: Date | undefined;
  readonly entries: readonly ParsedEntry[];
}

/** A larger catalog is refused. */
export const MOST_BYTES = 4 * 1024 * 1024;
const LONGEST_TEXT = 200;

/** Reads the text of a catalog. Throws KernelError CATALOG_INVALID; `place` names it in the sentence. */
export async function parseCatalog(text: string, place: string): Promise<ParsedCatalog> {
  const value = parse(text, place);
  const [fault] = await findViolations(await publishedSchema('catalog'), value, 'catalog');
  if (fault !== undefined) throw invalid(place, oneLine(fault, LONGEST_TEXT));
  // The schema guarantees it.
  const {name, serial, expires, entries} = value as WrittenCatalog;
  return {
    name,
    serial,
    expires: expires === undefined ? undefined : new Date(`${expires}T23:59:59.999Z`),
    entries: entries.map((entry) => tidy(entry, name)),
  };
}

function parse(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalid(place, `it is not JSON (${oneLine(messageOf(cause), LONGEST_TEXT)})`);
  }
}

function tidy(entry: WrittenEntry, from: string): ParsedEntry {
  const {kind, name, source, version, builtFrom, published, keywords = []} = entry;
  const text = (one: string): string => oneLine(one, LONGEST_TEXT);
  const description = text(entry.description);
  const author = entry.author === undefined ? undefined : text(entry.author);
  return {
    ...{kind, name, description, from, install: source},
    ...(version === undefined ? {} : {version}),
    ...(author === undefined ? {} : {author}),
    ...(published === undefined ? {} : {published}),
    ...(builtFrom === undefined ? {} : {built: {from: builtFrom}}),
    ...(entry.does === undefined ? {} : {does: entry.does.map(text)}),
    searched: [name, description, author ?? '', ...keywords].join(' ').toLowerCase(),
  };
}

function invalid(place: string, clause: string): KernelError {
  return new KernelError('CATALOG_INVALID', `The catalog ${place} is invalid: ${clause}.`, {
    hint: 'manifests/schemas/catalog.schema.json says what a catalog has; `gemini catalogs check` checks one.',
  });
}
