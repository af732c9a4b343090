import type {ServiceContext} from '@gemini-kernel/kernel';
import {ToolError} from '@gemini-kernel/kernel';
import type {Network} from '@gemini-kernel/plugin-network/contract';
import type {Settings} from '@gemini-kernel/plugin-settings/contract';
import type {FetchOptions, Finder, SearchAnswer} from '../contract.js';
import searching from '../settings/search.js';
import {askProvider} from './ask-provider.js';
import {providers, type Provider, type ProviderConfig} from './providers.js';

interface Parts {
  readonly settings: Pick<Settings, 'getApart'>;
  readonly context: Pick<ServiceContext, 'names' | 'service'>;
  network(): Promise<Network>;
}

/** Who answers, or what is missing. */
type Chosen =
  | {readonly name: string; search(query: string, options: FetchOptions): Promise<SearchAnswer>}
  | {readonly missing: string};

/** Searches with the provider that the settings choose, else with that of a model. */
export class LiveFinder implements Finder {
  #chosen: Promise<Chosen> | undefined;

  constructor(private readonly parts: Parts) {}

  async missing(): Promise<string | undefined> {
    const chosen = await this.#choose();
    return 'missing' in chosen ? chosen.missing : undefined;
  }

  async search(query: string, options: FetchOptions): Promise<SearchAnswer> {
    const chosen = await this.#choose();
    if ('missing' in chosen) throw new ToolError('SEARCH_FAILED', `The web cannot be searched: ${chosen.missing}`);
    return chosen.search(query, options);
  }

  #choose(): Promise<Chosen> {
    return (this.#chosen ??= this.#find());
  }

  async #find(): Promise<Chosen> {
    // A project must not decide where queries and keys go.
    const {settings} = this.parts;
    const name = await settings.getApart(searching.provider.key);
    if (name === 'off') return {missing: 'web.search.provider is off.'};
    const provider = typeof name === 'string' ? providers[name] : undefined;
    return provider ? this.#ofSettings(String(name), provider) : this.#ofModel(name === 'gemini' ? name : undefined);
  }

  async #ofSettings(name: string, provider: Provider): Promise<Chosen> {
    const config = await this.#config();
    const lacks = provider.needs.find((need) => config[need] === undefined);
    if (lacks) return {missing: `web.search.provider is ${name}, which needs web.search.${lacks}.`};
    if (config.url !== undefined && !/^https?:\/\//.test(config.url))
      return {missing: `web.search.url is ${config.url}, which is not an address.`};
    const network = await this.parts.network();
    return {name, search: (query, {signal}) => askProvider(query, {name, provider, config, network, signal})};
  }

  async #config(): Promise<ProviderConfig> {
    const read = (key: string): Promise<unknown> => this.parts.settings.getApart(key);
    const [url, key] = [await read(searching.url.key), await read(searching.key.key)];
    const [header, fields] = [await read(searching.header.key), await read(searching.fields.key)];
    return {
      ...(typeof url === 'string' && url !== '' ? {url} : {}),
      ...(typeof key === 'string' && key !== '' ? {key} : {}),
      header: typeof header === 'string' ? header : String(searching.header.default),
      fields: fields ?? {},
    };
  }

  async #ofModel(wanted: string | undefined): Promise<Chosen> {
    const {names, service} = this.parts.context;
    const reasons: string[] = [];
    for (const name of names('web-search')) {
      const provider = name.replace(/^web-search:/, '');
      if (wanted !== undefined && provider !== wanted) continue;
      const search = await service(name as `web-search:${string}`);
      const missing = await search.missing();
      if (missing === undefined) return {name: provider, search: (query, options) => search.search(query, options)};
      reasons.push(missing);
    }
    const hint = 'Set web.search.provider to searxng, brave, tavily, kagi or custom.';
    return {missing: [...reasons, hint].join(' ')};
  }
}
