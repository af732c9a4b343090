/** How long what was cancelled may take to end. */
const CANCEL_MS = 2000;

/** Calls `late` when work takes longer. */
export async function within<T>(work: Promise<T>, ms: number, late: () => void): Promise<T> {
  const timer = setTimeout(late, ms);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}

/** Who cancels does not wait for the plugin; one that continues is ended. */
export function withCancel<T>(work: Promise<T>, signal: AbortSignal | undefined, cut: () => void): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const cancel = (): void => {
      timer = setTimeout(cut, CANCEL_MS).unref();
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', cancel, {once: true});
    const settle = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
    };
    work.finally(settle).then(resolve, reject);
  });
}
