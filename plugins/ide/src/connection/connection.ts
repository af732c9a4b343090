import type {FoundEditor, IdeFault} from '../contract.js';

/** Receives the notifications of a companion. The parameters are not validated. */
export type HearNews = (method: string, parameters: unknown) => void;

/** The answer of a companion's tool. */
export interface CompanionAnswer {
  readonly isError: boolean;
  readonly text: string;
}

/** An open connection to a companion. */
export interface Connection {
  readonly editor: FoundEditor;
  /** Names of its tools. */
  readonly tools: ReadonlySet<string>;
  /** Name and version of the companion, as it reports them. */
  readonly server: string;
  call(
    tool: string,
    input: Readonly<Record<string, unknown>>,
    limits: {readonly timeoutMs: number},
  ): Promise<CompanionAnswer>;
  /** Resolves with the reason when the connection breaks without being closed. */
  readonly lost: Promise<string>;
  /** Round trip time in milliseconds. */
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
