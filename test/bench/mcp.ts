import {spawn} from 'node:child_process';
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {createTestKernel, type TestKernel} from '@gemini-kernel/kernel/testing';
import {checkout, pluginRoot} from '../helpers/plugin-root.js';
import {timeToRequest} from './agent.js';
import {compareHomes, type Difference} from './compare-homes.js';
import {median, timeRun, type Bench, type Program} from './measure.js';

const script = join(checkout, 'test', 'fixtures', 'mcp', 'server.mjs');
const ROUNDS = 15;
const CALLS = 300;

function servers(count: number, ...scenes: readonly string[]): Readonly<Record<string, unknown>> {
  const entry = {command: process.execPath, args: [script, ...scenes]};
  return Object.fromEntries(Array.from({length: count}, (_, index) => [`s${index}`, entry]));
}

function start(mcpServers: Readonly<Record<string, unknown>>): Promise<TestKernel> {
  return createTestKernel({
    confirm: 'yes',
    plugins: ['settings', 'trust', 'env', 'network', 'workspace', 'mcp'].map(pluginRoot),
    homeFiles: {'.gemini/settings.json': JSON.stringify({mcpServers})},
    variables: {GEMINI_CLI_TRUST_WORKSPACE: 'true', PATH: process.env['PATH']},
  });
}

async function timesOf(act: () => Promise<unknown>, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const started = performance.now();
    await act();
    times.push(performance.now() - started);
  }
  return times;
}

/** The same server with nothing of ours between: one line out, one line in. */
async function withBareServer<T>(act: (call: () => Promise<unknown>) => Promise<T>): Promise<T> {
  const child = spawn(process.execPath, [script], {stdio: ['pipe', 'pipe', 'ignore']});
  const lines = createInterface({input: child.stdout})[Symbol.asyncIterator]();
  let id = 0;
  const call = async (): Promise<unknown> => {
    const params = {name: 'echo', arguments: {text: 'hello'}};
    child.stdin.write(`${JSON.stringify({jsonrpc: '2.0', id: (id += 1), method: 'tools/call', params})}\n`);
    return JSON.parse((await lines.next()).value as string);
  };
  try {
    return await act(call);
  } finally {
    child.kill();
  }
}

async function callOrThrow(kernel: TestKernel, tool: string, input: unknown): Promise<void> {
  const {status} = await kernel.call(tool, input);
  if (status !== 'done') throw new Error(`${tool} ended ${status}.`);
}

const overhead: Bench = {
  name: 'MCP: echo over stdio, without the server',
  target: {atMost: 400, of: 'a microsecond'},
  async run() {
    await using kernel = await start(servers(1));
    await kernel.session.tools();
    const echo = (): Promise<void> => callOrThrow(kernel, 'mcp_s0_echo', {text: 'hello'});
    return await withBareServer(async (bare) => {
      await timesOf(echo, CALLS);
      await timesOf(bare, CALLS);
      const ours = median(await timesOf(echo, CALLS)) * 1000;
      const theirs = median(await timesOf(bare, CALLS)) * 1000;
      return {
        ratio: ours - theirs,
        detail: `${ours.toFixed(0)} us against ${theirs.toFixed(0)} us of a bare pipe, medians of ${CALLS}`,
      };
    });
  },
};

const large: Bench = {
  name: 'MCP: a result of 64 KiB',
  target: {atMost: 3, of: 'a millisecond'},
  async run() {
    await using kernel = await start(servers(1));
    await kernel.session.tools();
    const big = (): Promise<void> => callOrThrow(kernel, 'mcp_s0_big', {size: 65_536});
    await timesOf(big, 20);
    return {ratio: median(await timesOf(big, 60)), detail: 'median of 60 calls, the server included'};
  },
};

const many: Bench = {
  name: 'MCP: 1,000 tools of 20 servers, listed for a session',
  target: {atMost: 10, of: 'a millisecond'},
  async run() {
    await using kernel = await start(servers(20, 'many=36'));
    const before = process.memoryUsage().heapUsed;
    const count = (await kernel.session.tools()).length;
    const mebibytes = (process.memoryUsage().heapUsed - before) / 2 ** 20;
    const times = await timesOf(async () => {
      const session = kernel.kernel.open();
      await session.tools();
      await session.close();
    }, ROUNDS);
    return {
      ratio: median(times),
      detail: `${count} tools, in a session after the first; the first took ${mebibytes.toFixed(1)} MiB of heap`,
    };
  },
};

/** Runs with servers in the settings of the person against runs without. */
function comparePlaces(
  mcpServers: Readonly<Record<string, unknown>>,
  measure: (program: Program) => Promise<number> | number,
): Promise<Difference> {
  return compareHomes({
    rounds: ROUNDS,
    measure,
    // Both have settings to read.
    prepare: ({variables}, isWith) =>
      writeFile(
        join(variables?.['HOME'] ?? '', '.gemini', 'settings.json'),
        JSON.stringify({mcpServers: isWith ? mcpServers : {}, mcp: {excluded: ['none']}}),
      ),
  });
}

const firstRequest: Bench = {
  name: 'MCP: five servers seen before, to the first request of gemini -p hi',
  target: {atMost: 25, of: 'a millisecond more than without'},
  async run() {
    const {difference, without} = await comparePlaces(servers(5), timeToRequest);
    return {ratio: difference, detail: `${without.toFixed(0)} ms without, medians of ${ROUNDS} pairs`};
  },
};

const unused: Bench = {
  name: 'MCP: ten servers that are not used, gemini directory show',
  target: {atMost: 1, of: 'a millisecond more than without'},
  async run() {
    const {difference, without} = await comparePlaces(servers(10), ({argv, ...program}) =>
      timeRun({...program, argv: [argv[0] ?? '', 'directory', 'show']}),
    );
    return {ratio: difference, detail: `${without.toFixed(0)} ms without, medians of ${ROUNDS} pairs`};
  },
};

/** What MCP servers cost. */
export const mcp: readonly Bench[] = [overhead, large, many, firstRequest, unused];
