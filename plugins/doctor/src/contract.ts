import type {EndedCall} from '@gemini-kernel/kernel';

/** What a program did about a call, beside the listeners: a run of one of your hooks. */
export interface CallNote {
  readonly plugin: string;
  /** When it ran, such as `BeforeTool`, and its name. */
  readonly at: string;
  readonly name: string;
  /** What came of it, as a sentence. */
  readonly said: string;
  /** Set for a failure: whether it stopped what the program was asked about. */
  readonly failure?: 'open' | 'closed';
  readonly ms: number;
}

/** A call as the journal keeps it: long texts in it are cut. */
export interface KeptCall extends EndedCall {
  readonly cwd: string;
  readonly notes?: readonly CallNote[];
}

/** The outcomes of calls, including those of earlier runs. */
export interface Journal {
  record(call: EndedCall): Promise<void>;
  /** Adds to a call what a program did about it, before or after the call is recorded. */
  note(call: string, note: CallNote): Promise<void>;
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
