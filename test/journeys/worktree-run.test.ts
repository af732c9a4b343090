import {execFileSync, spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {setTimeout as delay} from 'node:timers/promises';
import {checkout} from '../helpers/plugin-root.js';
import {callsTools, dialects, openAgentPlace, says, type AgentPlace} from '../helpers/run-agent.js';
import {isolate} from '../helpers/run-gemini.js';
import {onPosix} from '../helpers/where.js';

async function openRepository(script: Parameters<typeof openAgentPlace>[0] extends infer O | undefined ? O : never) {
  const place = await openAgentPlace({files: {'a.txt': 'mine\n'}, ...script});
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@localhost', ...args], {
      ...{cwd: place.project, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe']},
    });
  git('init', '--quiet', '-b', 'main');
  git('add', '.');
  git('commit', '--quiet', '-m', 'first');
  await place.run(['trust', 'add']);
  return Object.assign(place, {git});
}

const answers = (...texts: readonly string[]) => {
  let at = 0;
  return () => {
    const text = texts[at++];
    return text === undefined || text === '' ? says('Done.') : callsTools(['run_shell_command', {command: text}]);
  };
};

const idOf = async (place: AgentPlace, words: readonly string[]): Promise<string> => {
  const {stdout, stderr} = await place.run(['-o', 'json', ...words]);
  const {session_id: id} = JSON.parse(stdout) as {session_id?: string};
  if (id === undefined) throw new Error(`No session: ${stdout} ${stderr}`);
  return id;
};

test('a run in a worktree ends as a branch and a diff, and is continued there by name and by session [agents.worktree-run]', async () => {
  await using place = await openRepository({script: answers('echo one > one.txt', '', 'echo two > two.txt', '')});
  const {git} = place;
  const first = await place.run(['-w', 'fix', '--yolo', '-p', 'go']);
  expect(first).toMatchObject({code: 0, stdout: 'Done.\n'});
  expect(first.stderr).toContain('on the branch worktree-fix');
  expect(first.stderr).toContain('git merge worktree-fix');
  expect(first.stderr).toContain('one.txt | 1 +');
  expect(git('status', '--porcelain')).toBe('');
  expect(git('show', 'worktree-fix:one.txt')).toBe('one\n');

  const id = await idOf(place, ['--worktree', 'fix', '--yolo', '--resume', 'latest', '-p', 'more']);
  expect(JSON.stringify(place.server.requests.at(-1)?.messages)).toContain('one.txt');
  expect(git('show', 'worktree-fix:two.txt')).toBe('two\n');
  expect(git('rev-list', '--count', 'main..worktree-fix')).toBe('2\n');

  // From the folder itself, the session leads to its worktree.
  const again = await place.run(['--resume', id, '-p', 'and?']);
  expect(again).toMatchObject({code: 0, stdout: 'Done.\n', stderr: expect.stringContaining('worktree-fix')});
  git('merge', '--quiet', 'worktree-fix');
  expect(await place.run(['worktrees', 'remove', 'fix'])).toMatchObject({code: 0});
});

test('a run that changes nothing leaves no worktree, and one that cannot have one says why [agents.worktree-run]', async () => {
  await using place = await openRepository({script: () => says('Done.')});
  const nothing = await place.run(['--worktree', '-p', 'look']);
  expect(nothing).toMatchObject({code: 0, stderr: expect.stringContaining('Nothing was changed: the worktree "run-')});
  expect(place.git('worktree', 'list').trim().split('\n')).toHaveLength(1);
  expect(place.git('branch', '--format=%(refname:short)')).toBe('main\n');
  expect(await place.run(['--worktree', '../up', '-p', 'x'])).toMatchObject({
    ...{code: 42, stderr: expect.stringContaining('"../up" cannot name a worktree')},
  });
  expect(existsSync(join(place.project, '.gemini/worktrees/run'))).toBe(false);
});

/** The processes below one, as the system lists them. */
function below(pid: number): readonly number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], {encoding: 'utf8'}).trim().split('\n');
  const pairs = lines.map((line) => line.trim().split(/\s+/).map(Number));
  const children = pairs.filter(([, parent]) => parent === pid).map(([child = 0]) => child);
  return [...children, ...children.flatMap(below)];
}

/** Those that run: a process that ended may be listed until its new parent has looked at it. */
function alive(pids: readonly number[]): readonly number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,stat='], {encoding: 'utf8'}).trim().split('\n');
  const running = lines.map((line) => line.trim().split(/\s+/)).filter(([, state = '']) => !state.startsWith('Z'));
  return running.map(([pid]) => Number(pid)).filter((pid) => pids.includes(pid));
}

async function until(holds: () => boolean, state: () => unknown): Promise<void> {
  const end = performance.now() + 30_000;
  while (!holds()) {
    if (performance.now() > end) throw new Error(`It did not happen within 30 seconds: ${JSON.stringify(state())}`);
    await delay(20);
  }
}

onPosix('a run in a worktree ends when its outer program is killed [agents.worktree-run]', async () => {
  await using place = await openRepository({script: answers('echo begun > begun.txt; sleep 300', '', '')});
  const [dialect] = dialects;
  if (!dialect) throw new Error('There is a dialect.');
  const words = ['-w', 'fix', '--yolo', '-m', dialect.model, '-p', 'go'];
  const outer = spawn(process.execPath, [join(checkout, 'bin', 'gemini.cjs'), ...words], {
    cwd: place.project,
    env: isolate(place.home, dialect.variables(place.server.url)),
    stdio: 'ignore',
  });
  const ended = once(outer, 'exit');
  const folder = join(place.project, '.gemini', 'worktrees', 'fix');
  await until(
    () => existsSync(join(folder, 'begun.txt')),
    () => below(outer.pid ?? 0),
  );
  const pids = below(outer.pid ?? 0);
  expect(pids.length).toBeGreaterThanOrEqual(2);
  outer.kill('SIGKILL');
  await ended;
  await until(
    () => alive(pids).length === 0,
    () => [pids, alive(pids)],
  );
  const again = await place.run(['-w', 'fix', '--yolo', '-p', 'continue']);
  expect(again).toMatchObject({code: 0, stdout: 'Done.\n'});
  expect(place.git('show', 'worktree-fix:begun.txt')).toBe('begun\n');
});
