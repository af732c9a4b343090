import {spawn, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {readFile} from 'node:fs/promises';
import {createServer, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import {Readable} from 'node:stream';
import {pipeline} from 'node:stream/promises';
import {expect, test} from '@jest/globals';
import {makeFolder} from '../helpers/make-plugin.js';
import {checkout} from '../helpers/plugin-root.js';
import {isolate} from '../helpers/run-gemini.js';

const MEGABYTE = 2 ** 20;

/** A server on loopback that answers every question with what `flood` writes. */
async function startFlood(flood: (response: ServerResponse) => Promise<void>) {
  const server = createServer((request, response) => {
    request.resume();
    if (request.url?.includes('countTokens')) return void response.writeHead(404).end('{}');
    response.writeHead(200, {'content-type': 'text/event-stream'});
    response.on('error', () => undefined);
    flood(response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const {port} = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Writes texts as fast as they are read, until they end or the reader has left. */
async function write(response: ServerResponse, texts: Iterable<string>): Promise<void> {
  await pipeline(Readable.from(texts), response);
}

/** A text again and again, in blocks, until it has so many bytes. */
function* repeat(text: string, bytes = Infinity): Generator<string> {
  const block = text.repeat(Math.ceil(65_536 / text.length));
  for (let sent = 0; sent < bytes; sent += block.length) yield block;
}

function* hugeEvent(): Generator<string> {
  yield 'data: {"candidates": [{"content": {"parts": [{"text": "';
  yield* repeat('x', 150 * MEGABYTE);
  yield '"}]}}]}\n\n';
}

const eventOf = (parts: readonly object[], finishReason?: string): string => `data: ${JSON.stringify({candidates: [{content: {role: 'model', parts}, ...(finishReason ? {finishReason} : {})}]})}\n\n`;

interface Run {
  readonly child: ChildProcess;
  readonly ended: Promise<{readonly code: number | null; readonly stdout: string; readonly stderr: string; readonly peak: number}>;
}

/** Starts a headless run of the real program; `peak` is the most memory it had, in megabytes, as Linux tells it. */
function run(home: string, url: string, settings: Readonly<Record<string, string>> = {}): Run {
  const variables = {GEMINI_API_KEY: 'key', GOOGLE_GEMINI_BASE_URL: url, OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: 'key', ...settings};
  const child = spawn(process.execPath, [join(checkout, 'bin', 'gemini.cjs'), '-p', 'go', '-m', settings['MODEL'] ?? 'gemini-2.5-pro', '--approval-mode', 'yolo'], {
    cwd: home, env: isolate(home, variables), stdio: ['ignore', 'pipe', 'pipe'],
  });
  let peak = 0;
  const look = setInterval(() => {
    readFile(`/proc/${child.pid}/status`, 'utf8').then((text) => (peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(text)?.[1] ?? 0) / 1024)), () => undefined);
  }, 100);
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  const ended = once(child, 'close').then(([code]) => {
    clearInterval(look);
    return {code: code as number | null, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString(), peak};
  });
  return {child, ended};
}

const floods: readonly (readonly [string, () => Iterable<string>, string])[] = [
  ['one event of 150 MB', hugeEvent, 'an event of more than 32 MB'],
  ['a line without an end', () => repeat('x'), 'an event of more than 32 MB'],
  ['comments without an empty line', () => repeat(': still there\n'), 'an event of more than 32 MB'],
  ['comments without an end', () => repeat(': still there\n\n'), 'comments of more than 1 MB'],
];

describeFloods('gemini-2.5-pro');
describeFloods('openai:any');

function describeFloods(model: string): void {
  test.each(floods)(`${model}: %s ends with a named error, in bounded memory [model.bounded]`, async (_, flood, said) => {
    await using folder = await makeFolder();
    await using server = await startFlood((response) => write(response, flood()));
    const {code, stderr, peak} = await run(folder.path, server.url, {MODEL: model}).ended;
    expect({code, stderr}).toEqual({code: 1, stderr: expect.stringContaining(said)});
    expect(peak).toBeLessThan(600);
  }, 120_000);
}

test('of twenty thousand calls in one answer some are run, and the model is told of the others [agent.calls-bounded]', async () => {
  await using folder = await makeFolder();
  let round = 0;
  const parts = Array.from({length: 20_000}, (_, index) => ({functionCall: {name: 'list_directory', args: {dir_path: '.', index}}}));
  await using server = await startFlood(async (response) => void response.end((round += 1) === 1 ? eventOf(parts, 'STOP') : eventOf([{text: 'Done.'}], 'STOP')));
  const {code, stdout, stderr} = await run(folder.path, server.url).ended;
  expect({code, stdout, stderr}).toEqual({code: 0, stdout: 'Done.\n', stderr: expect.stringContaining('The model asked for 20000 calls at once. 500 were run.')});
}, 120_000);

test.each([
  ['a flood of comments', (response: ServerResponse) => write(response, repeat(': still there\n\n'))],
  ['a flood of text', (response: ServerResponse) => write(response, repeat(eventOf([{text: 'word '}])))],
  ['silence', async () => undefined],
])('SIGTERM ends a run within two seconds and a little during %s [signals.end]', async (_, flood) => {
  await using folder = await makeFolder();
  let asked = (): void => undefined;
  const begun = new Promise<void>((resolve) => (asked = resolve));
  await using server = await startFlood((response) => {
    asked();
    return flood(response);
  });
  const {child, ended} = run(folder.path, server.url);
  await begun;
  const started = performance.now();
  child.kill('SIGTERM');
  expect((await ended).code).toBe(143);
  // Two seconds are promised; the machine that tests may be busy.
  expect(performance.now() - started).toBeLessThan(6000);
}, 60_000);

test.each([
  ['a server that never answers', async () => undefined, {}],
  ['a proxy that never answers', async () => undefined, {proxy: 'yes'}],
])('%s is named within five seconds [agent.silence]', async (_, flood, {proxy}: {proxy?: string}) => {
  await using folder = await makeFolder();
  await using server = await startFlood(flood);
  const {child, ended} = proxy ? run(folder.path, 'http://model.example', {HTTP_PROXY: server.url, http_proxy: server.url}) : run(folder.path, server.url);
  const started = performance.now();
  const said = await once(child.stderr ?? child, 'data');
  expect(String(said[0])).toContain('gemini:gemini-2.5-pro has not answered for 4 seconds. Still waiting');
  // Five are promised, from the request on; the machine that tests may be busy.
  expect(performance.now() - started).toBeLessThan(12_000);
  child.kill('SIGTERM');
  expect((await ended).code).toBe(143);
}, 60_000);
