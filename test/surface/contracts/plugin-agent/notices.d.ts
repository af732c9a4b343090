import type { SentNotice } from '@gemini-kernel/kernel';
export interface RunNotices {
  add(notice: SentNotice): Promise<boolean>;
  take(): Promise<readonly SentNotice[]>;
  follow(report: (notice: SentNotice) => void): readonly SentNotice[];
}
export interface Update {
  readonly name: string;
  readonly version: string;
  readonly newer: string;
}
export interface UpdateNotice {
  show(update: Update): Promise<void>;
}
