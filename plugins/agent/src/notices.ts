import type {SentNotice} from '@gemini-kernel/kernel';

/** The notices of a session that has no user interface, for the report of its run. */
export interface RunNotices {
  /** Keeps a notice; returns whether a report shows it, or the host has to. */
  add(notice: SentNotice): Promise<boolean>;
  /** Gives the notices so far, which the host has shown, and forgets them. */
  take(): Promise<readonly SentNotice[]>;
  /** Passes on earlier notices, which the host has shown, and each later notice to the report. */
  follow(report: (notice: SentNotice) => void): readonly SentNotice[];
}

/** A newer version of the program. */
export interface Update {
  /** The package. */
  readonly name: string;
  /** What runs. */
  readonly version: string;
  readonly newer: string;
}

/** Shows the person of a session that there is one. */
export interface UpdateNotice {
  show(update: Update): Promise<void>;
}
