import type {FoundEditor, IdeFault} from '../contract.js';

/** Hears what a companion tells by itself. The parameters are as they came. */
export type HearNews = (method: string, parameters: unknown) => void;

/** What a tool of a companion answered. */
export interface CompanionAnswer {
  readonly isError: boolean;
  readonly text: string;
}

/** An open connection to a companion. */
export interface Connection {
  readonly editor: FoundEditor;
  /** Names of its tools. */
  readonly tools: ReadonlySet<string>;
  /** Name and version of the companion, as it gives them. */
  readonly server: string;
  call(
    tool: string,
    input: Readonly<Record<string, unknown>>,
    limits: {readonly timeoutMs: number},
  ): Promise<CompanionAnswer>;
  /** Resolves with why when it is gone without being closed. */
  readonly lost: Promise<string>;
  /** How long an answer takes, in milliseconds. */
  ping(): Promise<number>;
  close(): Promise<void>;
}

/** Why a connection could not be opened. */
export class ConnectionFault extends Error {
  constructor(
    readonly fault: IdeFault,
    cause?: unknown,
  ) {
    super(fault.message, {cause});
  }
}
