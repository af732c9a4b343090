/** Views are not asked again more often. */
const LEAST_MS = 200;

/** Does something again and again until the signal is aborted: the next time counts from the end of the last one. */
export function refreshEvery(ms: number, {signal, act}: {readonly signal: AbortSignal; act(): Promise<void>}): void {
  let timer: NodeJS.Timeout | undefined;
  const next = (): void => {
    // The next time may go well.
    timer = setTimeout(() => void act().then(again, again), Math.max(LEAST_MS, ms));
  };
  const again = (): void => {
    if (!signal.aborted) next();
  };
  signal.addEventListener('abort', () => clearTimeout(timer), {once: true});
  next();
}
