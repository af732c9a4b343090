/** The companion to check, and what is known of it. */
export interface Subject {
  readonly port: number;
  readonly token: string;
  /** Its discovery file; absent when only its token was given. */
  readonly file?: {readonly path: string; readonly text: string};
  /** Ends it, if this check started it, and reports whether it ended. */
  readonly stop?: () => Promise<boolean>;
  /** Aborted when the person stops the command, or when a check has taken too long. */
  readonly signal: AbortSignal;
}

/** What a check needs to run. */
export type Need = 'file' | 'answer' | 'session' | 'stop';

/** One requirement or recommendation of the specification. */
export interface Check {
  readonly name: string;
  /** The text of the specification. */
  readonly says: string;
  readonly needs: Need;
  /** Additional time it may take, in milliseconds. */
  readonly extraMs?: number;
  /** Throws Unfit when the companion fails it; gives a reason when it cannot be checked here. */
  run(subject: Subject): Promise<string | void>;
}
