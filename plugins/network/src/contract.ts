import type {Duplex} from 'node:stream';
import type {} from '@gemini-kernel/kernel';

/** How this program reaches the network. */
export interface Network {
  /**
   * Reads the proxies and exceptions from the variables. Call it to find a mistake before the first request. Throws
   * KernelError PROXY_INVALID or PROXY_UNSUPPORTED.
   */
  prepare(): Promise<void>;
  /**
   * The proxy that requests to this address go through, without its password; undefined = none. Throws KernelError
   * PROXY_INVALID.
   */
  proxyFor(url: string): Promise<string | undefined>;
  /**
   * Describes an error of `fetch`: a sentence with the host, the proxy and the system's message, and the next step.
   * `isFinal`: retrying does not help. For use within this process.
   */
  explain(
    url: string,
    error: unknown,
  ): Promise<{readonly message: string; readonly hint: string; readonly isFinal?: boolean}>;
  /**
   * Like the built-in `fetch`, through the proxies of this place; it waits for an answer until `signal` aborts. The
   * body fails with an error named AnswerTooLarge when an event of a stream exceeds 32 MB, the whole 512 MB, or
   * comments 1 MB. For use within this process.
   */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /**
   * A connection to the host of this address through its proxy, for protocols that `fetch` does not speak; undefined =
   * no proxy, so that the caller connects. For use within this process.
   */
  tunnel(url: string, signal: AbortSignal): Promise<Duplex | undefined>;
}

declare module '@gemini-kernel/kernel' {
  interface Services {
    network: Network;
  }
}
