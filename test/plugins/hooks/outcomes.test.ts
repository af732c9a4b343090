import {readFile} from 'node:fs/promises';
import {describe, expect, test} from '@jest/globals';
import {checkout} from '../../helpers/plugin-root.js';
import {outcomes} from '#plugins/hooks/dist/outcomes.js';
import {answer, hook, startHooks} from './scene.js';

const beforeTool = (command: string, more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> => ({
  BeforeTool: [{matcher: 'read_file', hooks: [hook(command, {name: 'guard', ...more})]}],
});

const BIG = `head -c 10000000 /dev/zero | tr '\\0' 'x'`;

describe('a hook that', () => {
  test.each([
    ['cannot start', '/no/such/program', 'could not start:', 'unstarted'],
    ['takes longer than its timeout', 'sleep 20', 'gave no answer within 0.2 s.', 'late'],
    ['is killed', 'kill -9 $$', 'was ended by SIGKILL.', 'killed'],
    ['prints broken JSON', `echo '{"decision": '`, 'printed no valid answer:', 'garbled'],
    ['prints wrong values', `echo '{"decision": "maybe"}'`, 'printed no valid answer:', 'garbled'],
    ['prints binary data', `printf 'a\\000b'`, 'printed binary data.', 'garbled'],
    ['prints 10 MB', BIG, 'printed more than 1 MB.', 'excessive'],
    ['exits with 2 without a word', 'exit 2', 'ended with exit code 2 and gave no reason.', 'mute'],
  ])('%s refuses the call, or is left out where it may fail [hooking.failure]', async (_, command, words, outcome) => {
    const timeout = outcome === 'late' ? {timeout: 200} : {};
    await using kernel = await startHooks({
      hooks: {
        BeforeTool: [
          {matcher: 'read_file', hooks: [hook(command, {name: 'closed', ...timeout})]},
          {matcher: 'list_directory', hooks: [hook(command, {name: 'open', failure: 'open', ...timeout})]},
        ],
      },
    });
    const refused = await kernel.call('read_file', {file_path: 'a.txt'});
    expect(refused).toMatchObject({status: 'refused', by: '@gemini-kernel/plugin-hooks'});
    expect(refused.status === 'refused' && refused.reason).toContain(words);
    expect(await kernel.call('list_directory', {dir_path: '.'})).toMatchObject({status: 'done'});
    for (const [level, code] of [
      ['error', 'HOOK_FAILED_CLOSED'],
      ['warning', 'HOOK_FAILED_OPEN'],
    ])
      expect(kernel.notices).toContainEqual(
        expect.objectContaining({level, code, sentence: expect.stringContaining(words)}),
      );
    const hooks = await kernel.service('hooks');
    const trial = await hooks.test('open', {}, new AbortController().signal);
    expect(trial.runs).toEqual([expect.objectContaining({outcome})]);
  });

  test('exits with 1 warns, and counts as a failure where that is written [hooking.failure]', async () => {
    await using plain = await startHooks({hooks: beforeTool('echo careful >&2; exit 1')});
    expect(await plain.call('read_file', {file_path: 'a.txt'})).toMatchObject({status: 'done'});
    expect(plain.warnings).toContain('The hook "guard" (BeforeTool, user) warns: careful');
    await using strict = await startHooks({hooks: beforeTool('echo careful >&2; exit 1', {failure: 'closed'})});
    expect(await strict.call('read_file', {file_path: 'a.txt'})).toMatchObject({status: 'refused'});
  });

  test.each([
    ['exits with 2 and a text', 'echo "not this one" >&2; exit 2', 'not this one (hook guard)'],
    ['exits with 3 and a text', 'echo "not this one"; exit 3', 'not this one (hook guard)'],
    ['answers deny', answer({decision: 'deny', reason: 'no'}), 'no (hook guard)'],
    ['answers block with an exit code of 1', `${answer({decision: 'block', reason: 'no'})}; exit 1`, 'no (hook guard)'],
    [
      'answers JSON in a JSON string',
      answer(JSON.stringify(JSON.stringify({decision: 'deny', reason: 'no'}))),
      'no (hook guard)',
    ],
    ['answers on standard error', `echo '{"decision": "deny", "reason": "no"}' >&2`, 'no (hook guard)'],
  ])('%s refuses the call with its reason [hooking.contract]', async (_, command, reason) => {
    await using kernel = await startHooks({hooks: beforeTool(command, {failure: 'open'})});
    expect(await kernel.call('read_file', {file_path: 'a.txt'})).toMatchObject({status: 'refused', reason});
  });

  test('prints text and exits with 0 is heard, and one that is silent is not [hooking.contract]', async () => {
    await using kernel = await startHooks({hooks: beforeTool('echo hello')});
    expect(await kernel.call('read_file', {file_path: 'a.txt'})).toMatchObject({status: 'done'});
    expect(kernel.notices).toContainEqual(
      expect.objectContaining({level: 'warning', code: 'HOOK_MESSAGE', sentence: 'hello'}),
    );
    await using silent = await startHooks({hooks: beforeTool('true')});
    expect(await silent.call('read_file', {file_path: 'a.txt'})).toMatchObject({status: 'done'});
    expect(silent.notices.filter(({code}) => code !== 'HOOK_RUNS')).toEqual([]);
  });

  test('leaves a process with its output open is not waited for, and the process ends with the session [hooking.process]', async () => {
    await using kernel = await startHooks({hooks: beforeTool('sleep 300 & echo $! >pid; exit 0')});
    const started = performance.now();
    expect(await kernel.call('read_file', {file_path: 'a.txt'})).toMatchObject({status: 'done'});
    expect(performance.now() - started).toBeLessThan(4000);
    const pid = Number(await readFile(`${kernel.project}/pid`, 'utf8'));
    expect(process.kill(pid, 0)).toBe(true);
    await kernel.close();
    expect(await isGone(pid)).toBe(true);
  });

  test('is cancelled ends with the call [hooking.process]', async () => {
    await using kernel = await startHooks({hooks: beforeTool('echo $$ >pid; exec sleep 300')});
    const cancelling = new AbortController();
    const call = kernel.call('read_file', {file_path: 'a.txt'}, {signal: cancelling.signal});
    const pid = await waitForPid(`${kernel.project}/pid`);
    cancelling.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
    expect(await isGone(pid)).toBe(true);
  });
});

test('the table of outcomes in the guide is that of the source [hooking.failure]', async () => {
  const guide = await readFile(`${checkout}docs/hooks.md`, 'utf8');
  for (const [name, {what, isFailure, otherwise}] of Object.entries(outcomes)) {
    const failure = isFailure === true ? 'yes' : isFailure === false ? 'no' : 'if declared';
    expect(guide).toContain(`| \`${name}\` | ${what} | ${failure} | ${otherwise} |`);
  }
});

async function isGone(pid: number): Promise<boolean> {
  const {setTimeout: sleep} = await import('node:timers/promises');
  for (let tries = 0; tries < 200; tries += 1) {
    try {
      process.kill(pid, 0);
    } catch {
      return true;
    }
    await sleep(20);
  }
  return false;
}

async function waitForPid(file: string): Promise<number> {
  const {setTimeout: sleep} = await import('node:timers/promises');
  for (let tries = 0; tries < 400; tries += 1) {
    const text = await readFile(file, 'utf8').catch(() => '');
    if (text.endsWith('\n')) return Number(text);
    await sleep(10);
  }
  throw new Error('The hook did not start.');
}
