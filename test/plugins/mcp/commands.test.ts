import {once} from 'node:events';
import {mkdir, readFile, mkdtemp} from 'node:fs/promises';
import {createServer, type AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import type {} from '@gemini-kernel/plugin-mcp/contract';
import {runGemini} from '../../helpers/run-gemini.js';
import {script, startMcp} from './scene.js';

async function place(): Promise<{cwd: string; home: string}> {
  const root = await mkdtemp(join(tmpdir(), 'gemini-mcp-'));
  const [cwd, home] = [join(root, 'project'), join(root, 'home')];
  await Promise.all([mkdir(cwd), mkdir(home)]);
  return {cwd, home};
}

test('a server is added, tested, called, disabled and removed by commands [mcp.commands] [mcp.add]', async () => {
  const where = await place();
  const variables = {GEMINI_CLI_TRUST_WORKSPACE: 'true'};
  const gemini = (...words: string[]) => runGemini(words, {...where, variables});
  const added = await gemini('mcp', 'add', 'one', '-e', 'KEY=secret=1', '--', process.execPath, script, 'noise');
  expect(added).toMatchObject({code: 0, stdout: expect.stringContaining('Added the MCP server "one"')});
  const written = JSON.parse(await readFile(join(where.cwd, '.gemini', 'settings.json'), 'utf8')) as unknown;
  expect(written).toEqual({
    mcpServers: {one: {command: process.execPath, args: [script, 'noise'], env: {KEY: 'secret=1'}}},
  });

  const got = await gemini('mcp', 'get', 'one');
  expect(got.stdout).toContain('used         yes');
  expect(got.stdout).not.toContain('secret');
  expect((await gemini('mcp', 'test', 'one')).stdout).toContain('✓ handshake      scripted 1.2.3, protocol ');
  expect((await gemini('mcp', 'logs', 'one')).stdout).toContain('[stdout] Listening on stdio');
  const called = await gemini('tools', 'call', 'mcp_one_echo', 'text=hello', '--yes');
  expect(called).toMatchObject({code: 0, stdout: 'hello\n'});

  expect(await gemini('mcp', 'disable', 'one')).toMatchObject({code: 0, stdout: 'The MCP server "one" is disabled.\n'});
  const listed = JSON.parse((await gemini('mcp', 'list', '--json')).stdout) as {servers: unknown[]};
  expect(listed.servers).toEqual([
    expect.objectContaining({name: 'one', leftOut: expect.objectContaining({reason: 'disabled'})}),
  ]);
  expect(await gemini('mcp', 'enable', 'one')).toMatchObject({code: 0});
  expect(await gemini('mcp', 'remove', 'one')).toMatchObject({code: 0});
  expect((await gemini('mcp', 'list')).stdout).toContain('No MCP servers are configured.');
}, 60_000);

test.each([
  [['mcp', 'get', 'nothing'], 42, 'There is no MCP server "nothing".'],
  [['mcp', 'remove', 'nothing'], 42, 'There is no MCP server "nothing".'],
  [['mcp', 'add', 'x', 'ftp://x', '--transport', 'http'], 42, 'its address must start with http:// or https://'],
  [['mcp', 'add', 'x', 'node', '--env', 'A'], 42, '--env must have the form NAME=value, not "A".'],
  [['mcp', 'disable', 'x'], 42, 'There is no MCP server "x".'],
])('gemini %j ends with a sentence [mcp.commands]', async (words, code, sentence) => {
  const outcome = await runGemini(words, {...(await place()), variables: {GEMINI_CLI_TRUST_WORKSPACE: 'true'}});
  expect(outcome).toMatchObject({code, stderr: expect.stringContaining(sentence)});
});

/** A port that nothing listens at. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const {port} = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const silent = (text: string): Record<string, unknown> => ({command: process.execPath, args: ['-e', text]});

test.each<readonly [string, Record<string, unknown>, readonly string[], string]>([
  ['program', {command: 'no-such-program'}, [], 'there is no such program'],
  ['program', {...silent(''), cwd: 'no-such-folder'}, [], 'its directory no-such-folder does not exist'],
  [
    'start',
    silent('console.error("no key"); process.exit(3)'),
    [],
    'ended with exit code 3; its last output was "no key"',
  ],
  ['handshake', {...silent('process.stdin.resume()'), timeout: 300}, ['start'], 'timed out'],
  ['address', {httpUrl: 'http://127.0.0.1:PORT/mcp'}, [], 'HTTP: '],
])('a test says that the step %s failed, and what to do [mcp.steps]', async (step, entry, before, detail) => {
  const {httpUrl} = entry;
  const address = httpUrl === undefined ? {} : {httpUrl: String(httpUrl).replace('PORT', String(await closedPort()))};
  await using kernel = await startMcp({one: {...entry, ...address}});
  const {ok, steps} = await (await kernel.service('mcp')).check('one');
  expect([ok, ...steps.map((one) => `${one.step} ${one.ok ? 'passed' : 'failed'}`)]).toEqual([
    false,
    'configuration passed',
    ...before.map((one) => `${one} passed`),
    `${step} failed`,
  ]);
  expect(steps.at(-1)?.detail).toContain(detail);
  expect(steps.at(-1)?.hint).toMatch(/`gemini mcp (?:get|logs) one` shows/);
});
