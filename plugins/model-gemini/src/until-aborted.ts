/** Waits for `work` or the signal, whichever comes first; throws the signal's reason. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  let leave = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    leave = () => reject(signal.reason as Error);
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, {once: true});
  });
  try {
    return await Promise.race([aborted, work]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}
