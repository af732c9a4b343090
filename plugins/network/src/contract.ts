import type {} from '@gemini-kernel/kernel';

/** How this program reaches the network. */
export interface Network {
  /** Makes `fetch` use the proxies that the variables name, with their exceptions. Call it before the first request; it costs nothing when there are none. */
  prepare(): Promise<void>;
  /** The proxy that requests to this address go through, without its password; undefined = none. */
  proxyFor(url: string): Promise<string | undefined>;
}

declare module '@gemini-kernel/kernel' {
  interface Services {
    network: Network;
  }
}
