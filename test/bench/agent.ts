import {spawn} from 'node:child_process';
import {mkdir, mkdtemp, realpath, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createTestKernel, type TestKernel} from '@gemini-kernel/kernel/testing';
import type {ModelEvent} from '@gemini-kernel/plugin-agent/contract';
import {startGeminiServer} from '../helpers/gemini-server.js';
import {listenerCode, makeFolder, makePlugin} from '../helpers/make-plugin.js';
import {checkout, pluginRoot} from '../helpers/plugin-root.js';
import {createHome} from './dummy-plugins.js';
import {median, peakMemory, timeRun, type Bench, type Program} from './measure.js';

const ROUNDS = 15;
const CHUNKS = 5000;
const READS = 200;
const PLUGINS = [
  'settings',
  'trust',
  'env',
  'network',
  'workspace',
  'policy',
  'secrets',
  'filesystem',
  'memory',
  'agent',
  'model-replay',
];

/** Runs `act` with a home where 30 generated plugins are installed, and a scripted API that says one word. */
export async function withRun<T>(act: (program: Program, url: string) => Promise<T>): Promise<T> {
  const home = await createHome(30);
  const project = await realpath(await mkdtemp(join(tmpdir(), 'gemini-bench-project-')));
  await mkdir(join(home, '.gemini'), {recursive: true});
  await writeFile(join(home, '.gemini', 'trustedFolders.json'), JSON.stringify({[project]: 'TRUST_FOLDER'}));
  await writeFile(join(project, 'GEMINI.md'), 'Be brief.\n');
  await using server = await startGeminiServer({script: () => ({pieces: [{kind: 'text', text: 'Done.'}]})});
  const variables = {HOME: home, GEMINI_API_KEY: 'key', GOOGLE_GEMINI_BASE_URL: server.url};
  try {
    return await act({argv: [join(checkout, 'bin', 'gemini.cjs'), '-p', 'hi'], cwd: project, variables}, server.url);
  } finally {
    await rm(home, {recursive: true, force: true});
    await rm(project, {recursive: true, force: true});
  }
}

/** Milliseconds from the start of a process to its first request. */
export async function timeToRequest({argv, cwd, variables}: Program): Promise<number> {
  await using server = await startGeminiServer({script: [{pieces: [{kind: 'text', text: 'Done.'}]}]});
  const started = performance.now();
  const child = spawn(process.execPath, argv, {
    cwd,
    env: {PATH: process.env['PATH'] ?? '', ...variables, GOOGLE_GEMINI_BASE_URL: server.url},
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  await server.arrived(1);
  const ms = performance.now() - started;
  await ended;
  return ms;
}

const firstRequest: Bench = {
  name: 'gemini -p hi, to its first request',
  target: {atMost: 8, of: '`node -e 0`'},
  run: () =>
    withRun(async (program) => {
      const times: [number, number][] = [];
      for (let round = 0; round <= ROUNDS; round += 1)
        times.push([await timeToRequest(program), timeRun({argv: ['-e', '0']})]);
      const [a, b] = [0, 1].map((side) => median(times.slice(1).map((pair) => pair[side] ?? 0)));
      return {
        ratio: (a ?? 0) / (b ?? 1),
        detail: `${(a ?? 0).toFixed(1)} ms against ${(b ?? 1).toFixed(1)} ms, 30 plugins installed`,
      };
    }),
};

/** The server answers from a process of its own: measuring the client blocks this one. */
export async function withServer<T>(act: (url: string) => T | Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'gemini-bench-script-'));
  await writeFile(join(folder, 'script.json'), JSON.stringify([{pieces: [{kind: 'text', text: 'Done.'}]}]));
  const child = spawn(
    process.execPath,
    [join(checkout, 'test', 'dist', 'helpers', 'serve-gemini.js'), join(folder, 'script.json'), '--repeat'],
    {stdio: ['pipe', 'pipe', 'inherit']},
  );
  const line = await new Promise<string>((resolve) =>
    child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString())),
  );
  try {
    return await act((JSON.parse(line) as {url: string}).url);
  } finally {
    child.stdin.end();
    await rm(folder, {recursive: true, force: true});
  }
}

const memory: Bench = {
  name: 'peak memory of gemini -p hi',
  target: {atMost: 105, of: 'a MiB'},
  run: () =>
    withRun((program) =>
      withServer((url) => {
        const kilobytes = median(
          Array.from({length: 7}, () =>
            peakMemory({...program, variables: {...program.variables, GOOGLE_GEMINI_BASE_URL: url}}),
          ),
        );
        const bare = median(Array.from({length: 7}, () => peakMemory({argv: ['-e', '0']})));
        return {ratio: kilobytes / 1024, detail: `node -e 0 has ${(bare / 1024).toFixed(1)} MiB`};
      }),
    ),
};

/** A conversation whose model is a list of events, so that all that is measured is ours. */
async function withAnswers<T>(
  answers: readonly (readonly ModelEvent[])[],
  act: (kernel: TestKernel) => Promise<T>,
): Promise<T> {
  await using folder = await makeFolder();
  const body =
    `const answer = globalThis.benchAnswers.shift() ?? [{kind: 'text', text: 'Done.'}, {kind: 'end', reason: ` +
    `'stop'}]; return {...payload.value, answer};`;
  const model = await makePlugin(folder.path, {
    name: 'scripted',
    listeners: [{hook: 'model:request', module: './listener.mjs'}],
    files: {'listener.mjs': listenerCode('model:request', body)},
  });
  Object.assign(globalThis, {benchAnswers: [...answers]});
  const files = Object.fromEntries(
    Array.from({length: READS}, (_, index) => [`f${index}.txt`, `file ${index}\n`.repeat(50)]),
  );
  await using kernel = await createTestKernel({
    plugins: [...PLUGINS.map(pluginRoot), model],
    live: true,
    files,
    variables: {GEMINI_CLI_TRUST_WORKSPACE: 'true'},
    flags: {'model.name': 'replay:none'},
  });
  const result = await act(kernel);
  return result;
}

async function send(kernel: TestKernel): Promise<number> {
  const agent = await kernel.service('agent');
  const started = performance.now();
  const {status} = await agent.send({text: 'go'}, {signal: new AbortController().signal, onEvent: () => undefined});
  if (status !== 'done') throw new Error(`The prompt ended as ${status}.`);
  return performance.now() - started;
}

const chunk: Bench = {
  name: "the agent's own cost of a streamed chunk",
  target: {atMost: 100, of: 'a microsecond'},
  run: () => {
    const stop: ModelEvent = {kind: 'end', reason: 'stop'};
    const long = (count: number): readonly ModelEvent[] => [
      ...Array.from({length: count}, (_, index): ModelEvent => ({
        kind: 'text',
        text: `Piece ${index} of ${index * 7919} is prose. `,
      })),
      stop,
    ];
    const rounds = Array.from({length: 8}, () => [long(CHUNKS), long(1)]).flat();
    return withAnswers(rounds, async (kernel) => {
      const costs: number[] = [];
      for (let round = 0; round < 8; round += 1) costs.push(((await send(kernel)) - (await send(kernel))) / CHUNKS);
      return {
        ratio: median(costs.slice(2)) * 1000,
        detail: `${CHUNKS} pieces of prose, loop detection and recording plugins included`,
      };
    });
  },
};

const reads: Bench = {
  name: `${READS} read_file calls in one answer`,
  target: {atMost: 1.5, of: 'the same calls without the agent'},
  run: () => {
    const calls = (round: number): readonly ModelEvent[] => [
      ...Array.from({length: READS}, (_, index): ModelEvent => ({
        kind: 'call',
        id: `r${round}-${index}`,
        name: 'read_file',
        input: {file_path: `f${index}.txt`},
      })),
      {kind: 'end', reason: 'stop'},
    ];
    const rounds = Array.from({length: 9}, (_, round) => [
      calls(round),
      [
        {kind: 'text', text: 'Done.'},
        {kind: 'end', reason: 'stop'},
      ] as readonly ModelEvent[],
    ]).flat();
    return withAnswers(rounds, async (kernel) => {
      const pairs: [number, number][] = [];
      for (let round = 0; round < 9; round += 1) {
        const mine = await send(kernel);
        const started = performance.now();
        await Promise.all(
          Array.from({length: READS}, (_, index) => kernel.call('read_file', {file_path: `f${index}.txt`})),
        );
        pairs.push([mine, performance.now() - started]);
      }
      const [a, b] = [0, 1].map((side) => median(pairs.slice(2).map((pair) => pair[side] ?? 0)));
      return {
        ratio: (a ?? 0) / (b ?? 1),
        detail: `${(a ?? 0).toFixed(1)} ms / ${(b ?? 1).toFixed(1)} ms, two requests included`,
      };
    });
  },
};

/** What the agent costs. */
export const agent: readonly Bench[] = [firstRequest, memory, chunk, reads];
