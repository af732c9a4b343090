import type { SentNotice } from '@gemini-kernel/kernel';
export interface RunNotices {
  add(notice: SentNotice): Promise<boolean>;
  follow(report: (notice: SentNotice) => void): readonly SentNotice[];
}
