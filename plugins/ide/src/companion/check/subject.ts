/** What is checked: a companion that runs, and what is known of it. */
export interface Subject {
  readonly port: number;
  readonly token: string;
  /** Its discovery file; absent when only its token was given. */
  readonly file?: {readonly path: string; readonly text: string};
  /** Ends it, when it was started for this, and says whether it ended. */
  readonly stop?: () => Promise<boolean>;
  /** Aborted when the person stops, or when a check has taken too long. */
  readonly signal: AbortSignal;
}

/** What a check needs before it can say something. */
export type Need = 'file' | 'answer' | 'session' | 'stop';

/** One thing that the specification asks of a companion. */
export interface Check {
  readonly name: string;
  /** What the specification says. */
  readonly says: string;
  readonly needs: Need;
  /** How much longer than others it may take, in milliseconds. */
  readonly extraMs?: number;
  /** Throws Unfit when it is otherwise; gives a reason when it cannot be checked here. */
  run(subject: Subject): Promise<string | void>;
}
