export interface Notice {
  readonly level?: 'info' | 'warning' | 'error';
  readonly code: string;
  readonly sentence: string;
  readonly once?: string;
}
export interface SentNotice extends Notice {
  readonly level: NonNullable<Notice['level']>;
  readonly source: string;
}
export type Tell = (notice: Notice) => void;
