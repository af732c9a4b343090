import {describe, expect, test} from '@jest/globals';
import type {TestKernel} from '@gemini-kernel/kernel/testing';
import type {} from '@gemini-kernel/plugin-shell/contract';
import {isAlive, openShell, run, until} from './open-shell.js';

async function list(kernel: TestKernel): Promise<string> {
  const outcome = await kernel.call('list_background_processes', {});
  if (outcome.status !== 'done') throw new Error(outcome.status);
  return String(outcome.result.model);
}

async function read(kernel: TestKernel, input: Record<string, unknown>): Promise<string> {
  const outcome = await kernel.call('read_background_output', input);
  if (outcome.status !== 'done') throw new Error(JSON.stringify(outcome));
  return String(outcome.result.model);
}

describe('a background process', () => {
  test('continues, is listed, read and ended with the session', async () => {
    await using kernel = await openShell();
    const command = "echo begun; trap 'echo asked to end' TERM; while :; do sleep 0.05; done";
    const {text, data} = await run(kernel, {command, is_background: true, delay_ms: 300});
    const {pid} = data;
    expect({text, data}).toEqual({
      text: `Command is running in background. PID: ${pid}. Initial output:\nbegun`,
      data: {pid, isRunning: true, remarks: [`Running in the background as process ${pid}.`]},
    });
    expect(await list(kernel)).toBe(`- [PID ${pid}] RUNNING: \`${command}\``);
    expect(await read(kernel, {pid})).toBe(
      `<untrusted_context>\nPID ${pid} RUNNING. Last output:\nbegun\n</untrusted_context>`,
    );
    await kernel.session.close();
    expect(await isAlive(pid)).toBe(false);
  });

  test('that ends within the delay gives its result like any other', async () => {
    await using kernel = await openShell();
    const {text} = await run(kernel, {command: 'echo early; exit 2', is_background: true, delay_ms: 20_000});
    expect({text, listed: await list(kernel)}).toEqual({
      text: 'Output: early\nExit Code: 2',
      listed: 'No background processes found.',
    });
  });

  test.each<[string, string, string]>([
    ['ends with a code', 'until [ -e go ]; do sleep 0.01; done; exit 7', 'EXITED: `{}` (Exit Code: 7)'],
    ['dies by a signal', 'until [ -e go ]; do sleep 0.01; done; kill -KILL $$', 'EXITED: `{}` (Signal: SIGKILL)'],
  ])('that %s later is listed with it', async (_, command, expected) => {
    await using kernel = await openShell();
    const {
      data: {pid},
    } = await run(kernel, {command, is_background: true, delay_ms: 0});
    await run(kernel, {command: 'touch go'});
    await until(async () => !(await list(kernel)).includes('RUNNING'));
    expect(await list(kernel)).toBe(`- [PID ${pid}] ${expected.replace('{}', () => command)}`);
    expect(await read(kernel, {pid})).toMatch(/EXITED \((Exit Code: 7|Signal: SIGKILL)\)\. Last output:\n\(empty\)/);
  });

  test('is read by its last lines, in bounded memory, without secrets', async () => {
    await using kernel = await openShell({variables: {MY_TOKEN: 'tok-12345678'}});
    const {
      data: {pid},
    } = await run(kernel, {
      command: 'yes "line of output" | head -n 1000000; echo; echo the value tok-12345678; sleep 60',
      is_background: true,
      delay_ms: 0,
    });
    await until(async () => (await read(kernel, {pid, lines: 1})).includes('value'));
    expect(await read(kernel, {pid, lines: 3})).toBe(
      `<untrusted_context>\nPID ${pid} RUNNING. Last output (after 999999 earlier lines):\nline of output\n\nthe ` +
        `value [redacted: MY_TOKEN]\n</untrusted_context>`,
    );
    expect((await read(kernel, {pid, lines: 1_000_000})).length).toBeLessThan(66 * 1024);
  });

  test('keeps to a limit that the call sets, and to none of the settings', async () => {
    await using kernel = await openShell({
      homeFiles: {'.gemini/settings.json': '{"tools": {"shell": {"inactivityTimeout": 0.1, "timeout": 0.1}}}'},
    });
    const [free, bound] = [
      await run(kernel, {command: 'sleep 60', is_background: true, delay_ms: 0}),
      await run(kernel, {command: 'sleep 61', is_background: true, delay_ms: 0, timeout_ms: 300}),
    ];
    await until(async () => (await list(kernel)).includes('EXITED'));
    expect(await list(kernel)).toBe(
      `- [PID ${free.data.pid}] RUNNING: \`sleep 60\`\n- [PID ${bound.data.pid}] EXITED: \`sleep 61\` (Signal: ` +
        'SIGTERM)',
    );
  });

  test('is not started for good when the call is aborted while it waits', async () => {
    await using kernel = await openShell();
    const controller = new AbortController();
    const call = run(kernel, {command: 'sleep 62', is_background: true, delay_ms: 60_000}, controller.signal);
    controller.abort(new Error('No longer wanted.'));
    await expect(call).rejects.toThrow('No longer wanted.');
    expect(await list(kernel)).toBe('No background processes found.');
  });

  test('of no process is an error that names the existing ones', async () => {
    await using kernel = await openShell();
    const unknown = async (): Promise<unknown> => kernel.call('read_background_output', {pid: 1});
    expect(await unknown()).toMatchObject({
      status: 'failed',
      error: {code: 'PROCESS_UNKNOWN', hint: 'No command was started with is_background.'},
    });
    const {
      data: {pid},
    } = await run(kernel, {command: 'sleep 63', is_background: true, delay_ms: 0});
    expect(await unknown()).toMatchObject({
      status: 'failed',
      error: {code: 'PROCESS_UNKNOWN', hint: `Available: ${pid}.`},
    });
  });

  test('is made of a running command by detach, also of one that has not started yet', async () => {
    await using kernel = await openShell();
    const processes = await kernel.service('processes');
    const running = run(kernel, {command: 'echo one; sleep 60'});
    // The call begins after this, and detach waits for its start.
    await until(async () => (await processes.foreground()).length === 1);
    const [sent] = await processes.detach();
    const {text} = await running;
    expect(text).toMatch(`Command is running in background. PID: ${sent?.pid}.`);
    expect(await processes.foreground()).toEqual([]);
    expect(await processes.list()).toEqual([{pid: sent?.pid, command: 'echo one; sleep 60'}]);
    await until(async () => (await processes.read(sent?.pid ?? 0, {lines: 9})).output.text === 'one\n');
    const ended = await processes.stop(sent?.pid ?? 0);
    expect(ended).toMatchObject({pid: sent?.pid, end: {by: 'stop', signal: 'SIGTERM'}});
    expect(await isAlive(sent?.pid ?? 0)).toBe(false);
    expect(await processes.detach()).toEqual([]);
  });

  test('keeps the limits of its call, and loses those of the settings', async () => {
    await using kernel = await openShell({
      homeFiles: {'.gemini/settings.json': '{"tools": {"shell": {"inactivityTimeout": 0.3}}}'},
    });
    const processes = await kernel.service('processes');
    const calls = [run(kernel, {command: 'sleep 0.6; echo late'})];
    await until(async () => (await processes.foreground()).length === 1);
    await processes.detach();
    await Promise.all(calls);
    await until(async () => (await processes.list()).every(({end}) => end !== undefined));
    expect(await processes.list()).toMatchObject([{end: {by: 'itself', exitCode: 0}}]);
  });

  test('without a terminal cannot be typed into', async () => {
    await using kernel = await openShell();
    const processes = await kernel.service('processes');
    await processes.offerKeyboard({columns: 80, rows: 24});
    const {
      data: {pid},
    } = await run(kernel, {command: 'sleep 64', is_background: true, delay_ms: 0});
    await expect(processes.type(pid, 'x')).rejects.toMatchObject({code: 'TERMINAL_NONE'});
    await expect(processes.type(1, 'x')).rejects.toMatchObject({code: 'PROCESS_UNKNOWN'});
  });
});

describe('a command with a terminal', () => {
  test.each([
    ['gives its exit code', 'exit 7', 7],
    ['sees no variable of ours', 'env | grep -c GEMINI_TTY', 1],
    ['runs what no shell may read twice', `printf '%s' "it's \\$HOME \\\`x\\\`"`, 0],
  ])('%s', async (_, command, exitCode) => {
    await using kernel = await openShell();
    const processes = await kernel.service('processes');
    await processes.offerKeyboard({columns: 80, rows: 24});
    const {data, text} = await run(kernel, {command, interactive: true});
    expect({exitCode: data['exitCode'], text: exitCode === 0 ? text : ''}).toEqual({
      exitCode,
      text: exitCode === 0 ? "Output: it's $HOME `x`" : '',
    });
  });

  test('leaves no process when its call is cancelled', async () => {
    await using kernel = await openShell();
    const processes = await kernel.service('processes');
    await processes.offerKeyboard({columns: 80, rows: 24});
    const controller = new AbortController();
    const call = run(kernel, {command: 'echo $$; sleep 65', interactive: true}, controller.signal);
    const printed = async (): Promise<string> => {
      const [one] = await processes.foreground();
      return one ? (await processes.read(one.pid, {lines: 1})).output.text : '';
    };
    await until(async () => /^\d+\n/.test(await printed()));
    const inner = Number(await printed());
    controller.abort(new Error('Enough.'));
    await expect(call).rejects.toThrow('Enough.');
    await until(async () => !(await isAlive(inner)));
  });
});
