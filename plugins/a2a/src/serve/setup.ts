import type {Kernel, Session} from '@gemini-kernel/kernel/host';
import type {Tokens} from '../tokens/tokens.js';

export type Sdk = typeof import('#sdk');

/** What every part of the server has. */
export interface Setup {
  readonly sdk: Sdk;
  readonly kernel: Kernel;
  readonly version: string;
  readonly tokens: Tokens;
  /** The name of the store of tasks. */
  readonly store: string;
  /** Whether commands of tasks run in the sandbox. */
  readonly isConfined: boolean;
  /** Runs a slash command in a session; what it prints goes to the stream. */
  slash(words: readonly string[], session: Session, into: NodeJS.WritableStream): Promise<void>;
  log(line: string): void;
}
