import type {} from '@gemini-kernel/kernel';

/** A page as it was fetched. */
export interface Page {
  /** What was asked for, and where redirects ended. */
  readonly url: string;
  readonly finalUrl: string;
  readonly status: number;
  /** The media type, without parameters. */
  readonly type: string;
  readonly title?: string;
  /** HTML as Markdown, other text as it is. Exactly one of `text` and `data` is there. */
  readonly text?: string;
  /** A picture or a document, base64. */
  readonly data?: string;
}

export interface FetchOptions {
  readonly signal: AbortSignal;
}

/** Fetches pages from public addresses. A session keeps each page for some minutes. */
export interface Web {
  /** Throws ToolError URL_INVALID, URL_PRIVATE, PAGE_UNREACHABLE, PAGE_TOO_LARGE, PAGE_UNREADABLE or PAGE_RATE. */
  fetch(url: string, options: FetchOptions): Promise<Page>;
}

/** One result of a search. */
export interface SearchHit {
  readonly title: string;
  readonly url: string;
  readonly snippet?: string;
}

export interface SearchAnswer {
  /** A text that answers the query, where the provider writes one. `[1]` refers to the first hit. */
  readonly answer?: string;
  readonly hits: readonly SearchHit[];
}

/** The service `web-search:<provider>`. */
export interface WebSearch {
  /** What is missing, as a sentence; undefined when it can be asked. Sends nothing. */
  missing(): Promise<string | undefined>;
  /** Throws a ToolError. */
  search(query: string, options: FetchOptions): Promise<SearchAnswer>;
}

/** Searches with whichever provider this session has. */
export type Finder = WebSearch;

declare module '@gemini-kernel/kernel' {
  interface Services {
    web: Web;
    finder: Finder;
    [search: `web-search:${string}`]: WebSearch;
  }
}
