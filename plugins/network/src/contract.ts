import type {} from '@gemini-kernel/kernel';

/** How this program reaches the network. */
export interface Network {
  /**
   * Reads which proxies the variables name, with their exceptions. Call it to learn of a mistake before the first
   * request. Throws KernelError PROXY_INVALID or PROXY_UNSUPPORTED.
   */
  prepare(): Promise<void>;
  /**
   * The proxy that requests to this address go through, without its password; undefined = none. Throws KernelError
   * PROXY_INVALID.
   */
  proxyFor(url: string): Promise<string | undefined>;
  /**
   * What an error of `fetch` means: a sentence with the host, the proxy and the system's words, and the next thing to
   * do. `isFinal`: trying again does not help. For use within this process.
   */
  explain(
    url: string,
    error: unknown,
  ): Promise<{readonly message: string; readonly hint: string; readonly isFinal?: boolean}>;
  /**
   * Like the built-in `fetch`, through the proxies of this place, and waiting for an answer as long as `signal` lets
   * it. The body fails with an error named AnswerTooLarge when an event of a stream has more than 32 MB, the whole more
   * than 512 MB, or comments more than 1 MB. For use within this process.
   */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
}

declare module '@gemini-kernel/kernel' {
  interface Services {
    network: Network;
  }
}
