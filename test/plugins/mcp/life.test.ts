import {createHash} from 'node:crypto';
import {mkdtemp, readFile, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createRequire} from 'node:module';
import {expect, test} from '@jest/globals';
import {onPosix} from '../../helpers/where.js';
import {foreign, readNotes, script, scripted, startMcp, textOf, toolNames, until} from './scene.js';

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

test('a published server for memory works, and keeps what one run wrote for the next [mcp.real]', async () => {
  const memory = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-memory/dist/index.js');
  const file = join(await folder(), 'memory.jsonl');
  const entry = {command: process.execPath, args: [memory], env: {MEMORY_FILE_PATH: file}};
  const entities = [{name: 'Ada', entityType: 'person', observations: ['likes engines']}];
  {
    await using kernel = await startMcp({memory: entry});
    expect(await kernel.call('mcp_memory_create_entities', {entities})).toMatchObject({status: 'done'});
  }
  await using kernel = await startMcp({memory: entry});
  const found = await kernel.call('mcp_memory_search_nodes', {query: 'engines'});
  expect(found).toMatchObject({status: 'done', result: {data: {entities, relations: []}}});
  expect(textOf(found)).toContain('likes engines');
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

const digest = async (path: string): Promise<string> =>
  `sha256-${createHash('sha256')
    .update(await readFile(path))
    .digest('base64')}`;

test('a server starts only while its files have the digests that are named for them [mcp.pin]', async () => {
  const helper = join(await folder(), 'helper.mjs');
  await writeFile(helper, 'export const one = 1;');
  const entry = {...scripted(), integrity: {[script]: await digest(script), [helper]: await digest(helper)}};
  await using kernel = await startMcp({one: entry});
  const mcp = await kernel.service('mcp');
  expect(await mcp.check('one')).toMatchObject({ok: true});
  await writeFile(helper, 'export const one = 2;');
  const {ok, steps} = await mcp.check('one');
  expect([ok, steps.at(-1)?.detail]).toEqual([
    false,
    expect.stringContaining(`${helper} has the digest ${await digest(helper)} instead of sha256-`),
  ]);
});

onPosix('a file with a digest that cannot be read keeps its server from starting [mcp.pin]', async () => {
  const place = await folder();
  const fifo = join(place, 'fifo');
  const {execFileSync} = await import('node:child_process');
  execFileSync('mkfifo', [fifo]);
  for (const path of [fifo, join(place, 'missing'), place]) {
    await using kernel = await startMcp({one: {...scripted(), integrity: {[path]: await digest(script)}}});
    const {steps} = await (await kernel.service('mcp')).check('one');
    expect(steps.at(-1)?.detail).toContain(`${path}, whose digest is named in integrity, cannot be read`);
  }
});

test('an invalid digest leaves the server out [mcp.pin]', async () => {
  await using kernel = await startMcp({one: {...scripted(), integrity: {'./a': 'md5-abc'}}});
  const [server] = await (await kernel.service('mcp')).list();
  expect(server?.leftOut?.sentence).toContain('the digest of "./a" must be "sha256-" and base64');
});
