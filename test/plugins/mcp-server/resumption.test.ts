import {spawn, type ChildProcess} from 'node:child_process';
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from '@jest/globals';
import {installPlugins} from '../../helpers/install-plugins.js';
import {isolate} from '../../helpers/run-gemini.js';
import {createScene, program, type Scene} from './scene.js';

const TOKEN = 'token-of-this-test-0123456789abcdef';
let scene: Scene;
let child: ChildProcess;
let url = '';

beforeAll(async () => {
  scene = await createScene();
  await installPlugins(scene.home, {present: ['mcp-conformance']});
  const file = join(scene.root, 'token');
  await writeFile(file, TOKEN, {mode: 0o600});
  child = spawn(process.execPath, [program, 'mcp', 'serve', '--http', '--yolo', '--token-file', file], {
    cwd: scene.project,
    env: isolate(scene.home),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  url = await new Promise<string>((resolve) => {
    let printed = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      const [found] = /http:\S+\/mcp/.exec(printed) ?? [];
      if (found) resolve(found);
    });
  });
});

afterAll(async () => {
  const ended = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGTERM');
  await ended;
  await scene[Symbol.asyncDispose]();
});

interface Sent {
  readonly method?: string;
  readonly session?: string;
  readonly lastEvent?: string;
  readonly body?: object;
}

function send({method = 'POST', session, lastEvent, body}: Sent): Promise<Response> {
  return fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${TOKEN}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-protocol-version': '2025-11-25',
      ...(session === undefined ? {} : {'mcp-session-id': session}),
      ...(lastEvent === undefined ? {} : {'last-event-id': lastEvent}),
    },
    ...(body ? {body: JSON.stringify({jsonrpc: '2.0', ...body})} : {}),
  });
}

async function begin(): Promise<string> {
  const params = {protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {name: 'raw', version: '1.0.0'}};
  const response = await send({body: {id: 0, method: 'initialize', params}});
  await response.text();
  const session = response.headers.get('mcp-session-id') ?? '';
  await send({session, body: {method: 'notifications/initialized'}});
  return session;
}

/** Reads a stream until a text is in it, and leaves. */
async function readUntil(response: Response, wanted: RegExp): Promise<RegExpExecArray> {
  const reader = (response.body ?? new ReadableStream<Uint8Array>()).pipeThrough(new TextDecoderStream()).getReader();
  let read = '';
  for (;;) {
    const found = wanted.exec(read);
    const {value, done} = found ? {value: undefined, done: true} : await reader.read();
    if (found) {
      await reader.cancel();
      return found;
    }
    if (done) throw new Error(`The stream ended with ${JSON.stringify(read)}.`);
    read += value;
  }
}

test('a stream that breaks off during a call is taken up again, and brings the result [serve.resume]', async () => {
  const session = await begin();
  const call = {id: 7, method: 'tools/call', params: {name: 'slow_compute', arguments: {seconds: 1, label: 'x'}}};
  const broken = await send({session, body: call});
  const [opened, lastEvent = ''] = await readUntil(broken, /^id: (\S+)\nretry: \d+\n/m);
  expect(opened).toContain('retry: 1000');
  const again = await send({method: 'GET', session, lastEvent});
  expect(again.status).toBe(200);
  const [, result = ''] = await readUntil(again, /^data: (\{.*"id":7.*\})$/m);
  expect(JSON.parse(result)).toMatchObject({id: 7, result: {content: [{type: 'text', text: 'Computed x.'}]}});
  // It is still there for a client that lost it a second time.
  const third = await send({method: 'GET', session, lastEvent});
  expect((await readUntil(third, /Computed x/))[0]).toBe('Computed x');
});

test('a client takes up only streams of its own, and only ones that are known [serve.resume]', async () => {
  const [one, other] = [await begin(), await begin()];
  const call = {id: 1, method: 'tools/call', params: {name: 'greet', arguments: {name: 'Ann'}}};
  const [, lastEvent = ''] = await readUntil(await send({session: one, body: call}), /^id: (\S+)$/m);
  const mine = await send({method: 'GET', session: one, lastEvent});
  await readUntil(mine, /Hello, Ann!/);
  for (const [session, id] of [
    [other, '999'],
    [one, 'no-such-event'],
  ] as const) {
    const refused = await send({method: 'GET', session, lastEvent: id});
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('is not kept')]);
  }
  const theirs = await send({method: 'GET', session: other, lastEvent});
  expect(await theirs.text()).not.toContain('Ann');
});
