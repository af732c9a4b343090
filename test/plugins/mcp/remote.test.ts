import {spawn, type ChildProcess} from 'node:child_process';
import {createServer} from 'node:http';
import {createServer as createPort, type AddressInfo} from 'node:net';
import {createRequire} from 'node:module';
import {afterAll, beforeAll, describe, expect, test} from '@jest/globals';
import {foreign, scripted, startMcp, textOf, toolNames, until} from './scene.js';

const everything = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js');
const running: ChildProcess[] = [];

async function freePort(): Promise<number> {
  const server = createPort().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const {port} = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A published server, on a port of this machine. */
async function serve(kind: 'streamableHttp' | 'sse'): Promise<string> {
  const port = await freePort();
  const child = spawn(process.execPath, [everything, kind], {
    env: {...process.env, PORT: String(port)},
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  running.push(child);
  const url = `http://127.0.0.1:${port}/${kind === 'sse' ? 'sse' : 'mcp'}`;
  await until(() =>
    fetch(url, {signal: AbortSignal.timeout(500)}).then(
      () => true,
      ({name}: Error) => name === 'TimeoutError',
    ),
  );
  return url;
}

let http = '';
let sse = '';
beforeAll(async () => {
  [http, sse] = await Promise.all([serve('streamableHttp'), serve('sse')]);
}, 30_000);
afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
});

describe('a published server at an address', () => {
  test.each([
    ['HTTP', () => ({url: http, type: 'http'})],
    ['HTTP by httpUrl', () => ({httpUrl: http})],
    ['HTTP without a type', () => ({url: http})],
    ['SSE', () => ({url: sse, type: 'sse'})],
    ['SSE without a type', () => ({url: sse})],
  ])('answers by %s [mcp.remote] [mcp.real]', async (_, entry) => {
    await using kernel = await startMcp({far: entry()});
    expect(textOf(await kernel.call('mcp_far_echo', {message: 'hello'}))).toBe(foreign('Echo: hello'));
    expect(kernel.warnings).toEqual([]);
  });

  test('that does not answer is named with both causes [mcp.remote]', async () => {
    const other = createServer((_, response) => response.writeHead(500).end('broken')).listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const {port} = other.address() as AddressInfo;
    await using kernel = await startMcp({far: {url: `http://127.0.0.1:${port}/mcp`}});
    expect(await toolNames(kernel)).toEqual([]);
    other.close();
    expect(kernel.warnings).toEqual([expect.stringMatching(/"far" is not available: HTTP: .*500.*; SSE: .*500/)]);
  });

  test('that is not there is named with the host [mcp.remote]', async () => {
    const port = await freePort();
    await using kernel = await startMcp({far: {url: `http://127.0.0.1:${port}/mcp`}, one: scripted()});
    expect(await toolNames(kernel)).toContain('mcp_one_echo');
    expect(kernel.warnings).toEqual([expect.stringContaining(`127.0.0.1:${port}`)]);
  });

  test('gets the headers of its entry [mcp.remote]', async () => {
    const seen: (string | undefined)[] = [];
    const other = createServer((request, response) => {
      seen.push(request.headers['x-team']?.toString());
      response.writeHead(404).end();
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const {port} = other.address() as AddressInfo;
    const entry = {url: `http://127.0.0.1:${port}/`, type: 'http', headers: {'X-Team': '$TEAM'}};
    await using kernel = await startMcp({far: entry}, {variables: {TEAM: 'blue'}});
    await toolNames(kernel);
    other.close();
    expect(new Set(seen)).toEqual(new Set(['blue']));
  });
});
