import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {checkout} from '../helpers/plugin-root.js';
import {findPostgres, findRedis, startPostgres, startRedis, type QueueServer} from '../helpers/queue-servers.js';
import {openAgentPlace, says, type AgentPlace} from '../helpers/run-agent.js';
import {isolate} from '../helpers/run-gemini.js';
import {makeRepository} from '../plugins/fleet/scene.js';
import {median, type Bench, type Outcome} from './measure.js';

const PROGRAM = join(checkout, 'bin', 'gemini.cjs');
const [FEW, MANY, ROUNDS] = [5, 25, 3];
const KNOWN = 20_000;
const rssHook = fileURLToPath(new URL('../../bench/report-rss.cjs', import.meta.url));
const ALONE = ['-m', 'model-a', '-o', 'stream-json', '--no-sandbox', '--approval-mode', 'auto_edit', '-p', 'Say hello'];

interface Run {
  readonly ms: number;
  /** Kilobytes at most. */
  readonly memory: number;
  readonly stdout: string;
}

/** Runs the program to its end, and tells its time and its memory. */
async function run(place: AgentPlace, words: readonly string[]): Promise<Run> {
  const variables = {GEMINI_API_KEY: 'a-key', GOOGLE_GEMINI_BASE_URL: place.server.url};
  const started = performance.now();
  const child = spawn(process.execPath, ['--require', rssHook, PROGRAM, ...words], {
    cwd: place.project,
    env: isolate(place.home, variables),
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
  });
  let [stdout, memory] = ['', ''];
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stdio[3]?.on('data', (chunk: Buffer) => (memory += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`gemini ${words.join(' ')} ended with ${code}: ${stdout}`);
  return {ms: performance.now() - started, memory: Number(memory), stdout};
}

/** Milliseconds that each task of a fleet takes, one after the other. */
async function eachTask(place: AgentPlace, name: string, more: readonly string[]): Promise<number> {
  const time = async (count: number): Promise<number> => {
    const rows = `${name}-${count}.jsonl`;
    writeFileSync(
      join(place.project, rows),
      Array.from({length: count}, (_, index) => `{"n": ${index}, "of": "${name}"}\n`).join(''),
    );
    const words = ['fleet', 'run', '--prompt', 'Say hello', '--over', rows, '--model', 'model-a', '--jobs', '1'];
    return (await run(place, [...words, '--yes', '--no-sandbox', ...more])).ms;
  };
  // What a fleet takes to start and to end is in both.
  const few = await time(FEW);
  return ((await time(MANY)) - few) / (MANY - FEW);
}

async function overhead(place: AgentPlace, name: string, more: readonly string[] = []): Promise<Outcome> {
  const [alone, tasks]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let one = 0; one < FEW; one += 1) alone.push((await run(place, ALONE)).ms);
    const queue = more.map((word) => word.replace('fleet=', `fleet=r${round}`));
    tasks.push(await eachTask(place, `${name}${round}`, queue));
  }
  const [task, bare] = [median(tasks), median(alone)];
  return {ratio: task - bare, detail: `${task.toFixed(0)} ms a task, ${bare.toFixed(0)} ms gemini -p`};
}

const hello = () => says('Hello.');

const local: Bench = {
  name: 'a task of a fleet without a repository, beyond gemini -p',
  target: {atMost: 30, of: 'a millisecond'},
  async run() {
    await using place = await openAgentPlace({script: hello});
    return await overhead(place, 'rows');
  },
};

const checkedOut: Bench = {
  name: 'a task of a fleet in a checkout, beyond gemini -p',
  target: {atMost: 150, of: 'a millisecond'},
  async run() {
    await using place = await openAgentPlace({script: hello});
    makeRepository(join(place.project, 'a'), {'README.md': '# a\n'});
    return await overhead(place, 'checkouts', ['--repository', 'a']);
  },
};

function shared(
  title: string,
  start: (() => Promise<QueueServer>) | undefined,
  address: (port: number) => string,
): Bench {
  return {
    name: `a task of a fleet on ${title}, beyond gemini -p`,
    target: {atMost: 60, of: 'a millisecond'},
    async run() {
      if (start === undefined) return {ratio: 0, detail: `${title} is not installed here`};
      await using server = await start();
      await using place = await openAgentPlace({script: hello});
      await place.run(['plugins', 'link', join(checkout, 'plugins', 'fleet-bullmq'), '--yes']);
      return await overhead(place, title, ['--queue', address(server.port)]);
    },
  };
}

/** A fleet with so many tasks that are known, of which none is done: its budget is used up by the first. */
async function withKnown<T>(act: (place: AgentPlace, words: readonly string[]) => Promise<T>): Promise<T> {
  await using place = await openAgentPlace({script: hello});
  const rows = Array.from(
    {length: KNOWN},
    (_, index) => `{"n": ${index}, "title": "A title of usual length ${index}"}\n`,
  );
  writeFileSync(join(place.project, 'rows.jsonl'), rows.join(''));
  const words = ['fleet', 'run', '--prompt', 'Do {{title}}', '--over', 'rows.jsonl', '--model', 'model-a'];
  const all = [...words, '--jobs', '1', '--tokens', '1', '--yes', '--no-sandbox', '--json'];
  await run(place, all);
  return await act(place, all);
}

const known: Bench = {
  name: `gemini fleet run with ${KNOWN} known tasks`,
  target: {atMost: 1000, of: 'a millisecond'},
  run: () =>
    withKnown(async (place, words) => {
      const runs: Run[] = [];
      for (let round = 0; round < ROUNDS; round += 1) runs.push(await run(place, words));
      const {added, waiting} = JSON.parse(runs.at(-1)?.stdout ?? '{}') as {added?: number; waiting?: number};
      return {ratio: median(runs.map(({ms}) => ms)), detail: `${added} new, ${waiting} waiting, to its end`};
    }),
};

const memory: Bench = {
  name: `memory of gemini fleet run with ${KNOWN} tasks`,
  target: {atMost: 150, of: 'a megabyte'},
  run: () =>
    withKnown(async (place, words) => ({
      ratio: (await run(place, words)).memory / 1024,
      detail: 'the most that the coordinator had',
    })),
};

const [postgres, redis] = [findPostgres(), findRedis()];

export const fleet: readonly Bench[] = [
  local,
  checkedOut,
  shared(
    'PostgreSQL',
    postgres === undefined ? undefined : () => startPostgres(postgres),
    (port) => `postgres://gemini@127.0.0.1:${port}/postgres?fleet=`,
  ),
  shared(
    'Redis',
    redis === undefined ? undefined : () => startRedis(redis),
    (port) => `redis://127.0.0.1:${port}/0?fleet=`,
  ),
  known,
  memory,
];
