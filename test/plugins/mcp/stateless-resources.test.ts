import {spawn, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {mkdtemp} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, describe, expect, test} from '@jest/globals';
import type {TestKernel} from '@gemini-kernel/kernel/testing';
import {checkout} from '../../helpers/plugin-root.js';
import {readNotes, startMcp, toolNames, until} from './scene.js';

const script = join(checkout, 'test', 'fixtures', 'mcp', 'stateless.mjs');
const running: ChildProcess[] = [];

afterEach(async () => {
  for (const child of running.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});

interface Far {
  readonly entry: object;
  readonly child?: ChildProcess;
}

function overStdio(): Far {
  return {entry: {command: process.execPath, args: [script]}};
}

async function overHttp(...words: readonly string[]): Promise<Far> {
  const child = spawn(process.execPath, [script, 'http', ...words], {stdio: ['ignore', 'pipe', 'inherit']});
  running.push(child);
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return {entry: {url: line.toString().trim(), type: 'http'}, child};
}

/** The addresses that are stale for the session of a kernel. */
async function stale(kernel: TestKernel): Promise<readonly string[]> {
  const mcp = await kernel.service('mcp');
  return (await mcp.stale(kernel.session.info.id)).map(({uri}) => uri);
}

async function read(kernel: TestKernel, uri: string): Promise<void> {
  expect(await kernel.call('read_mcp_resource', {uri})).toMatchObject({status: 'done'});
}

describe('a resource of a server of the stateless revision', () => {
  test.each([
    ['stdio', overStdio],
    ['HTTP', overHttp],
  ])('is followed from when it was read: %s [mcp.subscriptions]', async (_, open) => {
    await using kernel = await startMcp({far: (await open()).entry});
    await kernel.session.tools();
    await read(kernel, 'memo://1');
    await kernel.call('mcp_far_change', {uri: 'memo://2'});
    await read(kernel, 'memo://2');
    for (const uri of ['memo://2', 'memo://1']) await kernel.call('mcp_far_change', {uri});
    await until(async () => (await stale(kernel)).length === 2);
    await read(kernel, 'memo://1');
    expect(await stale(kernel)).toEqual(['memo://2']);
  });

  test('stays followed when the stream breaks off [mcp.subscriptions]', async () => {
    const notes = join(await mkdtemp(join(tmpdir(), 'gemini-mcp-')), 'notes');
    await using kernel = await startMcp({far: (await overHttp(`notes=${notes}`)).entry});
    await kernel.session.tools();
    await read(kernel, 'memo://1');
    await read(kernel, 'memo://2');
    const both = async (): Promise<number> =>
      (await readNotes(notes)).filter((line) => line === 'listen memo://1 memo://2').length;
    expect(await both()).toBe(1);
    await kernel.call('mcp_far_break', {});
    await until(async () => (await both()) === 2);
    await until(async () => {
      await kernel.call('mcp_far_change', {uri: 'memo://2'});
      return (await stale(kernel)).length > 0;
    });
    expect(await stale(kernel)).toEqual(['memo://2']);
  });

  test('does not keep changes of lists from being heard when the streams break off [mcp.subscriptions]', async () => {
    const notes = join(await mkdtemp(join(tmpdir(), 'gemini-mcp-')), 'notes');
    await using kernel = await startMcp({far: (await overHttp(`notes=${notes}`)).entry});
    await kernel.session.tools();
    await kernel.call('mcp_far_change', {uri: 'memo://1'});
    await until(async () => (await readNotes(notes)).length === 1);
    await kernel.call('mcp_far_break', {});
    await until(async () => (await readNotes(notes)).length === 2);
    await kernel.call('mcp_far_grow', {});
    await until(async () => (await toolNames(kernel)).includes('mcp_far_grown'));
  });

  test('is taken for changed when its stream cannot be opened again [mcp.subscriptions]', async () => {
    const {entry, child} = await overHttp();
    await using kernel = await startMcp({far: entry});
    await kernel.session.tools();
    await read(kernel, 'memo://1');
    child?.kill('SIGKILL');
    await until(async () => (await stale(kernel)).length > 0);
    expect(await stale(kernel)).toEqual(['memo://1']);
  });

  test('is read without being followed from a server that cannot tell [mcp.subscriptions]', async () => {
    const notes = join(await mkdtemp(join(tmpdir(), 'gemini-mcp-')), 'notes');
    await using kernel = await startMcp({far: (await overHttp('deaf', `notes=${notes}`)).entry});
    await kernel.session.tools();
    await read(kernel, 'memo://1');
    await kernel.call('mcp_far_change', {uri: 'memo://1'});
    expect(await stale(kernel)).toEqual([]);
    // Changes of lists are heard of.
    expect(await readNotes(notes)).toEqual(['listen']);
  });
});
