import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {fileURLToPath} from 'node:url';
import {createTestKernel, readPlugin, type TestKernel} from '@gemini-kernel/kernel/testing';
import {pluginRoot} from '../helpers/plugin-root.js';
import {median, peakMemory, type Bench} from './measure.js';

const PAIRS = 40;
const WARM_UPS = 5;
const MIB = 1024;
const COMMAND = 'echo started';
const program = fileURLToPath(new URL('shell-flood.js', import.meta.url));

/** A kernel in which every command may run. */
export async function openShell(): Promise<TestKernel> {
  // Its judge allows everything, so that no person is asked.
  const allowing = await readPlugin(fileURLToPath(new URL('../../fixtures/noop', import.meta.url)));
  return createTestKernel({
    plugins: [...['settings', 'workspace', 'secrets', 'shell'].map(pluginRoot), allowing],
    variables: {PATH: process.env['PATH']},
  });
}

async function timeOurs(kernel: TestKernel): Promise<number> {
  const started = performance.now();
  let first = Number.NaN;
  const onProgress = (): void => {
    if (Number.isNaN(first)) first = performance.now() - started;
  };
  const {status} = await kernel.session.call({tool: 'run_shell_command', input: {command: COMMAND}}, {onProgress});
  if (status !== 'done') throw new Error(`run_shell_command ${status}`);
  return first;
}

async function timeTheirs(directory: string): Promise<number> {
  const started = performance.now();
  const child = spawn('bash', ['-c', COMMAND], {
    cwd: directory,
    env: {PATH: process.env['PATH']},
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close');
  await once(child.stdout, 'data');
  const first = performance.now() - started;
  await closed;
  return first;
}

const firstByte: Bench = {
  name: 'run_shell_command to its first byte',
  target: {atMost: 1.3, of: 'child_process.spawn of the same'},
  async run() {
    await using kernel = await openShell();
    const times = {ours: [] as number[], theirs: [] as number[]};
    for (let pair = -WARM_UPS; pair < PAIRS; pair += 1) {
      const taken = {ours: await timeOurs(kernel), theirs: await timeTheirs(kernel.project)};
      if (pair < 0) continue;
      times.ours.push(taken.ours);
      times.theirs.push(taken.theirs);
    }
    const [ours, theirs] = [median(times.ours), median(times.theirs)];
    return {ratio: ours / theirs, detail: `${ours.toFixed(2)} ms / ${theirs.toFixed(2)} ms, medians of ${PAIRS}`};
  },
};

const flood: Bench = {
  name: 'memory added by 100 MB of command output',
  target: {atMost: 64, of: 'a mebibyte'},
  async run() {
    const [little, much] = [1, 100_000_000].map((bytes) =>
      median(Array.from({length: 3}, () => peakMemory({argv: [program, String(bytes)]}))),
    ) as [number, number];
    return {
      ratio: (much - little) / MIB,
      detail: `${(much / MIB).toFixed(1)} MiB against ${(little / MIB).toFixed(1)} MiB for one byte, medians of 3`,
    };
  },
};

/** What commands cost. */
export const shell: readonly Bench[] = [firstByte, flood];
