import {setTimeout} from 'node:timers/promises';
import type {Settings} from '@gemini-kernel/plugin-settings/contract';
import fuzzySearch from '../settings/fuzzy-search.js';
import type {Files, FindOptions, FoundPath} from '../contract.js';
import type {Place} from '../engine/engine.js';
import {NEVER_ENTERED} from '../engine/left-out.js';
import {untilAborted} from '../until-aborted.js';
import type {Search} from '../search.js';
import {Listing, type ListFiles} from './listing.js';
import {Ranking} from './ranking.js';
import {PathQuery} from './score-path.js';

interface FilesParts {
  readonly search: Pick<Search, 'places' | 'list' | 'info'>;
  readonly settings: Pick<Settings, 'value'>;
  /** How many files and directories are kept in mind. */
  readonly limit?: number;
  /** Milliseconds. */
  now(): number;
}

type Options = FindOptions & {readonly signal: AbortSignal};

/** What fitted a text in a complete listing: a longer text can fit nothing else. */
interface Narrowed {
  readonly listing: Listing;
  readonly query: PathQuery;
  readonly fitting: readonly number[];
}

const LIMIT = 400_000;
const USUALLY = 50;
/** An older listing is made again. */
const FRESH_MS = 3000;
/** Between two updates. */
const PAUSE_MS = 50;

/**
 * Finds files and directories in a list of all, which is kept from one search to the next. At most 400,000 are listed,
 * and twice as many are in memory while the list is made again; files beyond are not found. Directories without a file
 * are not found either.
 */
export class LiveFiles implements Files {
  #newest: Listing | undefined;
  /** The last one that became complete. */
  #complete: Listing | undefined;
  #narrowed: Narrowed | undefined;

  constructor(private readonly parts: FilesParts) {}

  /**
   * In a listing that was complete at most 3 seconds ago, or is then; until then, `update` receives the matches of
   * an older one.
   */
  async find(text: string, options: FindOptions = {}): Promise<readonly FoundPath[]> {
    const {signal = new AbortController().signal} = options;
    signal.throwIfAborted();
    // Keep a running listing alive while this search finds out whether it can share it.
    let release = this.#newest?.hold();
    try {
      const {search, settings} = this.parts;
      const [places, fuzzy] = await untilAborted(signal, () =>
        Promise.all([search.places(), settings.value(fuzzySearch)]),
      );
      const query = new PathQuery(text, fuzzy);
      const known = options.anyAge ? this.#complete : undefined;
      if (known?.isOf(places)) {
        const found = await this.#rank(known, query, {...options, signal});
        // For who asks next; who asked now does not wait.
        this.#listingOf(places);
        return found;
      }
      const listing = this.#listingOf(places);
      const releaseOld = release;
      release = listing.hold();
      releaseOld?.();
      const old = this.#complete;
      if (old && old !== listing && old.isOf(places))
        return await this.#improve(old, listing, query, {...options, signal});
      return await this.#rank(listing, query, {...options, signal});
    } finally {
      release?.();
    }
  }

  /** What does the listing, in one line. */
  async describe(): Promise<string> {
    const {name, version, reason} = await this.parts.search.info();
    const by =
      name === 'javascript' ? 'the JavaScript engine' : `ripgrep ${version ?? ''}, ${name.replace(' ripgrep', '')}`;
    return `${by}: ${reason}`;
  }

  /** Ends a running listing. */
  dispose(): void {
    this.#newest?.stop();
    [this.#newest, this.#complete, this.#narrowed] = [undefined, undefined, undefined];
  }

  #listingOf(places: readonly Place[]): Listing {
    const newest = this.#newest;
    const {now, limit = LIMIT} = this.parts;
    const isFresh = newest?.endedAt === undefined || now() - newest.endedAt < FRESH_MS;
    if (newest && !newest.isOver && isFresh && newest.isOf(places)) return newest;
    const listing = new Listing(places, {limit, list: this.#list, now});
    this.#newest = listing;
    const keep = (): void => {
      if (this.#newest !== listing) return;
      this.#complete = listing;
      if (this.#narrowed?.listing !== listing) this.#narrowed = undefined;
    };
    listing.ended.then(keep, () => undefined);
    return listing;
  }

  readonly #list: ListFiles = async (places, signal, onPaths) => {
    await this.parts.search.list({
      places,
      signal,
      onPaths,
      ignore: {},
      withoutFolders: NEVER_ENTERED,
      withoutEndings: [],
    });
  };

  /** Tells what an old listing has, and gives what the new one has once it is complete. */
  async #improve(old: Listing, listing: Listing, query: PathQuery, options: Options): Promise<readonly FoundPath[]> {
    const {update, ...rest} = options;
    if (update) update(await this.#rank(old, query, rest));
    return this.#rank(listing, query, rest);
  }

  async #rank(
    listing: Listing,
    query: PathQuery,
    {most = USUALLY, kind = 'any', signal, update}: Options,
  ): Promise<readonly FoundPath[]> {
    const narrowed = this.#narrowed;
    const among = narrowed?.listing === listing && query.isNarrowerThan(narrowed.query) ? narrowed.fitting : undefined;
    const ranking = new Ranking(listing.paths, query, {most, kind}, among);
    let pause = 0;
    for (;;) {
      const isComplete = listing.endedAt !== undefined;
      await ranking.advance(signal);
      if (isComplete) break;
      const news = update && ranking.news();
      if (news) update(news);
      if (ranking.seen > 0) pause = PAUSE_MS;
      await untilAborted(signal, () => Promise.race([listing.ended, setTimeout(pause, undefined, {ref: false})]));
      await untilAborted(signal, () => listing.grown(ranking.seen));
    }
    this.#narrowed = {listing, query, fitting: ranking.fitting};
    return ranking.best();
  }
}
