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

/** What came of giving a guard the event that it declares. JSON. */
export interface GuardProof {
  /** Of the guard, such as the name of a hook. */
  readonly name: string;
  /** Where it is from and what it guards, in a few words. */
  readonly details: string;
  /** `unproven`: it declares no event; `down`: it did not decide as it must; `off`: it does not run at all. */
  readonly state: 'proven' | 'unproven' | 'down' | 'off';
  /** A sentence. */
  readonly reason: string;
}

/** The service `guards:<owner>` of a session: guards that exist only at run time, such as hooks, and their proofs. */
export interface GuardSource {
  /** Proves all of them. What a guard decides has no effect. */
  prove(signal: AbortSignal): Promise<readonly GuardProof[]>;
}

/** What running one plugin in processes of its own came to, in all runs of this version of it. JSON. */
export interface PluginProcesses {
  readonly plugin: string;
  /** Of the process in this run; `none`: there is no such process in this run. */
  readonly state: 'running' | 'idle' | 'left out' | 'none';
  readonly pid?: number;
  /** Bytes that the running process uses. */
  readonly memory?: number;
  readonly starts: number;
  /** How many ended on their own, and how the last one did. */
  readonly deaths: number;
  readonly lastDeath?: string;
  readonly calls: number;
  /** Milliseconds in which at least one call was at work. */
  readonly busyMs: number;
  /** The most bytes that a process had at its end. */
  readonly peakBytes?: number;
  /** What it was refused, as capabilities such as `fs:read:/etc/passwd`, the newest first. */
  readonly refused: readonly string[];
}

/** The service `processes:<owner>` of a place: plugins that run in processes of their own. */
export interface ProcessSource {
  list(): Promise<readonly PluginProcesses[]>;
}

declare module '@gemini-kernel/kernel' {
  interface Services {
    journal: Journal;
    [guards: `guards:${string}`]: GuardSource;
    [processes: `processes:${string}`]: ProcessSource;
  }
}
