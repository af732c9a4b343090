import {connect} from 'node:net';

/** How reaching a port came out: the milliseconds it took, or why not, as a clause. */
export type Reached = {readonly host: string; readonly ms: number} | {readonly host: string; readonly trouble: string};

const MOST_MS = 2000;

/**
 * Opens a connection to a port at the first host that takes it, and closes it again; gives what came of the last
 * otherwise.
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
    // A host whose name is being looked up does not count as idle, so the clock is our own.
    const timer = setTimeout(
      () => end({host, trouble: `nothing was answered within ${MOST_MS / 1000} seconds`}),
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
      end({host, trouble: error.code === 'ECONNREFUSED' ? 'nobody listens there' : error.message}),
    );
  });
}
