import {mkdtemp, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createRequire} from 'node:module';
import {expect, test} from '@jest/globals';
import {onPosix} from '../../helpers/where.js';
import {foreign, readNotes, scripted, startMcp, textOf, toolNames, until} from './scene.js';

const folder = (): Promise<string> => mkdtemp(join(tmpdir(), 'gemini-mcp-'));

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

onPosix(
  'the processes of a server end with the program, its helpers too, also when it does not want to [mcp.life]',
  async () => {
    const notes = join(await folder(), 'notes');
    const kernel = await startMcp({one: scripted(`notes=${notes}`, 'leave-helper', 'stubborn=1')});
    await toolNames(kernel);
    const pids = (await readNotes(notes))
      .flatMap((line) => /^(?:start|helper) (\d+)/.exec(line)?.[1] ?? [])
      .map(Number);
    expect(pids.filter(isAlive)).toHaveLength(2);
    await kernel.close();
    await until(() => pids.every((pid) => !isAlive(pid)));
  },
);

test('a tool that has gone since it was remembered is not called, and the list is corrected [mcp.stale]', async () => {
  const grown = join(await folder(), 'grown');
  await writeFile(grown, '');
  await using kernel = await startMcp({one: scripted(`grown=${grown}`)});
  expect(await toolNames(kernel)).toContain('mcp_one_grown');
  await kernel.session.close();
  const {rm} = await import('node:fs/promises');
  await rm(grown);
  const again = kernel.kernel.open();
  const names = async (): Promise<readonly string[]> => (await again.tools()).map(({name}) => name);
  expect(await names()).toContain('mcp_one_grown');
  const options = {confirm: async () => ({decision: 'yes'}) as const};
  expect(textOf(await again.call({tool: 'mcp_one_grown', input: {}}, options))).toMatch(/^MCP_TOOL_GONE: .* is gone/);
  expect(await names()).not.toContain('mcp_one_grown');
  expect(textOf(await again.call({tool: 'mcp_one_echo', input: {text: 'a'}}, options))).toBe(foreign('a'));
});

test('a published server for files works [mcp.real]', async () => {
  const files = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-filesystem/dist/index.js');
  const entry = {command: process.execPath, args: [files]};
  await using kernel = await startMcp({files: entry}, {files: {'a.txt': 'the content'}});
  // It serves the roots of the session, which it asks for once it has started.
  const read = async (): Promise<string> =>
    textOf(await kernel.call('mcp_files_read_text_file', {path: join(kernel.project, 'a.txt')}));
  await until(async () => (await read()).includes('the content'));
});

test('four servers with a thousand tools are listed, and calls side by side get their own answers [mcp.robust]', async () => {
  const servers = Object.fromEntries(Array.from({length: 4}, (_, index) => [`s${index}`, scripted('many=250')]));
  await using kernel = await startMcp(servers);
  const names = await toolNames(kernel);
  expect(names.filter((name) => name.includes('_tool_'))).toHaveLength(1000);
  const texts = Array.from({length: 200}, (_, index) => `text ${index}`);
  const outcomes = await Promise.all(texts.map((text, index) => kernel.call(`mcp_s${index % 4}_echo`, {text})));
  expect(outcomes.map(textOf)).toEqual(texts.map(foreign));
}, 30_000);
