import {connect} from 'node:net';

/**
 * Whether a port accepts connections: `refused` when certainly nothing listens, `silent` when there was no answer in
 * time.
 */
export function probePort({
  host = '127.0.0.1',
  port,
  timeoutMs = 500,
}: {
  readonly host?: string;
  readonly port: number;
  readonly timeoutMs?: number;
}): Promise<'open' | 'refused' | 'silent'> {
  return new Promise((resolve) => {
    const socket = connect({host, port, timeout: timeoutMs});
    const end = (found: 'open' | 'refused' | 'silent'): void => {
      socket.destroy();
      resolve(found);
    };
    socket.once('connect', () => end('open')).once('timeout', () => end('silent'));
    socket.once('error', (error: NodeJS.ErrnoException) => end(error.code === 'ECONNREFUSED' ? 'refused' : 'silent'));
  });
}
