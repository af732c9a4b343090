import {join} from 'node:path';
import {KernelError, type ServiceContext} from '@gemini-kernel/kernel';
import {hostOf} from '../install/fetch/network-faults.js';
import {judgeAddress} from '../install/judge/judge-rules.js';
import {readOwnNpm, readOwnRules, type OwnRules} from '../install/source/own-rules.js';
import type {NpmOptions} from '../install/source/read-npm-options.js';
import {CatalogCache} from './catalog-cache.js';
import type {CatalogEntry, CatalogFinding, CatalogQuery, Catalogs, SearchedSource} from './catalogs.js';
import {findingLines} from './finding-lines.js';
import {judgeEntry} from './judge-entry.js';
import {matchesWords} from './match-words.js';
import {openCatalog, type OpenedCatalog} from './open-catalog.js';
import {addFacts} from './package-facts.js';
import {registriesFor, searchRegistry} from './search-registry.js';
import {readWanted, type WantedSources} from './wanted-catalogs.js';

type Context = Pick<ServiceContext, 'environment' | 'names' | 'service' | 'signal'>;

/** One source after it was searched. */
interface Searched {
  readonly source: SearchedSource;
  readonly entries: readonly CatalogEntry[];
}

/** Finds plugins and extensions in catalogs and by npm. Nothing is kept but what was fetched of catalogs. */
export class LiveCatalogs implements Catalogs {
  constructor(private readonly context: Context) {}

  async list(): Promise<readonly SearchedSource[]> {
    const {catalogs} = await this.#wanted();
    const opened = await this.#open(catalogs, await readOwnRules(this.context));
    return opened.map(({source, entries}) => ({...source, entries: entries.length}));
  }

  async find(query: CatalogQuery): Promise<CatalogFinding> {
    const [wanted, rules, npm] = await Promise.all([
      this.#wanted(),
      readOwnRules(this.context),
      readOwnNpm(this.context),
    ]);
    const registries = wanted.npm ? registriesFor(query.words, npm) : [];
    const names = registries.map((registry) => hostOf(registry));
    const isAsked = (name: string): boolean => [undefined, name].includes(query.source);
    const [opened, ...found] = await Promise.all([
      this.#open(wanted.catalogs, rules, names),
      ...registries
        .filter((registry) => isAsked(hostOf(registry)))
        .map((registry) => this.#search(registry, {query, rules, npm})),
    ]);
    const searched = [...opened.map((one) => select(one, query)), ...found].filter(({source}) => isAsked(source.name));
    if (query.source !== undefined && searched.length === 0)
      throw unknownSource(query.source, [...opened.map(({source}) => source.name), ...names]);
    checkAnswers(searched.map(({source}) => source));
    const all = withoutTwins(searched.flatMap(({entries}) => entries));
    const shown = await this.#addFacts(all.slice(0, query.limit), {names, rules, npm});
    return {
      entries: query.kind === 'plugin' ? shown.map((one) => ({...one, verdict: judgeEntry(one, {rules, npm})})) : shown,
      sources: searched.map(({source}) => source),
      hasMore: all.length > query.limit,
    };
  }

  describe(finding: CatalogFinding): Promise<readonly string[]> {
    return Promise.resolve(findingLines(finding, new Date()));
  }

  async #wanted(): Promise<WantedSources> {
    const {names, service} = this.context;
    return names('settings').length > 0 ? readWanted(await service('settings')) : {catalogs: [], npm: true};
  }

  /** Reads all catalogs at once. Their names are unique: a later one takes none of an earlier one, or of a registry. */
  async #open(
    catalogs: WantedSources['catalogs'],
    {managed, now}: OwnRules,
    taken: readonly string[] = [],
  ): Promise<readonly OpenedCatalog[]> {
    const {environment, names, service, signal} = this.context;
    const opening = {
      cache: new CatalogCache(join(environment.cacheDir, 'catalogs')),
      network: names('network').length > 0 ? await service('network') : undefined,
      known: managed.kind === 'rules' ? managed.rules.keys : {},
      signal,
      now,
    };
    const seen = new Set(taken);
    return (await Promise.all(catalogs.map((one) => openCatalog(one, opening)))).map(({source, entries}) => {
      let name = source.name;
      for (let count = 2; seen.has(name); count += 1) name = `${source.name}-${count}`;
      seen.add(name);
      return {source: {...source, name}, entries: entries.map((entry) => ({...entry, from: name}))};
    });
  }

  async #search(registry: string, {query, rules, npm}: Search): Promise<Searched> {
    const source = {name: hostOf(registry), type: 'registry' as const, location: registry};
    try {
      judgeAddress(rules, {url: registry, what: 'Packages of npm', kinds: ['registry']});
      const entries = await searchRegistry({registry, query, ...this.#request(rules, npm)});
      return {source: {...source, entries: entries.length}, entries};
    } catch (error) {
      this.context.signal.throwIfAborted();
      if (!(error instanceof KernelError)) throw error;
      const {message: fault, hint} = error;
      return {source: {...source, entries: 0, fault, ...(hint === undefined ? {} : {hint})}, entries: []};
    }
  }

  #request(
    rules: OwnRules,
    options: NpmOptions,
  ): {readonly options: NpmOptions; readonly signal: AbortSignal; judge(url: string): void} {
    const judge = (url: string): void => judgeAddress(rules, {url, what: 'Packages of npm', kinds: ['registry']});
    return {options, signal: this.context.signal, judge};
  }

  /** Only of what a registry found: a catalog says itself what it knows. */
  async #addFacts(
    entries: readonly CatalogEntry[],
    {names, rules, npm}: {readonly names: readonly string[]; readonly rules: OwnRules; readonly npm: NpmOptions},
  ): Promise<readonly CatalogEntry[]> {
    const isFound = ({from}: CatalogEntry): boolean => names.includes(from);
    const found = await addFacts(entries.filter(isFound), this.#request(rules, npm));
    return [...entries.filter((entry) => !isFound(entry)), ...found];
  }
}

interface Search {
  readonly query: CatalogQuery;
  readonly rules: OwnRules;
  readonly npm: NpmOptions;
}

function select({source, entries}: OpenedCatalog, {kind, words}: CatalogQuery): Searched {
  const ofKind = entries.filter((entry) => entry.kind === kind);
  return {
    source: {...source, entries: ofKind.length},
    entries: ofKind
      .filter(({name, searched}) => matchesWords(name, searched, words))
      .map(({searched: _, ...entry}) => entry),
  };
}

/** What a catalog had when it was fetched last is an answer too. */
function checkAnswers(sources: readonly SearchedSource[]): void {
  const faults = sources.flatMap(({fault, fetched}) => (fault !== undefined && fetched === undefined ? [fault] : []));
  if (faults.length === 0 || faults.length < sources.length) return;
  const [{hint} = {}] = sources;
  throw new KernelError('CATALOG_UNREACHABLE', `Nothing could be searched. ${faults.join(' ')}`, {
    ...(hint === undefined ? {} : {hint}),
    data: {sources},
  });
}

/** What two sources list is shown once, as the first one says it. */
function withoutTwins(entries: readonly CatalogEntry[]): readonly CatalogEntry[] {
  const seen = new Set<string>();
  return entries.filter(({install}) => !seen.has(install) && seen.add(install));
}

function unknownSource(name: string, names: readonly string[]): KernelError {
  return new KernelError('CATALOG_UNKNOWN', `There is no source ${JSON.stringify(name)} to search.`, {
    hint: names.length > 0 ? `There are: ${names.join(', ')}.` : 'Name a catalog in the setting catalogs.sources.',
  });
}
