import type {EndedCall} from '@gemini-kernel/kernel';

/** A call as the journal keeps it: long texts in it are cut. */
export interface KeptCall extends EndedCall {
  readonly cwd: string;
}

/** The outcomes of calls, including those of earlier runs. */
export interface Journal {
  record(call: EndedCall): Promise<void>;
  /**
   * The newest call with this id, or whose id starts with it; `last` is the newest of all. Undefined when it is not
   * recorded (any more).
   */
  find(id: string): Promise<KeptCall | undefined>;
  /** The newest calls, newest first. */
  recent(count: number): Promise<readonly KeptCall[]>;
}

declare module '@gemini-kernel/kernel' {
  interface Services {
    journal: Journal;
  }
}
