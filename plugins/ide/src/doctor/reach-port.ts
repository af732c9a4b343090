import {connect} from 'node:net';

/** The result of connecting to a port: the time in milliseconds, or the problem as a clause. */
export type Reached = {readonly host: string; readonly ms: number} | {readonly host: string; readonly trouble: string};

const MOST_MS = 2000;

/**
 * Connects to a port on the first host that accepts, and closes the connection; otherwise gives the result for the last
 * host.
 */
export async function reachPort(port: number, hosts: readonly string[], signal: AbortSignal): Promise<Reached> {
  let last: Reached = {host: '', trouble: 'no host is known'};
  for (const host of hosts) {
    last = await reach(port, host, signal);
    if ('ms' in last) return last;
  }
  return last;
}

function reach(port: number, host: string, signal: AbortSignal): Promise<Reached> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const socket = connect({host, port});
    // A name lookup does not count as idle, so this uses its own timer.
    const timer = setTimeout(
      () => end({host, trouble: `there was no answer within ${MOST_MS / 1000} seconds`}),
      MOST_MS,
    );
    const stop = (): void => {
      end(undefined);
    };
    const end = (reached: Reached | undefined): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      socket.destroy();
      if (reached) resolve(reached);
      else reject(signal.reason as Error);
    };
    signal.addEventListener('abort', stop, {once: true});
    socket.once('connect', () => end({host, ms: performance.now() - started}));
    socket.once('error', (error: NodeJS.ErrnoException) =>
      end({host, trouble: error.code === 'ECONNREFUSED' ? 'nothing listens there' : error.message}),
    );
  });
}
