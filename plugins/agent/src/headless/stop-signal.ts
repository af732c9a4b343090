import {KernelError} from '@gemini-kernel/kernel';

interface Reasons {
  /** The host's: a signal of the system ends the program. Its reason is a KernelError. */
  readonly signal: AbortSignal;
  readonly output: NodeJS.WritableStream;
  readonly timeoutMs: number | undefined;
}

/** What stops a run: a signal of the system, its time limit, or a reader who leaves. */
export interface Stop {
  /** Its reason is a KernelError, but for a reader who leaves. */
  readonly signal: AbortSignal;
  /** Whether nobody reads the output any longer. */
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

/** The promise, or the reason of the signal as soon as it is aborted. */
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
    // What is given up may still fail.
    work.catch(() => undefined);
  }
}

function outOfTime(ms: number): KernelError {
  const hint = 'Raise --timeout. What was said and done until then is kept: gemini --resume continues it.';
  return new KernelError('TIME_EXHAUSTED', `This run has taken the ${ms / 1000} s that --timeout allows.`, {hint});
}
