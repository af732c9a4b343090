/** How long calls take without the time in which a person thinks; for this plugin's own listener and turn loop. */
export interface CallTimes {
  /** A person has answered about a call. */
  answered(call: string): Promise<void>;
  /** The milliseconds since then; undefined when no person was asked. */
  take(call: string): Promise<number | undefined>;
}
