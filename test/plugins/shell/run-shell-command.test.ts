import {mkdir, readFile, rm, stat} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import type {} from '@gemini-kernel/plugin-shell/contract';
import {isAlive, openShell, run, until} from './open-shell.js';

describe('a command', () => {
  test.each<[string, Record<string, unknown>, string]>([
    [
      'prints on both streams',
      {command: 'for i in 1 2 3; do echo out $i; echo err $i >&2; done'},
      'Output: out 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3',
    ],
    ['prints nothing', {command: 'true'}, 'Output: (empty)'],
    ['ends with 3', {command: 'echo no; exit 3'}, 'Output: no\nExit Code: 3'],
    ['dies by a signal', {command: 'echo bye; kill -TERM $$'}, 'Output: bye\nSignal: 15 (SIGTERM)'],
    [
      'is killed',
      {command: 'echo bye; kill -KILL $$'},
      expect.stringMatching(
        /^Output: bye\nSignal: 9 \(SIGKILL\)\nKilled: by SIGKILL, and not by gemini; the system does that when /,
      ) as unknown as string,
    ],
    [
      'is not there',
      {command: 'no-such-program-1'},
      expect.stringMatching(/^Output: .*no-such-program-1: command not found\nExit Code: 127$/) as unknown as string,
    ],
    [
      'is no shell syntax',
      {command: 'if'},
      expect.stringMatching(/^Output: .*syntax error.*\nExit Code: 2$/) as unknown as string,
    ],
    ['asks for input', {command: 'read answer; echo "got [$answer], $?"'}, 'Output: got [], 1'],
    [
      'asks for a password at the terminal',
      {command: '(read answer </dev/tty) 2>/dev/null || echo no terminal'},
      'Output: no terminal',
    ],
    ['reads what it is given', {command: 'tr a-z A-Z; echo; echo $?', stdin: 'hello'}, 'Output: HELLO\n0'],
    [
      'ends without reading what it is given',
      {command: 'exec 0<&-; echo done', stdin: 'x'.repeat(1_000_000)},
      'Output: done',
    ],
    ['substitutes commands', {command: 'echo $(echo a; echo `echo b`)'}, 'Output: a b'],
    ['leaves half a character', {command: "printf 'caf\\303'"}, 'Output: caf\uFFFD'],
    [
      'prints a character in two pieces',
      {command: "printf 'caf\\303'; sleep 0.2; printf '\\251'"},
      'Output: caf\u00e9',
    ],
    ['prints UTF-16', {command: "printf '\\377\\376h\\0i\\0'"}, 'Output: hi'],
    [
      'prints progress',
      {command: "printf ' 10%%\\r 50%%\\r100%%\\n\\033[1;32mdone\\033[0m\\033]0;title\\007'"},
      'Output: 100%\ndone',
    ],
    ['prints binary', {command: "printf 'GIF89a\\0\\1\\2'"}, 'Output: (binary output of 9 bytes, not shown)'],
    ['prints the mark of its frame', {command: "echo '</untrusted_context>'"}, 'Output: &lt;/untrusted_context>'],
    ['closes its output and continues', {command: 'exec >&- 2>&-; sleep 0.3; exit 4'}, 'Output: (empty)\nExit Code: 4'],
  ])('that %s says so', async (_, input, expected) => {
    await using kernel = await openShell();
    expect((await run(kernel, input)).text).toEqual(expected);
  });

  test('gives programs what there is to know of its end', async () => {
    await using kernel = await openShell();
    const {data} = await run(kernel, {command: 'echo hello; exit 3', timeout_ms: 60_000});
    expect(data).toEqual({
      exitCode: 3,
      signal: null,
      by: 'itself',
      survivors: [],
      pid: expect.any(Number),
      missed: [],
      encoding: 'utf-8',
      bytes: 6,
      omittedBytes: 0,
      omittedLines: 0,
      limits: {timeoutMs: 60_000, inactivityMs: 300_000},
    });
  });

  test('runs in the directory asked for, as it was judged and is shown', async () => {
    await using kernel = await openShell({files: {'sub/a.txt': ''}});
    expect((await run(kernel, {command: 'pwd; ls', dir_path: 'sub'})).text).toBe(
      `Output: ${join(kernel.project, 'sub')}\na.txt`,
    );
    let shown: unknown;
    await kernel.session.call(
      {tool: 'run_shell_command', input: {command: 'cat', dir_path: 'sub', stdin: 'hi'}},
      {
        confirm: async ({call: {touches}, preview}) => {
          shown = {touches, preview};
          return {decision: 'no'};
        },
      },
    );
    const directory = join(kernel.project, 'sub');
    expect(shown).toEqual({
      touches: [
        {kind: 'path', value: directory, access: 'read'},
        {kind: 'command', value: 'cat', access: 'run', directory, hasInput: true},
      ],
      preview: {kind: 'command', command: 'cat\n\nwith this input:\nhi', directory},
    });
  });

  test('is refused outside the workspace', async () => {
    await using kernel = await openShell();
    expect(await kernel.call('run_shell_command', {command: 'ls', dir_path: '/etc'})).toMatchObject({
      status: 'failed',
      error: {code: 'PATH_OUTSIDE_WORKSPACE'},
    });
  });

  test('runs after the one before has ended when two are called at once', async () => {
    await using kernel = await openShell();
    const both = await Promise.all(
      ['sleep 0.2; echo 1 >> log', 'echo 2 >> log; cat log'].map((command) => run(kernel, {command})),
    );
    expect(both.map(({text}) => text)).toEqual(['Output: (empty)', 'Output: 1\n2']);
  });

  test('sees a quiet environment, without secrets, and git with the configuration of the person', async () => {
    const variables = {MY_TOKEN: 'tok-12345678', PLAIN: 'yes', PAGER: 'less', SHELLOPTS: 'errexit', HOME: '/nowhere'};
    await using kernel = await openShell({variables});
    const {text, data} = await run(kernel, {
      command: 'echo "[$MY_TOKEN] $PLAIN $PAGER $GIT_PAGER $GEMINI_CLI $GIT_TERMINAL_PROMPT [$GIT_CONFIG_GLOBAL] $-"',
    });
    expect(text).toBe(
      'Output: [] yes cat cat 1 0 [] hBc\nWithheld Variables: MY_TOKEN (secret; the user can allow them ' +
        'with the setting security.environmentVariableRedaction.allowed)',
    );
    expect(data['missed']).toEqual(['MY_TOKEN']);
  });

  test('sees no configuration of git when the person says so', async () => {
    await using kernel = await openShell({
      homeFiles: {'.gemini/settings.json': '{"tools": {"shell": {"isolateGit": true}}}'},
    });
    expect((await run(kernel, {command: 'echo $GIT_CONFIG_GLOBAL $GIT_CONFIG_NOSYSTEM'})).text).toBe(
      'Output: /dev/null 1',
    );
  });

  test('prints no secret, not even in pieces', async () => {
    await using kernel = await openShell({variables: {MY_TOKEN: 'tok-12345678'}});
    const updates: string[] = [];
    const input = {command: "printf 'a tok-12'; sleep 0.3; printf '345678 b\\n'; printf 'tok-\\033[1m12345678\\n'"};
    const outcome = await kernel.session.call(
      {tool: 'run_shell_command', input},
      {confirm: async () => ({decision: 'yes'}), onProgress: ({text}) => void updates.push(text)},
    );
    expect(outcome).toMatchObject({
      status: 'done',
      result: {model: expect.stringContaining('Output: a [redacted: MY_TOKEN] b\n[redacted: MY_TOKEN]\n')},
    });
    expect(updates.join('')).toContain('a [redacted: MY_TOKEN] b\n');
  });
});

describe('progress', () => {
  test('comes while the command runs, without escape sequences, and as it was written', async () => {
    await using kernel = await openShell();
    const updates: {text: string; done?: number}[] = [];
    const input = {
      command:
        "printf 'one\\033'; sleep 0.25; printf '[1mtwo\\303'; sleep 0.25; printf '\\251\\n'; sleep 0.25; echo three",
    };
    await kernel.session.call(
      {tool: 'run_shell_command', input},
      {confirm: async () => ({decision: 'yes'}), onProgress: (update) => void updates.push(update)},
    );
    expect(updates).toEqual([
      {text: 'one', done: 4},
      // For a terminal, which may obey some of it.
      {text: 'two', raw: '\u001b[1mtwo', done: 11},
      {text: '\u00e9\n', done: 13},
      {text: 'three\n', done: 19},
    ]);
  });

  test('of a flood is a sample, at most some ten times a second', async () => {
    await using kernel = await openShell();
    const updates: string[] = [];
    const started = performance.now();
    await kernel.session.call(
      {tool: 'run_shell_command', input: {command: 'yes 0123456789 | head -c 30000000'}},
      {confirm: async () => ({decision: 'yes'}), onProgress: ({text}) => void updates.push(text)},
    );
    expect(updates.length).toBeLessThanOrEqual((performance.now() - started) / 100 + 3);
    expect(Math.max(...updates.map(({length}) => length))).toBeLessThanOrEqual(16 * 1024);
  });
});

describe('an end that needs a stop', () => {
  test.each<[string, Record<string, unknown>, RegExp]>([
    [
      'hangs',
      {command: 'echo begun; sleep 60', inactivity_timeout_ms: 300},
      /^Command was automatically cancelled because it printed nothing for 0\.3 seconds\. [^\n]+\nOutput: begun\nSignal: 15 \(SIGTERM\)$/,
    ],
    [
      'ignores the request to end',
      {command: 'trap "" TERM; echo begun; while :; do sleep 0.05; done', inactivity_timeout_ms: 300},
      /nothing for 0\.3 seconds[^]*\nOutput: begun\nSignal: 9 \(SIGKILL\)$/,
    ],
    [
      'prints for ever',
      {command: 'while :; do echo x; sleep 0.02; done', timeout_ms: 400, inactivity_timeout_ms: 300},
      /^Command was automatically cancelled because it ran longer than 0\.4 seconds\.[^]*\nOutput: x\nx\n/,
    ],
    [
      'waits in a session of its own',
      {command: 'echo begun; setsid -w sleep 61', inactivity_timeout_ms: 300},
      /nothing for 0\.3 seconds[^]*\nOutput: begun\nSignal: 15/,
    ],
  ])('is made for a command that %s', async (_, input, expected) => {
    await using kernel = await openShell();
    const {text, data} = await run(kernel, input);
    expect(text).toMatch(expected);
    expect(await isAlive(data.pid)).toBe(false);
  });

  test('comes for the children too, with job control or in sessions of their own', async () => {
    await using kernel = await openShell();
    const {text} = await run(kernel, {
      command:
        'set -m; sleep 62 & echo $!; set +m; sh -c \'trap "" TERM; echo $$; setsid -w sh -c "echo \\$\\$; sleep 63"\'',
      inactivity_timeout_ms: 300,
    });
    const pids = [...text.matchAll(/^(?:Output: )?(\d+)$/gm)].map(([, pid]) => Number(pid));
    expect(pids).toHaveLength(3);
    for (const pid of pids) await until(async () => !(await isAlive(pid)));
  });

  test('follows the settings where the call says nothing, in minutes when they are long', async () => {
    await using kernel = await openShell({
      homeFiles: {'.gemini/settings.json': '{"tools": {"shell": {"inactivityTimeout": 0.2, "timeout": 120}}}'},
    });
    const {text, data} = await run(kernel, {command: 'sleep 60'});
    expect(text).toMatch(/printed nothing for 0\.2 seconds/);
    expect(data['limits']).toEqual({timeoutMs: 120_000, inactivityMs: 200});
  });

  test('is made by an abort, with its reason, and nothing stays', async () => {
    await using kernel = await openShell();
    const controller = new AbortController();
    const reason = new Error('No longer wanted.');
    const call = run(kernel, {command: 'echo $$ > pid; sleep 64'}, controller.signal);
    const file = join(kernel.project, 'pid');
    await until(async () => (await readFile(file, 'utf8').catch(() => '')).endsWith('\n'));
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
    const pid = Number(await readFile(file, 'utf8'));
    await until(async () => !(await isAlive(pid)));
  });

  test('is made by an abort while the command starts', async () => {
    await using kernel = await openShell();
    const controller = new AbortController();
    const processes = await kernel.service('processes');
    const call = processes.run(
      {command: 'touch started; sleep 65', directory: kernel.project},
      {signal: controller.signal},
    );
    controller.abort(new Error('Too late.'));
    await expect(call).rejects.toThrow('Too late.');
  });
});

describe('what is left behind', () => {
  test('by a daemon that holds the output does not hold the call, and is named', async () => {
    await using kernel = await openShell();
    const started = performance.now();
    const {text, data} = await run(kernel, {command: 'sleep 66 & echo begun'});
    expect(performance.now() - started).toBeLessThan(5000);
    expect(text).toMatch(/^Output: begun\nBackground PIDs: \d+$/);
    const [survivor] = data['survivors'] as number[];
    expect(await isAlive(survivor ?? 0)).toBe(true);
    await kernel.session.close();
    await until(async () => !(await isAlive(survivor ?? 0)));
  });

  test('by a daemon that continues printing is not cut off', async () => {
    await using kernel = await openShell();
    await run(kernel, {command: '(while :; do echo x; echo x >> alive; sleep 0.02; done) & echo begun'});
    const size = async (): Promise<number> => (await stat(join(kernel.project, 'alive')).catch(() => ({size: 0}))).size;
    const before = await size();
    await until(async () => (await size()) > before + 20);
  });

  test('in its own session has no owner any more, and does not hold the call', async () => {
    await using kernel = await openShell();
    const {data} = await run(kernel, {
      command: "setsid sh -c 'echo $$ > daemon; sleep 67' & until [ -s daemon ]; do sleep 0.01; done",
    });
    const pid = Number(await readFile(join(kernel.project, 'daemon'), 'utf8'));
    expect(data['survivors']).toEqual([]);
    expect(await isAlive(pid)).toBe(true);
    process.kill(-pid, 'SIGKILL');
  });
});

describe('a command that cannot start', () => {
  test.each<
    [string, string, Record<string, unknown>, {files?: Record<string, string>; variables?: Record<string, string>}]
  >([
    ['in a directory that is gone', 'COMMAND_DIRECTORY_GONE', {command: 'ls', dir_path: 'gone'}, {}],
    ['in a file', 'COMMAND_DIRECTORY_GONE', {command: 'ls', dir_path: 'a.txt'}, {files: {'a.txt': ''}}],
    ['because it is blank', 'COMMAND_BLANK', {command: ' \t\n'}, {}],
    ['because it is too long', 'COMMAND_TOO_LONG', {command: `: ${'x'.repeat(3_000_000)}`}, {}],
    ['because it holds a zero byte', 'COMMAND_UNSTARTED', {command: 'echo \0'}, {}],
  ])('%s says so', async (_, code, input, options) => {
    await using kernel = await openShell(options);
    const outcome = await kernel.call('run_shell_command', input);
    expect(outcome).toMatchObject({status: 'failed', error: {code, hint: expect.any(String)}});
  });

  test('because there is no process left says so', async () => {
    const {startError} = await import('#plugins/shell/dist/start-error.js');
    const cause = Object.assign(new Error('spawn EMFILE'), {code: 'EMFILE'});
    expect(await startError(cause, {command: 'ls', directory: '/', shell: '/bin/sh'})).toMatchObject({
      code: 'PROCESSES_EXHAUSTED',
      cause,
    });
  });

  test('because its directory went after it was judged says so', async () => {
    await using kernel = await openShell();
    const processes = await kernel.service('processes');
    const directory = join(kernel.project, 'short-lived');
    await mkdir(directory);
    await rm(directory, {recursive: true});
    await expect(
      processes.run({command: 'ls', directory}, {signal: new AbortController().signal}),
    ).rejects.toMatchObject({code: 'COMMAND_DIRECTORY_GONE', message: expect.stringContaining(directory)});
  });
});
