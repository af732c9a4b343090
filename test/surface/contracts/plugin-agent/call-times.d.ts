export interface CallTimes {
  answered(call: string): Promise<void>;
  take(call: string): Promise<number | undefined>;
}
