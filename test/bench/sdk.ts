import {spawn} from 'node:child_process';
import {mkdtemp, realpath, rm} from 'node:fs/promises';
import {createServer, type Server} from 'node:http';
import {once} from 'node:events';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {checkout} from '../helpers/plugin-root.js';
import {median, type Bench} from './measure.js';

const ROUNDS = 9;
const AGENTS = 100;
const ANSWER = `data: ${JSON.stringify({
  candidates: [{content: {role: 'model', parts: [{text: 'Hi.'}]}, finishReason: 'STOP'}],
  usageMetadata: {promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2},
})}\n\n`;
const SDK = pathToFileURL(join(checkout, 'kernel', 'sdk', 'dist', 'index.js')).href;

interface Place {
  readonly folder: string;
  readonly variables: Readonly<Record<string, string>>;
  /** Milliseconds since the epoch at which the last first request came. */
  take(): number;
}

/** A model that notes when a request comes. */
async function withModel<T>(act: (place: Place) => Promise<T>): Promise<T> {
  let at = 0;
  const server: Server = createServer((request, response) => {
    at ||= Date.now();
    request.resume().once('end', () => response.writeHead(200, {'content-type': 'text/event-stream'}).end(ANSWER));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'gemini-bench-sdk-')));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const variables = {
    ...{PATH: process.env['PATH'] ?? '', HOME: folder, GEMINI_CLI_TRUST_WORKSPACE: 'true', GEMINI_MODEL: 'model-a'},
    ...{GEMINI_API_KEY: 'key', GOOGLE_GEMINI_BASE_URL: url},
  };
  const take = (): number => {
    const last = at;
    at = 0;
    return last;
  };
  try {
    return await act({folder, variables, take});
  } finally {
    server.close();
    await rm(folder, {recursive: true, force: true});
  }
}

/** Runs node and gives what it printed. */
async function run(argv: readonly string[], {folder, variables}: Place): Promise<string> {
  const child = spawn(process.execPath, argv, {cwd: folder, env: variables, stdio: ['ignore', 'pipe', 'inherit']});
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`node ${argv[0] ?? ''} ended with ${code}: ${text}`);
  return text;
}

/** A program that prints when it begins to make an agent, after it has made `before` others. */
function program(before: number): string {
  return `import {createAgent} from ${JSON.stringify(SDK)};
const ask = async (say) => {
  if (say) console.log(Date.now());
  const agent = await createAgent({environment: 'process', trusted: true});
  const session = await agent.session();
  await session.send('Hi').result();
  await agent.dispose();
};
for (let round = 0; round < ${before}; round += 1) await ask(false);
console.log('first');
await ask(true);`;
}

function firstRequest(name: string, before: number, atMost: number): Bench {
  return {
    name,
    target: {atMost, of: 'the time of `gemini -p` from its start to its first request'},
    run: () =>
      withModel(async (place) => {
        const [ours, theirs]: [number[], number[]] = [[], []];
        for (let round = 0; round < ROUNDS; round += 1) {
          const started = Date.now();
          await run([join(checkout, 'bin', 'gemini.cjs'), '-p', 'Hi'], place);
          theirs.push(place.take() - started);
          ours.push(await timeAgent(program(before), place));
        }
        const [a, b] = [median(ours), median(theirs)];
        return {ratio: a / b, detail: `${a.toFixed(0)} ms against ${b.toFixed(0)} ms`};
      }),
  };
}

/** From the line after which only the measured agent asks. */
async function timeAgent(code: string, place: Place): Promise<number> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    ...{cwd: place.folder, env: place.variables, stdio: ['ignore', 'pipe', 'inherit']},
  });
  let text = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    text += chunk.toString();
    if (chunk.includes('first')) place.take();
  });
  await once(child, 'close');
  return place.take() - Number(text.trim().split('\n').at(-1));
}

const many: Bench = {
  name: `memory of ${AGENTS} agents of the SDK in one process, each after a prompt`,
  target: {atMost: 300, of: 'a MiB'},
  run: () =>
    withModel(async (place) => {
      const code = `import {createAgent} from ${JSON.stringify(SDK)};
const open = async () => {
  const agent = await createAgent({environment: 'process', trusted: true});
  const session = await agent.session();
  await session.send('Hi').result();
  return agent;
};
const agents = [await open()];
globalThis.gc();
const before = process.memoryUsage().rss;
while (agents.length <= ${AGENTS}) agents.push(await open());
globalThis.gc();
console.log((process.memoryUsage().rss - before) / 2 ** 20);
for (const agent of agents) await agent.dispose();`;
      const grown = Number(await run(['--expose-gc', '--input-type=module', '-e', code], place));
      return {ratio: grown, detail: `${(grown / AGENTS).toFixed(2)} MiB for each`};
    }),
};

export const sdk: readonly Bench[] = [
  firstRequest('first request of an agent of the SDK, beside others', 2, 0.6),
  firstRequest('first request of the first agent of a process', 0, 1.5),
  many,
];
