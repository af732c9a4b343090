import {spawn, type ChildProcess} from 'node:child_process';
import {request} from 'node:http';
import {chmod, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from '@jest/globals';
import {StreamableHTTPClientTransport, type Client} from '@modelcontextprotocol/client';
import {isolate, runGemini} from '../../helpers/run-gemini.js';
import {createClient, createScene, program, textOf, type Person, type Scene} from './scene.js';

let scene: Scene;
let child: ChildProcess;
let url = '';
let token = '';

beforeAll(async () => {
  scene = await createScene();
  child = spawn(process.execPath, [program, 'mcp', 'serve', '--http'], {
    cwd: scene.project,
    env: isolate(scene.home),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  await new Promise<void>((resolve) => {
    child.stderr?.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      if (/Bearer \S+\n/.test(printed)) resolve();
    });
  });
  url = /http:\S+/.exec(printed)?.[0] ?? '';
  token = /Bearer (\S+)/.exec(printed)?.[1] ?? '';
});

afterAll(async () => {
  const ended = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGTERM');
  expect(await ended).toBe(143);
  await scene[Symbol.asyncDispose]();
});

async function connect(person: Person = {}): Promise<Client> {
  const client = createClient(person);
  const headers = {Authorization: `Bearer ${token}`};
  await client.connect(new StreamableHTTPClientTransport(new URL(url), {requestInit: {headers}}));
  return client;
}

interface Raw {
  readonly headers?: Record<string, string>;
  readonly path?: string;
  readonly body?: string;
}

/** A request with the headers that a test wants, the Host among them. */
function send({
  headers = {},
  path = '/mcp',
  body = '{}',
}: Raw): Promise<{readonly status: number; readonly text: string}> {
  return new Promise((resolve, reject) => {
    const outgoing = request(new URL(path, url), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${token}`,
        ...headers,
      },
    });
    outgoing.on('error', reject);
    outgoing.on('response', (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve({status: response.statusCode ?? 0, text}));
    });
    outgoing.end(body);
  });
}

describe('gemini mcp serve --http', () => {
  test.each<readonly [string, Raw, number, string]>([
    ['without a token', {headers: {authorization: ''}}, 401, 'Send the token'],
    ['with another token', {headers: {authorization: 'Bearer 12345678901234567890'}}, 401, 'Send the token'],
    ['for another host', {headers: {host: 'evil.example'}}, 403, 'This Host is not served here.'],
    ['from another page', {headers: {origin: 'http://evil.example'}}, 403, 'other web pages'],
    ['to another path', {path: '/other'}, 404, 'The server is at /mcp.'],
    ['of another session', {headers: {'mcp-session-id': 'guess'}}, 404, 'is not yours'],
    ['that is no JSON', {body: '{'}, 400, 'not JSON'],
    ['that does not initialize', {body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'}, 400, 'initialize'],
    ['that is too large', {body: ' '.repeat(17 * 1024 * 1024)}, 413, 'at most 16777216 bytes'],
  ])('does not answer a request %s [serve.http]', async (_, raw, status, sentence) => {
    const answer = await send(raw);
    expect(answer.status).toBe(status);
    expect(answer.text).toContain(sentence);
  });

  test('gives each client a session of its own [serve.alone] [serve.http]', async () => {
    const asked: string[] = [];
    const person = (name: string): Person => ({
      answer: () => {
        asked.push(name);
        return {action: 'accept', content: {answer: 'session'}};
      },
    });
    const [one, two] = await Promise.all([connect(person('one')), connect(person('two'))]);
    const echo = {name: 'run_shell_command', arguments: {command: 'mkdir -p made'}};
    expect(textOf(await one.callTool(echo))).not.toMatch(/^!/);
    expect(textOf(await one.callTool(echo))).not.toMatch(/^!/);
    expect(asked).toEqual(['one']);
    expect(textOf(await two.callTool(echo))).not.toMatch(/^!/);
    expect(asked).toEqual(['one', 'two']);
    await Promise.all([one.close(), two.close()]);
  });

  test('does not let roots lead out of its directory [serve.roots] [serve.http]', async () => {
    const client = await connect({roots: () => ['/etc']});
    expect(textOf(await client.callTool({name: 'read_file', arguments: {file_path: '/etc/hostname'}}))).toMatch(/^!/);
    expect(textOf(await client.callTool({name: 'read_file', arguments: {file_path: 'a.txt'}}))).toBe('alpha\n');
    await client.close();
  });

  test('pauses a call of the stateless protocol until its question is answered [serve.stateless]', async () => {
    const asked: unknown[] = [];
    const client = await connect({
      stateless: true,
      answer: ({message}) => {
        asked.push(message);
        return {action: 'accept', content: {answer: asked.length === 1 ? 'yes' : 'no'}};
      },
    });
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    const write = (name: string) => ({name: 'write_file', arguments: {file_path: name, content: 'stateless'}});
    expect(textOf(await client.callTool(write('s.txt')))).not.toMatch(/^!/);
    expect(await readFile(join(scene.project, 's.txt'), 'utf8')).toBe('stateless');
    expect(textOf(await client.callTool(write('t.txt')))).toBe('!The call was refused: The person refused.');
    expect(asked).toEqual([expect.stringContaining('write_file'), expect.stringContaining('write_file')]);
    await client.close();
  });

  test('refuses options that would let strangers in, and a port in use: MCP_SERVE_FAILED [serve.http]', async () => {
    const open = join(scene.root, 'open-token');
    const short = join(scene.root, 'short-token');
    await writeFile(open, 'x'.repeat(40));
    await chmod(open, 0o644);
    await writeFile(short, 'short', {mode: 0o600});
    const run = (...args: readonly string[]) =>
      runGemini(['mcp', 'serve', '--http', ...args], {cwd: scene.project, home: scene.home});
    const port = new URL(url).port;
    const results = await Promise.all([
      run('--host', '0.0.0.0'),
      run('--tls-cert', 'c.pem'),
      run('--token-file', open),
      run('--token-file', short),
      run('--port', '70000'),
      run('--port', port),
    ]);
    expect(results.map(({code, stderr}) => [code, stderr.split('\n')[0]])).toEqual([
      [42, expect.stringContaining('--host 0.0.0.0 can be reached from other machines')],
      [42, expect.stringContaining('--tls-cert and --tls-key belong together.')],
      [42, expect.stringContaining(`Others can read the token in ${open}.`)],
      [42, expect.stringContaining(`The token in ${short} must be one word`)],
      [42, expect.stringContaining('--port must be a number up to 65535, not "70000".')],
      [1, expect.stringContaining(`Cannot listen at 127.0.0.1, port ${port}`)],
    ]);
    const json = await runGemini(['mcp', 'serve', '--http', '--port', port, '--json'], {
      cwd: scene.project,
      home: scene.home,
    });
    expect(json.stdout).toContain('MCP_SERVE_INVALID');
  });
});
