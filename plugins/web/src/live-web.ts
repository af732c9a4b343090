import type {Network} from '@gemini-kernel/plugin-network/contract';
import type {Settings} from '@gemini-kernel/plugin-settings/contract';
import type {Resolve} from './address/judge-host.js';
import type {FetchOptions, Page, Web} from './contract.js';
import {fetchPage} from './fetch/fetch-page.js';
import {RateLimit} from './fetch/rate-limit.js';
import {Robots} from './robots/robots.js';
import privateHosts from './settings/private-hosts.js';
import robots from './settings/robots.js';

const KEPT_MS = 15 * 60_000;
const MOST_KEPT = 50;
/** Characters of pages that a session keeps. */
const MOST_TEXT = 20_000_000;

interface Parts {
  readonly settings: Pick<Settings, 'getApart'>;
  readonly network: Network;
  readonly resolve: Resolve;
  now(): number;
}

interface Kept {
  readonly page: Page;
  readonly until: number;
}

/** The pages of one session. */
export class LiveWeb implements Web {
  readonly #kept = new Map<string, Kept>();
  readonly #limit: RateLimit;
  #robots: Robots | undefined;

  constructor(private readonly parts: Parts) {
    this.#limit = new RateLimit(() => parts.now());
  }

  async fetch(url: string, {signal}: FetchOptions): Promise<Page> {
    const kept = this.#kept.get(url);
    if (kept && kept.until > this.parts.now()) return kept.page;
    const {settings, network, resolve} = this.parts;
    const open = await settings.getApart(privateHosts.key);
    const parts = {
      network,
      resolve,
      privateHosts: Array.isArray(open) ? open.filter((one) => typeof one === 'string') : [],
      admit: (host: string) => this.#limit.admit(host),
    };
    const obeys = (await settings.getApart(robots.key)) === true;
    this.#robots ??= new Robots((file, end) => fetchPage(file, {...parts, signal: end}));
    const permits = obeys
      ? {permits: (at: URL, end: AbortSignal) => this.#robots?.check(at, end) ?? Promise.resolve()}
      : {};
    const page = await fetchPage(url, {...parts, ...permits, signal});
    if (page.status < 400) this.#keep(url, page);
    return page;
  }

  #keep(url: string, page: Page): void {
    this.#kept.delete(url);
    this.#kept.set(url, {page, until: this.parts.now() + KEPT_MS});
    const size = (): number => [...this.#kept.values()].reduce((sum, one) => sum + sizeOf(one.page), 0);
    for (const oldest of [...this.#kept.keys()])
      if (this.#kept.size > MOST_KEPT || size() > MOST_TEXT) this.#kept.delete(oldest);
  }
}

function sizeOf({text = '', data = ''}: Page): number {
  return text.length + data.length;
}
