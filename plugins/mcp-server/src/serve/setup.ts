import type {Kernel} from '@gemini-kernel/kernel/host';

/** The MCP SDK, which is loaded when the server starts. */
export type Sdk = typeof import('#sdk');

export const FACES = ['tools', 'agent', 'both'] as const;
export type Face = (typeof FACES)[number];

/** What one start of the server gives to all of its clients. */
export interface Setup {
  readonly sdk: Sdk;
  readonly kernel: Kernel;
  readonly version: string;
  readonly face: Face;
  /** Set where clients come from outside: only roots inside this directory count. */
  readonly within?: string;
  /** Writes one line for the person who started the server. */
  log(line: string): void;
}
