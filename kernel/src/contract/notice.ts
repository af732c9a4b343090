/** One line for a person about something that does not stop the work. */
export interface Notice {
  /** `warning` unless given. */
  readonly level?: 'info' | 'warning' | 'error';
  /** For programs: the kind of notice, in capitals. `docs/errors.md` lists those of the product. */
  readonly code: string;
  readonly sentence: string;
  /** Of the notices of one scope with the same key, only the first is sent. */
  readonly once?: string;
}

/** A notice as listeners and hosts get it. */
export interface SentNotice extends Notice {
  readonly level: NonNullable<Notice['level']>;
  /** The plugin that sent it. */
  readonly source: string;
}

/** Sends a notice. Never waits and never throws. */
export type Tell = (notice: Notice) => void;
