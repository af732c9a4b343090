import {spawn, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {mkdtemp, realpath, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Script} from '@gemini-kernel/plugin-agent/testing';
import {startGeminiServer} from '../helpers/gemini-server.js';
import {checkout} from '../helpers/plugin-root.js';
import {findPostgres, findRedis, startPostgres, startRedis, type QueueServer} from '../helpers/queue-servers.js';
import {createForge, type Forge} from './forge.js';
import {killNowAndThen, type Kills} from './kills.js';

export interface ChaosOptions {
  readonly tasks: number;
  readonly workers: number;
  readonly killEveryMs: number;
  /** Steps of each task: so many files are written one after the other. */
  readonly steps: number;
  /** The server of the queue. Without one, a journal is the queue. */
  readonly queue?: 'redis' | 'postgres' | undefined;
  readonly log?: (line: string) => void;
}

export interface ChaosReport {
  /** Results that are done, and how many different ids. */
  readonly done: number;
  readonly ids: number;
  readonly kills: Readonly<Kills>;
  readonly pushes: {readonly all: number; readonly different: number};
  readonly comments: {readonly all: number; readonly different: number};
  /** What the model answered, what the ledger says, and what would have been enough. */
  readonly tokens: {readonly billed: number; readonly ledger: number; readonly needed: number};
  /** Answers that were given again, by the number of steps that the model saw as made. */
  readonly repeated: readonly number[];
  readonly seconds: number;
}

interface Line {
  readonly id: string;
  readonly status: string;
  readonly tokens: number;
}

const TOKENS = 12;

/** Writes one file after the other, then is done. As a real model does, it makes a call again that was interrupted. */
function stepping(steps: number, asked: string[]): Script {
  return ({messages}) => {
    const [task = ''] = /Task \d+/.exec(JSON.stringify(messages.filter(({role}) => role === 'user'))) ?? [];
    const made = messages.flatMap(({pieces}) => pieces).filter((one) => one.kind === 'result' && !one.failed).length;
    asked.push(`${task}: ${made}`);
    const usage = {input: 10, output: 2, total: TOKENS};
    if (made >= steps) return {pieces: [{kind: 'text', text: 'Done.'}], usage};
    const input = {file_path: `step-${made}.txt`, content: `${made}\n`};
    return {pieces: [{kind: 'call', id: `c${made}`, name: 'write_file', input}], usage};
  };
}

/** What the processes of a run share. */
interface Stage {
  readonly root: string;
  readonly home: string;
  readonly model: string;
  readonly server?: QueueServer | undefined;
  /** Of the server. */
  readonly address?: string | undefined;
}

/** Runs a fleet while its processes are killed at random, until it says that it is done. */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'gemini-chaos-')));
  const asked: string[] = [];
  await using model = await startGeminiServer({script: stepping(options.steps, asked)});
  await using server = await startQueue(options.queue);
  const forge = createForge(root);
  const home = join(root, 'home');
  mkdirSync(home);
  writePlan(root, forge, options);
  const address = server && addressOf(server, options.queue);
  const stage = {root, home, model: model.url, server, address};
  const started = performance.now();
  const kills = {coordinator: 0, worker: 0, server: 0};
  try {
    if (server) await linkPlugin(stage);
    for (let isDone = false; !isDone;) {
      isDone = await runOnce(stage, kills, options);
      options.log?.(`${isDone ? 'the fleet is done' : 'the coordinator was killed'}; ${asked.length} requests`);
    }
    const seconds = (performance.now() - started) / 1000;
    return report({home, forge, kills, seconds, asked, options});
  } finally {
    await rm(root, {recursive: true, force: true, maxRetries: 5});
  }
}

async function startQueue(queue: ChaosOptions['queue']): Promise<QueueServer | undefined> {
  if (queue === undefined) return undefined;
  const program = queue === 'redis' ? findRedis() : findPostgres();
  if (program === undefined) throw new Error(`There is no ${queue} on this machine.`);
  return queue === 'redis' ? startRedis(program) : startPostgres(program);
}

function addressOf({port}: QueueServer, queue: ChaosOptions['queue']): string {
  return queue === 'redis'
    ? `redis://127.0.0.1:${port}/0?fleet=chaos`
    : `postgres://gemini@127.0.0.1:${port}/postgres?fleet=chaos`;
}

async function linkPlugin(stage: Stage): Promise<void> {
  const linking = start(stage, ['plugins', 'link', join(checkout, 'plugins', 'fleet-bullmq'), '--yes']);
  const [code] = (await once(linking, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`The plugin for the queue could not be linked: ${code}.`);
}

/** Starts the fleet, and kills what is there now and then. False when it was killed itself. */
async function runOnce(stage: Stage, kills: Kills, {killEveryMs: everyMs}: ChaosOptions): Promise<boolean> {
  const {server, address} = stage;
  const queue = address === undefined ? [] : ['--queue', address];
  const fleet = start(stage, ['fleet', 'run', 'plan.toml', '--yes', ...queue]);
  let said = '';
  fleet.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const killing = new AbortController();
  const [[code]] = await Promise.all([
    (once(fleet, 'exit') as Promise<[number | null]>).finally(() => killing.abort()),
    killNowAndThen(fleet, kills, {everyMs, server, signal: killing.signal}),
  ]);
  // A signal is one of ours, and so is an error while the server was away. Any other is a fault.
  if (code === null || code === 0) return code === 0;
  if (server && said.includes('QUEUE_UNREACHABLE')) return false;
  throw new Error(`The fleet ended with ${code}: ${said.slice(-1000)}`);
}

function writePlan(root: string, forge: Forge, {tasks, workers}: ChaosOptions): void {
  const rows = Array.from({length: tasks}, (_, index) => String(index));
  writeFileSync(join(root, 'rows.csv'), `number\n${rows.join('\n')}\n`);
  const plan = [
    ...['name = "chaos"', 'prompt = "Task {{number}}"', 'over = "rows.csv"', 'sandbox = false', 'model = "model-a"'],
    ...[`repository = ${JSON.stringify(forge.repository)}`, '[limits]', `jobs = ${workers}`, 'attempts = 100'],
    ...['[[effects]]', 'kind = "push"', '[[effects]]', 'kind = "command"', 'name = "comment"'],
    ...[`check = ${JSON.stringify(forge.check)}`, `run = ${JSON.stringify(forge.comment)}`],
  ];
  writeFileSync(join(root, 'plan.toml'), `${plan.join('\n')}\n`);
}

function start({root, home, model}: Stage, words: readonly string[]): ChildProcess {
  const variables = {GEMINI_API_KEY: 'a-key', GOOGLE_GEMINI_BASE_URL: model, GEMINI_CLI_HOME: home, HOME: home};
  return spawn(process.execPath, [join(checkout, 'bin', 'gemini.cjs'), ...words], {
    cwd: root,
    env: {PATH: process.env['PATH'] ?? '', ...variables},
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

function report(seen: {
  readonly home: string;
  readonly forge: Forge;
  readonly kills: Kills;
  readonly seconds: number;
  readonly asked: readonly string[];
  readonly options: ChaosOptions;
}): ChaosReport {
  const {home, forge, kills, seconds, asked, options} = seen;
  const text = readFileSync(join(home, '.gemini', 'fleets', 'chaos', 'results.jsonl'), 'utf8');
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
  const done = lines.filter(({status}) => status === 'done');
  const count = (all: readonly string[]): {all: number; different: number} => ({
    all: all.length,
    different: new Set(all).size,
  });
  return {
    ...{done: done.length, ids: new Set(done.map(({id}) => id)).size, kills, seconds},
    ...{pushes: count(forge.pushes()), comments: count(forge.comments())},
    tokens: {
      billed: asked.length * TOKENS,
      ledger: lines.reduce((sum, {tokens}) => sum + tokens, 0),
      needed: options.tasks * (options.steps + 1) * TOKENS,
    },
    repeated: Array.from({length: options.steps + 1}, (_, step) => {
      const these = asked.filter((one) => one.endsWith(`: ${step}`));
      return these.length - new Set(these).size;
    }),
  };
}
