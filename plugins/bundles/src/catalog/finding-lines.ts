import {describeAge, describeCapability} from '../install/judge/describe-plugin.js';
import type {CatalogEntry, CatalogFinding, SearchedSource} from './catalogs.js';

/** What was found, as lines for a person. */
export function findingLines({entries, sources, hasMore}: CatalogFinding, now: Date): readonly string[] {
  if (sources.length === 0)
    return ['There is nothing to search: npm is left out, and the setting catalogs.sources names no catalog.'];
  if (entries.length === 0)
    return [`Nothing was found in ${sources.map(({name}) => name).join(', ')}. Try fewer or other words.`];
  const known = new Map(sources.map((source) => [source.name, source]));
  return [
    ...entries.flatMap((entry) => entryLines(entry, known.get(entry.from), now)),
    ...(hasMore ? ['There are more; add words, or raise --limit.'] : []),
  ];
}

function entryLines(entry: CatalogEntry, source: SearchedSource | undefined, now: Date): readonly string[] {
  const {name, version, description, does, verdict} = entry;
  const title = [name, ...(version ? [version] : []), ...(description === '' ? [] : [` ${description}`])];
  const later = verdict?.later?.join(', ');
  return [
    title.join(' '),
    `  ${describeOrigin(entry, source, now)}`,
    ...(does ? [`  may ${does.map(describeCapability).join(', ') || 'use no capability'}`] : []),
    ...(later === undefined ? [] : [`  your administrator asks for ${later}; checked when it is installed`]),
    `  ${describeStep(entry)}`,
  ];
}

function describeOrigin(
  {kind, author, published, from, built}: CatalogEntry,
  source: SearchedSource | undefined,
  now: Date,
): string {
  return [
    source ? `${from} (${describeTrust(source)})` : from,
    ...(author ? [`by ${author}`] : []),
    ...(published ? [describeAge(new Date(published), now)] : []),
    ...(built ? [describeBuilt(built, kind)] : []),
  ].join(', ');
}

function describeStep({kind, install, verdict}: CatalogEntry): string {
  if (verdict?.allowed === false) return `refused: ${verdict.reason ?? ''}`;
  return `gemini ${kind === 'plugin' ? 'plugins' : 'extensions'} install ${install}`;
}

function describeBuilt(built: NonNullable<CatalogEntry['built']>, kind: CatalogEntry['kind']): string {
  if ('from' in built) return `built from ${built.from}`;
  return kind === 'plugin' ? 'attested; verified when it is installed' : 'attested';
}

/** How much is known about who says it. */
export function describeTrust({
  type,
  signedBy,
  isManaged,
  fetched,
}: Pick<SearchedSource, 'fetched' | 'isManaged' | 'signedBy' | 'type'>): string {
  if (type === 'registry') return 'npm';
  return [
    `${isManaged ? "your administrator's " : ''}catalog`,
    signedBy === undefined ? 'unsigned' : `signed by ${signedBy}`,
    ...(fetched === undefined ? [] : [`as of ${fetched.slice(0, 16).replace('T', ' ')} UTC`]),
  ].join(', ');
}
