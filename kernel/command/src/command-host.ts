import type {Catalog, Kernel, Session} from '@gemini-kernel/kernel/host';

/** How this program is run once more. */
export interface RunOptions {
  /** The current one when it is not given. */
  readonly directory?: string;
  /** Lets it have the terminal. */
  readonly show: boolean;
  /** More variables. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Milliseconds after which it is killed. */
  readonly deadline?: number;
  /** Kills it; the run then rejects. */
  readonly signal?: AbortSignal;
}

/** How that run ended, and what it wrote where it did not have the terminal. */
export interface RunEnd {
  readonly code: number;
  /** Both streams, as they came. */
  readonly output: string;
  readonly stdout: string;
  readonly stderr: string;
  /** Whether it was killed at its deadline. */
  readonly isLate: boolean;
}

/** What a host hands to every command, as `gemini` among oclif's load options. */
export interface CommandHost {
  readonly catalog: Catalog;
  /** Starts a kernel with the values of contributed flags, by settings key. */
  boot(flags: Readonly<Record<string, unknown>>): Kernel;
  /** The conversation a slash command runs in, and its kernel; absent when the command is the whole program. */
  readonly live?: {readonly kernel: Kernel; readonly session: Session};
  /**
   * Aborted by Ctrl+C and other signals; its reason is a KernelError with the code of the signal. Reading it takes over
   * what Ctrl+C does.
   */
  readonly signal: AbortSignal;
  /** Standard input, for commands that read it. */
  readonly input: NodeJS.ReadableStream;
  /** Standard output, for commands whose text comes in pieces. */
  readonly output: NodeJS.WritableStream;
  /** Whether standard output is a terminal, and whether it shows colours. */
  readonly terminal: boolean;
  readonly colour: boolean;
  /** Version of Node. */
  readonly node: string;
  /** Runs this program once more as a process of its own. */
  run(argv: readonly string[], options: RunOptions): Promise<RunEnd>;
  /** Takes plugins out of the catalog, each with the reason. Call it before a kernel is started. */
  leaveOut(reasons: ReadonlyMap<string, string>): void;
  /** Runs a command that is marked `slash` inside a conversation, printing `into` a stream. Throws as it does. */
  slash(words: readonly string[], live: Required<CommandHost>['live'], into?: NodeJS.WritableStream): Promise<void>;
  /** A failure as a program should see it; undefined when it is a bug. */
  describe(
    error: unknown,
  ): {readonly code: string; readonly message: string; readonly hint?: string; readonly exit: number} | undefined;
  /** Sets the exit code of a command that finished but has bad news. */
  end(code: number): void;
}
