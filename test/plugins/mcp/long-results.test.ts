import {mkdir, readdir, stat, utimes} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import type {TestKernel} from '@gemini-kernel/kernel/testing';
import {pluginRoot} from '../../helpers/plugin-root.js';
import {scripted, startMcp, textOf} from './scene.js';

const start = (options: Parameters<typeof startMcp>[1] = {}): Promise<TestKernel> =>
  startMcp(
    {one: scripted()},
    {plugins: ['settings', 'trust', 'env', 'network', 'workspace', 'filesystem', 'mcp'].map(pluginRoot), ...options},
  );

/** The file that the answer names. */
function fileIn(text: string): string {
  const [, file = ''] = /characters is in (.+) until the session ends/.exec(text) ?? [];
  expect(file).not.toBe('');
  return file;
}

describe('a result that is too long for the model', () => {
  test('is in a private file that the model reads in parts [mcp.long-results]', async () => {
    await using kernel = await start();
    const file = fileIn(textOf(await kernel.call('mcp_one_big', {size: 3_000_000})));
    const [folder, own] = await Promise.all([stat(dirname(file)), stat(file)]);
    expect([folder.mode & 0o777, own.mode & 0o777]).toEqual([0o700, 0o600]);
    const outcome = await kernel.call('read_file', {file_path: file, start_line: 1500, end_line: 1500});
    expect(outcome).toMatchObject({
      result: {plain: 'x'.repeat(2000), data: {firstLine: 1500, totalLines: 1500}},
    });
  });

  test('is in such a file too where it reports an error: MCP_CALL_FAILED [mcp.long-results]', async () => {
    await using kernel = await start();
    const outcome = await kernel.call('mcp_one_fail', {size: 70_000});
    if (outcome.status !== 'failed') throw new Error(textOf(outcome));
    const {code, message, model = ''} = outcome.error;
    expect([code, message.includes('[10000 characters omitted]'), model.length < 62_000]).toEqual([
      'MCP_CALL_FAILED',
      true,
      true,
    ]);
    const read = await kernel.call('read_file', {file_path: fileIn(model), start_line: 1, end_line: 1});
    expect(read).toMatchObject({result: {plain: `${'y'.repeat(2000)}\n`, data: {totalLines: 35}}});
  });

  test('is indented where it is JSON in one line [mcp.long-results]', async () => {
    await using kernel = await start();
    const text = JSON.stringify({rows: Array.from({length: 20_000}, (_, row) => row)});
    const file = fileIn(textOf(await kernel.call('mcp_one_echo', {text})));
    const outcome = await kernel.call('read_file', {file_path: file, start_line: 103, end_line: 104});
    expect(outcome).toMatchObject({result: {plain: '    100,\n    101,\n'}});
  });

  test('keeps characters of two units whole where a line is broken [mcp.long-results]', async () => {
    await using kernel = await start();
    const file = fileIn(textOf(await kernel.call('mcp_one_echo', {text: `x${'😀'.repeat(40_000)}`})));
    const outcome = await kernel.call('read_file', {file_path: file, start_line: 1, end_line: 1});
    expect(outcome).toMatchObject({result: {plain: `x${'😀'.repeat(999)}\n`}});
  });

  test('leaves nothing when the session ends [mcp.long-results]', async () => {
    const kernel = await start();
    const file = fileIn(textOf(await kernel.call('mcp_one_big', {size: 70_000})));
    const results = dirname(dirname(file));
    expect(await readdir(results)).toHaveLength(1);
    await kernel.session.close();
    expect(await readdir(results)).toEqual([]);
    await kernel.close();
  });

  test('removes what a program that was killed left a week ago [mcp.long-results]', async () => {
    await using kernel = await start();
    const results = join(kernel.home, '..', 'cache', 'mcp', 'results');
    const [old, recent] = [join(results, 'session-old'), join(results, 'session-recent')];
    await Promise.all([old, recent].map((path) => mkdir(path, {recursive: true})));
    const longAgo = new Date(Date.now() - 8 * 24 * 60 * 60_000);
    await utimes(old, longAgo, longAgo);
    await kernel.call('mcp_one_big', {size: 70_000});
    const left = await readdir(results);
    expect(left).toContain('session-recent');
    expect(left).not.toContain('session-old');
  });

  test('is cut, with the reason, where no file can be written [mcp.long-results]', async () => {
    await using kernel = await start({homeFiles: {'../cache/mcp/results': 'a file, not a folder'}});
    const text = textOf(await kernel.call('mcp_one_big', {size: 70_000}));
    expect(text).toContain('[10000 characters omitted]');
    expect(text).toMatch(/The rest of the text cannot be kept in a file: .*EEXIST/);
  });

  test('takes no more room than a session may use [mcp.long-results]', async () => {
    await using kernel = await start();
    const size = 60_000_000;
    fileIn(textOf(await kernel.call('mcp_one_big', {size})));
    expect(textOf(await kernel.call('mcp_one_big', {size}))).toContain('this session keeps 100000000 characters');
  });
});
