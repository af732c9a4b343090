export interface Page {
  readonly url: string;
  readonly finalUrl: string;
  readonly status: number;
  readonly type: string;
  readonly title?: string;
  readonly text?: string;
  readonly data?: string;
}
export interface FetchOptions {
  readonly signal: AbortSignal;
}
export interface Web {
  fetch(url: string, options: FetchOptions): Promise<Page>;
}
export interface SearchHit {
  readonly title: string;
  readonly url: string;
  readonly snippet?: string;
}
export interface SearchAnswer {
  readonly answer?: string;
  readonly hits: readonly SearchHit[];
}
export interface WebSearch {
  missing(): Promise<string | undefined>;
  search(query: string, options: FetchOptions): Promise<SearchAnswer>;
}
export type Finder = WebSearch;
declare module '@gemini-kernel/kernel' {
  interface Services {
    web: Web;
    finder: Finder;
    [search: `web-search:${string}`]: WebSearch;
  }
}
