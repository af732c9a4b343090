import {mkdtemp, readdir, readFile, rm} from 'node:fs/promises';
import {createServer, type AddressInfo, type Socket} from 'node:net';
import {tmpdir} from 'node:os';
import {join, sep} from 'node:path';
import {expect, test} from '@jest/globals';
import {checkout} from '../../helpers/plugin-root.js';
import {callsTools, openAgentPlace, says} from '../../helpers/run-agent.js';

interface Coverage {
  readonly result: readonly {readonly url: string}[];
}

/** Counts connections, and answers nothing. */
async function startListener(): Promise<{readonly url: string; count: number; close(): void}> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket.on('error', () => undefined)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get count() {
      return sockets.length;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** The modules of the plugin that V8 saw in a run of the sources, without the bundle. */
async function modulesOf(enabled: boolean, otlpEndpoint: string): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'gemini-coverage-'));
  await using place = await openAgentPlace({
    script: [callsTools(['read_file', {file_path: 'note.txt'}]), says('Done.')],
    files: {'note.txt': 'A note.\n'},
    settings: {telemetry: {enabled, otlpEndpoint}},
  });
  const variables = {GEMINI_STOCK_OCLIF: '1', NODE_V8_COVERAGE: folder};
  expect(await place.run(['-m', 'model-a', '-p', 'x'], {variables})).toMatchObject({code: 0, stdout: 'Done.\n'});
  const files = await readdir(folder);
  const reports = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  await rm(folder, {recursive: true});
  const root = new URL(`file://${join(checkout, 'plugins', 'telemetry', 'dist')}${sep}`).href;
  const urls = reports.flatMap((text) => (JSON.parse(text) as Coverage).result.map(({url}) => url));
  return [...new Set(urls.filter((url) => url.startsWith(root)).map((url) => url.slice(root.length)))].sort();
}

test('while it is off nothing that records or sends is loaded, and nothing connects [telemetry.off]', async () => {
  const listener = await startListener();
  const off = await modulesOf(false, listener.url);
  const connected = listener.count;
  const on = await modulesOf(true, listener.url);
  listener.close();
  const listeners = ['history-change', 'model-end', 'prompt-end', 'prompt-submit'];
  const more = ['session-close', 'session-open', 'tool-end'];
  expect(off).toEqual([
    ...[...listeners, ...more].map((name) => `listeners/${name}.js`),
    ...['live-telemetry.js', 'options.js', 'services/telemetry.js'],
  ]);
  expect(connected).toBe(0);
  // So that the same look finds them when they are there.
  expect(on).toEqual(expect.arrayContaining(['record/recorder.js', 'send/queue.js', 'send/otlp/grpc-sink.js']));
  expect(on).not.toContain('send/otlp/http-sink.js');
  expect(listener.count).toBeGreaterThan(0);
});
