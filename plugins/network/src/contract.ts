import type {} from '@gemini-kernel/kernel';

/** How this program reaches the network. */
export interface Network {
  /**
   * Makes `fetch` use the proxies that the variables name, with their exceptions, and wait for an answer as long as
   * whoever asks does. Call it before the first request; without proxies it costs nothing. Throws KernelError
   * PROXY_INVALID or PROXY_UNSUPPORTED.
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
   * The same answer, whose body fails with an error named AnswerTooLarge when an event of a stream has more than 32 MB,
   * the whole more than 512 MB, or comments more than 1 MB. For use within this process.
   */
  bound(answer: Response): Response;
}

declare module '@gemini-kernel/kernel' {
  interface Services {
    network: Network;
  }
}
