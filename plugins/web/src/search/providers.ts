import type {SearchAnswer} from '../contract.js';
import {readPath, readText, toHits} from './read-answer.js';

/** What the settings say about a provider. */
export interface ProviderConfig {
  readonly url?: string;
  readonly key?: string;
  readonly header: string;
  readonly fields: Readonly<Partial<Record<'results' | 'title' | 'url' | 'snippet', string>>>;
}

/** One provider: what it needs, what it is asked, and how its JSON is read. */
export interface Provider {
  readonly needs: readonly ('url' | 'key')[];
  ask(query: string, config: ProviderConfig): {readonly url: string; readonly init?: RequestInit};
  read(json: unknown, config: ProviderConfig): SearchAnswer;
}

const encoded = (query: string): string => encodeURIComponent(query);
const at = (base: string, path: string): string => `${base.replace(/\/+$/, '')}${path}`;

/** The providers by the names that the setting has for them. */
export const providers: Readonly<Record<string, Provider>> = {
  searxng: {
    needs: ['url'],
    ask: (query, {url = ''}) => ({url: at(url, `/search?format=json&q=${encoded(query)}`)}),
    read: (json) => ({hits: toHits(readPath(json, 'results'), {snippet: 'content'})}),
  },
  brave: {
    needs: ['key'],
    ask: (query, {url = 'https://api.search.brave.com', key = ''}) => ({
      url: at(url, `/res/v1/web/search?q=${encoded(query)}`),
      init: {headers: {'X-Subscription-Token': key}},
    }),
    read: (json) => ({hits: toHits(readPath(json, 'web.results'), {snippet: 'description'})}),
  },
  tavily: {
    needs: ['key'],
    ask: (query, {url = 'https://api.tavily.com', key = ''}) => ({
      url: at(url, '/search'),
      init: {
        method: 'POST',
        headers: {Authorization: `Bearer ${key}`, 'Content-Type': 'application/json'},
        body: JSON.stringify({query, include_answer: true}),
      },
    }),
    read(json) {
      const answer = readText(readPath(json, 'answer'));
      return {...(answer === undefined ? {} : {answer}), hits: toHits(readPath(json, 'results'), {snippet: 'content'})};
    },
  },
  kagi: {
    needs: ['key'],
    ask: (query, {url = 'https://kagi.com', key = ''}) => ({
      url: at(url, `/api/v0/search?q=${encoded(query)}`),
      init: {headers: {Authorization: `Bot ${key}`}},
    }),
    read: (json) => ({hits: toHits(readPath(json, 'data'), {})}),
  },
  custom: {
    needs: ['url'],
    ask: (query, {url = '', key, header}) => ({
      url: url.replaceAll('{query}', encoded(query)),
      ...(key === undefined ? {} : {init: {headers: [splitHeader(header.replaceAll('{key}', key))]}}),
    }),
    read: (json, {fields}) => ({hits: toHits(readPath(json, fields.results ?? 'results'), fields)}),
  },
};

function splitHeader(header: string): [string, string] {
  const at = header.indexOf(':');
  return [header.slice(0, Math.max(at, 0)).trim(), header.slice(at + 1).trim()];
}
