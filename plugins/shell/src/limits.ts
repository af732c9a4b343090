import type {RunningCommand} from './running-command.js';

export interface Limits {
  readonly timeoutMs: number;
  readonly inactivityMs: number;
}

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Stops a command that runs too long, or too long without output; 0 = never. Returns a function that ends the watch.
 */
export function enforceLimits(running: RunningCommand, {timeoutMs, inactivityMs}: Limits): () => void {
  const total =
    timeoutMs > 0 ? setTimeout(() => void running.stop('timeout'), Math.min(timeoutMs, LONGEST_TIMER_MS)) : undefined;
  let idle: NodeJS.Timeout | undefined;
  const look = (): void => {
    const left = inactivityMs - (performance.now() - running.printed);
    if (left <= 0) void running.stop('inactivity');
    else idle = setTimeout(look, Math.min(left, LONGEST_TIMER_MS));
  };
  if (inactivityMs > 0) look();
  return () => {
    clearTimeout(total);
    clearTimeout(idle);
  };
}
