import {KernelError} from '@gemini-kernel/kernel';

interface Reasons {
  /** The host's signal: a system signal ends the program. Its reason is a KernelError. */
  readonly signal: AbortSignal;
  readonly output: NodeJS.WritableStream;
  readonly timeoutMs: number | undefined;
}

/** What stops a run: a system signal, its time limit, or a reader who closes the output. */
export interface Stop {
  /** Its reason is a KernelError, except when the reader closed the output. */
  readonly signal: AbortSignal;
  /** Whether the reader has closed the output. */
  readonly isUnread: boolean;
  /** Ends the waiting. */
  forget(): void;
}

/** Watches for everything that stops a run without a conversation. */
export function createStop({signal, output, timeoutMs}: Reasons): Stop {
  const stop = new AbortController();
  let isUnread = false;
  const onSignal = (): void => stop.abort(signal.reason);
  if (signal.aborted) onSignal();
  signal.addEventListener('abort', onSignal, {once: true});
  output.once('error', () => {
    isUnread = true;
    stop.abort(new Error('The output was closed.'));
  });
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => stop.abort(outOfTime(timeoutMs)), timeoutMs);
  return {
    signal: stop.signal,
    get isUnread() {
      return isUnread;
    },
    forget() {
      clearTimeout(timer);
      signal.removeEventListener('abort', onSignal);
    },
  };
}

/** The promise, or the signal's reason as soon as it aborts. */
export async function orStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let onAbort = (): void => undefined;
  const stopped = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, {once: true});
  });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    signal.removeEventListener('abort', onAbort);
    // The abandoned promise may still reject.
    work.catch(() => undefined);
  }
}

function outOfTime(ms: number): KernelError {
  const hint = 'Raise --timeout. The session is kept: continue it with gemini --resume.';
  return new KernelError('TIME_EXHAUSTED', `The run reached the limit of ${ms / 1000} s set by --timeout.`, {hint});
}
