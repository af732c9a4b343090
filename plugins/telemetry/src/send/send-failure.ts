export const LATE = 'It did not answer in time.';

/** A batch that did not arrive. */
export class SendFailure extends Error {
  /** Whether the same batch may arrive later; `afterMs`: not earlier. */
  readonly canRetry: boolean;
  readonly afterMs: number | undefined;

  constructor(message: string, {canRetry, afterMs}: {readonly canRetry: boolean; readonly afterMs?: number}) {
    super(message);
    this.canRetry = canRetry;
    this.afterMs = afterMs;
  }
}
