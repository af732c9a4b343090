import {once} from 'node:events';
import type {Readable, Writable} from 'node:stream';
import {createClientParts} from './client-parts.js';
import {createServer} from './create-server.js';
import type {Setup} from './setup.js';

interface Pipes {
  readonly input: Readable;
  readonly output: Writable;
  readonly signal: AbortSignal;
}

/** Serves one client over a pair of pipes, until it closes them or the signal aborts. */
export async function serveOverStdio(setup: Setup, {input, output, signal}: Pipes): Promise<void> {
  const parts = createClientParts(setup);
  const clients: (() => Promise<void>)[] = [];
  // A client that has gone reads nothing more.
  output.on('error', () => input.destroy());
  const {serveStdio, StdioServerTransport} = setup.sdk;
  const handle = serveStdio(
    ({era}) => {
      const {server, close} = createServer(setup, parts, era === 'modern');
      clients.push(close);
      return server;
    },
    {
      transport: new StdioServerTransport(input, output),
      onerror: ({message}) => setup.log(`Ignored: ${message.split('\n')[0] ?? ''}`),
    },
  );
  await Promise.race([once(input, 'end'), once(input, 'close'), aborted(signal)]);
  await handle.close();
  await parts.close();
  for (const close of clients) await close();
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), {once: true});
  });
}
