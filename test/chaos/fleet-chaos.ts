import {execFileSync, spawn, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {mkdtemp, realpath, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout} from 'node:timers/promises';
import type {Script} from '@gemini-kernel/plugin-agent/testing';
import {startGeminiServer} from '../helpers/gemini-server.js';
import {checkout} from '../helpers/plugin-root.js';
import {createForge, type Forge} from './forge.js';

export interface ChaosOptions {
  readonly tasks: number;
  readonly workers: number;
  readonly killEveryMs: number;
  /** Steps of each task: so many files are written one after the other. */
  readonly steps: number;
  readonly log?: (line: string) => void;
}

export interface ChaosReport {
  /** Results that are done, and how many different ids. */
  readonly done: number;
  readonly ids: number;
  readonly kills: {readonly coordinator: number; readonly worker: number};
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

/** Runs a fleet while its processes are killed at random, until it says that it is done. */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'gemini-chaos-')));
  const asked: string[] = [];
  await using server = await startGeminiServer({script: stepping(options.steps, asked)});
  const forge = createForge(root);
  const home = join(root, 'home');
  mkdirSync(home);
  writePlan(root, forge, options);
  const started = performance.now();
  const kills = {coordinator: 0, worker: 0};
  try {
    for (let code: number | null = null; code !== 0;) {
      const fleet = startFleet(root, home, server.url);
      let said = '';
      fleet.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
      const killing = new AbortController();
      const [[ended]] = await Promise.all([
        (once(fleet, 'exit') as Promise<[number | null]>).finally(() => killing.abort()),
        killNowAndThen(fleet, kills, {...options, signal: killing.signal}),
      ]);
      code = ended;
      // A signal is one of ours; an error is not.
      if (code !== null && code !== 0) throw new Error(`The fleet ended with ${code}: ${said.slice(-1000)}`);
      options.log?.(`coordinator ended with ${code ?? 'a signal'}; ${server.requests.length} requests`);
    }
    const seconds = (performance.now() - started) / 1000;
    return report({home, forge, kills, seconds, asked, options});
  } finally {
    await rm(root, {recursive: true, force: true, maxRetries: 5});
  }
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

function startFleet(root: string, home: string, url: string): ChildProcess {
  const variables = {GEMINI_API_KEY: 'a-key', GOOGLE_GEMINI_BASE_URL: url, GEMINI_CLI_HOME: home, HOME: home};
  return spawn(process.execPath, [join(checkout, 'bin', 'gemini.cjs'), 'fleet', 'run', 'plan.toml', '--yes'], {
    cwd: root,
    env: {PATH: process.env['PATH'] ?? '', ...variables},
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

async function killNowAndThen(
  fleet: ChildProcess,
  kills: {coordinator: number; worker: number},
  {killEveryMs, signal}: ChaosOptions & {readonly signal: AbortSignal},
): Promise<void> {
  for (;;) {
    await setTimeout(killEveryMs * (0.5 + Math.random()), undefined, {signal}).catch(() => undefined);
    if (signal.aborted || fleet.pid === undefined) return;
    const workers = childrenOf(fleet.pid);
    const worker = workers[Math.floor(Math.random() * workers.length)];
    if (worker === undefined || Math.random() < 0.3) {
      kills.coordinator += 1;
      fleet.kill('SIGKILL');
      return;
    }
    kills.worker += 1;
    killIfThere(worker);
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It has ended since it was listed.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** The runs of this program that a process has started. */
export function childrenOf(pid: number): readonly number[] {
  const table = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], {encoding: 'utf8'});
  return table.split('\n').flatMap((line) => {
    const [, child, parent, args = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return Number(parent) === pid && args.includes('gemini.cjs') ? [Number(child)] : [];
  });
}

function report(seen: {
  readonly home: string;
  readonly forge: Forge;
  readonly kills: ChaosReport['kills'];
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
