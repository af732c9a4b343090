import {once} from 'node:events';
import {Readable, Writable} from 'node:stream';
import {createAgent} from './create-agent.js';
import type {Setup} from './setup.js';

interface Pipes {
  readonly input: Readable;
  readonly output: Writable;
  readonly signal: AbortSignal;
}

/** The longest line that is read; pictures of a prompt are in it. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Serves one editor over a pair of pipes, until it closes them or the signal aborts. */
export async function serveOverStdio(setup: Setup, {input, output, signal}: Pipes): Promise<void> {
  const {app, editor, close} = createAgent(setup);
  // An editor that has gone reads nothing more.
  output.on('error', () => input.destroy());
  const stream = setup.sdk.ndJsonStream(
    Writable.toWeb(output) as WritableStream<Uint8Array>,
    Readable.toWeb(input) as ReadableStream<Uint8Array>,
    {maxMessageBytes: MOST_BYTES},
  );
  const connection = app.connect(stream);
  editor.connect(connection.client);
  const ended = Promise.race([once(input, 'close'), aborted(signal)]);
  await Promise.race([connection.closed, ended]);
  const reason: unknown = connection.signal.reason;
  if (reason instanceof Error && reason.name === 'MessageTooLargeError')
    setup.log(`The editor sent a line of more than ${MOST_BYTES} bytes, so the connection ended.`);
  connection.close();
  await close();
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), {once: true});
  });
}
