/** One conversation, or one command when nobody converses. */
export interface SessionInfo {
  readonly id: string;
  /** default, auto_edit, plan, yolo, or a mode that a plugin adds. */
  readonly mode: string;
  /** Whether a person can be asked. */
  readonly interactive: boolean;
  /** True inside a running conversation, false for a single command. */
  readonly live: boolean;
}
