import type { Duplex } from 'node:stream';
export interface Network {
  prepare(): Promise<void>;
  proxyFor(url: string): Promise<string | undefined>;
  explain(
    url: string,
    error: unknown,
  ): Promise<{
    readonly message: string;
    readonly hint: string;
    readonly isFinal?: boolean;
  }>;
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  tunnel(url: string, signal: AbortSignal): Promise<Duplex | undefined>;
}
declare module '@gemini-kernel/kernel' {
  interface Services {
    network: Network;
  }
}
