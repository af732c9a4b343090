import {kill, platform} from 'node:process';
import {setTimeout as delay} from 'node:timers/promises';
import {describe, expect, test} from '@jest/globals';
import {passedVariables, ProcessGroups, runProcess, type ProcessEnd} from '#kernel/processes/dist/index.js';
import {onPosix} from '../../helpers/where.js';

const variables = passedVariables(process.env);

async function run(script: string, {timeoutMs = 10_000, input = ''} = {}): Promise<ProcessEnd> {
  const groups = new ProcessGroups(platform);
  try {
    const request = {file: 'sh', args: ['-c', script], cwd: '/', variables, input, timeoutMs};
    return await runProcess(groups, request, new AbortController().signal);
  } finally {
    groups.close();
  }
}

function isAlive(pid: number): boolean {
  try {
    return kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

async function untilGone(pid: number): Promise<void> {
  const end = performance.now() + 10_000;
  while (isAlive(pid)) {
    if (performance.now() > end) throw new Error(`The process ${pid} lives.`);
    await delay(10);
  }
}

describe('a program', () => {
  onPosix('gets its input, and its output and exit code are kept [processes.run]', async () => {
    const {stdout, stderr, ...end} = await run('cat; echo no >&2; exit 3', {input: 'yes'});
    expect({...end, ms: 0}).toEqual({by: 'itself', exitCode: 3, ms: 0});
    expect([stdout.toString(), stderr.toString()]).toEqual(['yes', 'no\n']);
  });

  onPosix('that does not read a megabyte of input ends as it ends [processes.run]', async () => {
    expect(await run('exit 0', {input: 'x'.repeat(1 << 20)})).toMatchObject({by: 'itself', exitCode: 0});
  });

  onPosix.each([
    ['is killed', 'kill -KILL $$', {by: 'signal', detail: 'SIGKILL'}],
    ['hangs and hears no SIGTERM', 'trap "" TERM; while :; do sleep 0.1; done', {by: 'timeout', detail: 'SIGKILL'}],
    ['prints without end', 'exec yes', {by: 'output'}],
  ])('that %s is ended, and it is said why [processes.run]', async (_, script, end) => {
    const ended = await run(script, {timeoutMs: 600});
    expect(ended).toMatchObject(end);
    expect(ended.stdout.length).toBeLessThanOrEqual(1 << 20);
  });

  test('that does not exist is an outcome with the reason [processes.run]', async () => {
    const groups = new ProcessGroups(platform);
    const request = {file: '/no/such/program', args: [], cwd: '/', variables, input: '', timeoutMs: 1000};
    expect(await runProcess(groups, request, new AbortController().signal)).toMatchObject({
      by: 'start',
      detail: expect.stringContaining('ENOENT') as unknown,
    });
    groups.close();
    expect(await runProcess(groups, request, new AbortController().signal)).toMatchObject({
      by: 'start',
      detail: 'Cannot start /no/such/program: its owner has ended.',
    });
  });

  onPosix('whose helper holds its output is heard, and the helper ends with the owner [processes.end]', async () => {
    const groups = new ProcessGroups(platform);
    const request = {file: 'sh', args: ['-c', 'sleep 60 & echo $!'], cwd: '/', variables, input: '', timeoutMs: 5000};
    const {stdout, by} = await runProcess(groups, request, new AbortController().signal);
    const helper = Number(stdout.toString());
    expect([by, isAlive(helper)]).toEqual(['itself', true]);
    groups.close();
    await untilGone(helper);
  });

  onPosix('that is cancelled has ended when the call rejects [processes.run]', async () => {
    const groups = new ProcessGroups(platform);
    const giveUp = new AbortController();
    const script = 'trap "" TERM; while :; do sleep 0.1; done';
    const request = {file: 'sh', args: ['-c', script], cwd: '/', variables, input: '', timeoutMs: 60_000};
    const running = runProcess(groups, request, giveUp.signal);
    giveUp.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
    groups.close();
  });
});

test('only harmless variables and the declared ones are passed [processes.run]', () => {
  const given = {
    PATH: '/bin',
    LC_ALL: 'C',
    GEMINI_API_KEY: 'k',
    NODE_OPTIONS: '-r x',
    SHELL: '() { :; }',
    TZ: undefined,
  };
  expect(passedVariables(given, {MINE: '1'})).toEqual({PATH: '/bin', LC_ALL: 'C', GEMINI_CLI: '1', MINE: '1'});
});
