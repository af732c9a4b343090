/**
 * Returns the result of the work, or throws the signal's reason as soon as it is aborted. The work must watch the
 * signal itself.
 */
export async function untilAborted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const {promise: aborted, stop} = abortOf(signal);
  try {
    return await Promise.race([work(), aborted]);
  } catch (error) {
    // What broke because of the abort does not matter.
    signal.throwIfAborted();
    throw error;
  } finally {
    stop();
  }
}

function abortOf(signal: AbortSignal): {readonly promise: Promise<never>; stop(): void} {
  let onAbort = (): void => undefined;
  const promise = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason as Error);
  });
  signal.addEventListener('abort', onAbort, {once: true});
  return {promise, stop: () => signal.removeEventListener('abort', onAbort)};
}
