import {execFileSync} from 'node:child_process';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {createTestKernel, type TestKernel} from '@gemini-kernel/kernel/testing';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import type * as Followers from '#plugins/sessions/dist/watch/follow-commands.js';
import {pluginRoot} from '../helpers/plugin-root.js';
import {median, type Bench} from './measure.js';

const FILES = Number(process.env['BENCH_FILES'] ?? 20_000);
const COMMANDS = 20;
const GIT = {GIT_AUTHOR_NAME: 'x', GIT_AUTHOR_EMAIL: 'x@y', GIT_COMMITTER_NAME: 'x', GIT_COMMITTER_EMAIL: 'x@y'};

/** Makes so many files, ten in each folder. */
export function growTree(root: string, files: number): void {
  for (let folder = 0; folder < files / 10; folder += 1) {
    const path = join(root, `a${folder % 97}`, `b${Math.floor(folder / 97)}`);
    mkdirSync(path, {recursive: true});
    for (let index = 0; index < 10; index += 1)
      writeFileSync(join(path, `file-${index}.ts`), `export const x = ${folder * 10 + index};\n`);
  }
}

/** Puts all files of a folder into a new repository. */
export function commitAll(root: string): void {
  for (const words of [
    ['init', '-q'],
    ['config', 'gc.auto', '0'],
    ['add', '-A'],
    ['commit', '-q', '-m', 'x'],
  ]) {
    execFileSync('git', ['-c', 'commit.gpgsign=false', ...words], {
      cwd: root,
      env: {PATH: process.env['PATH'], ...GIT},
      stdio: 'ignore',
    });
  }
}

/** A kernel with a project of so many files. */
export async function openTree(files: number): Promise<TestKernel> {
  const kernel = await createTestKernel({
    plugins: ['settings', 'workspace'].map(pluginRoot),
    variables: {PATH: process.env['PATH']},
  });
  growTree(kernel.project, files);
  commitAll(kernel.project);
  return kernel;
}

export async function openFollower(
  kernel: TestKernel,
  following: Followers.Following,
): Promise<Followers.CommandFollower> {
  const [{CommandFollower}, {Snapshots}] = await Promise.all([
    import('#plugins/sessions/dist/watch/follow-commands.js'),
    import('#plugins/sessions/dist/file-state.js'),
  ]);
  const scratch = join(kernel.home, 'scratch');
  return new CommandFollower({
    roots: [kernel.project],
    variables: {PATH: process.env['PATH']},
    platform: process.platform,
    workspace: await kernel.service('workspace'),
    store: new Snapshots(join(scratch, 'objects')),
    scratch,
    following,
  });
}

/** Milliseconds that a command waits for its checkpoint, and those of what is found out afterwards. */
export async function timeCommand(
  follower: Followers.CommandFollower,
  act: () => void,
): Promise<{readonly waits: number; readonly later: number; readonly kind: string}> {
  const began = performance.now();
  const followed = await follower.before();
  const before = performance.now() - began;
  act();
  const ended = performance.now();
  const find = await follower.after(followed);
  const waits = before + performance.now() - ended;
  const found = performance.now();
  await find();
  return {waits, later: performance.now() - found, kind: followed.kind};
}

const following: Bench = {
  name: `a checkpoint of a command among ${FILES} files`,
  target: {atMost: 10, of: 'a millisecond'},
  async run() {
    await using kernel = await openTree(FILES);
    const follower = await openFollower(kernel, 'watch');
    try {
      const first = await timeCommand(follower, () => undefined);
      // A large tree may take more than one command until it is watched.
      for (let wait = 0; wait < 20 && (await timeCommand(follower, () => undefined)).kind !== 'watched'; wait += 1);
      const times: {waits: number; later: number}[] = [];
      for (let index = 0; index < COMMANDS; index += 1)
        times.push(
          await timeCommand(follower, () => writeFileSync(join(kernel.project, 'a0/b0/file-1.ts'), `${index}\n`)),
        );
      const later = median(times.map((one) => one.later));
      return {
        ratio: median(times.map(({waits}) => waits)),
        detail:
          `the first: ${first.waits.toFixed(0)} ms, ${first.kind}; while the model is asked: ` +
          `${later.toFixed(0)} ms`,
      };
    } finally {
      await follower.close();
    }
  },
};

const scanning: Bench = {
  name: `the same, with a look at every file`,
  target: {atMost: 1600, of: 'a millisecond'},
  async run() {
    await using kernel = await openTree(FILES);
    const follower = await openFollower(kernel, 'scan');
    const times: {waits: number; later: number}[] = [];
    for (let index = 0; index < 5; index += 1) times.push(await timeCommand(follower, () => undefined));
    return {ratio: median(times.map(({waits, later}) => waits + later)), detail: 'before and after'};
  },
};

/** What checkpoints of commands cost. */
export const checkpoints: readonly Bench[] = [following, scanning];
