import type {Kernel, Session} from '@gemini-kernel/kernel/host';

/** The ACP SDK, which is loaded when the server starts. */
export type Sdk = typeof import('#sdk');

/** What one start of the server gives to all of its sessions. */
export interface Setup {
  readonly sdk: Sdk;
  readonly kernel: Kernel;
  readonly version: string;
  /** Runs a slash command of a plugin in a session; what it prints goes to the stream. */
  slash(words: readonly string[], session: Session, into: NodeJS.WritableStream): Promise<void>;
  /** Writes one line for the person who looks at the log of the editor. */
  log(line: string): void;
}
