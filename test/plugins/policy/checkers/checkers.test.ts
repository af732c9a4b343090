import {chmod, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {setTimeout as after} from 'node:timers/promises';
import {afterEach, beforeEach, describe, expect, test} from '@jest/globals';
import type {CheckContext} from '#plugins/policy/dist/checkers/verdict.js';
import {makeFolder} from '../../../helpers/make-plugin.js';
import {checkPaths} from '#plugins/policy/dist/checkers/allowed-path.js';
import {ProcessGroups} from '#kernel/processes/dist/index.js';
import {askProgram} from '#plugins/policy/dist/checkers/external.js';

function contextOf(input: unknown, config: CheckContext['checker']['config'] = {}): CheckContext {
  return {
    call: {tool: 'write_file', input},
    checker: {
      source: {tier: 'user', label: 'User: a.toml:1'},
      priority: 1,
      type: 'external',
      name: 'gate',
      config,
      tools: ['*'],
    },
    cwd: '/work',
    roots: ['/work'],
    system: {ignoreCase: false, home: '/home/me'},
    realPaths: (paths) => Promise.resolve(paths.map((path) => (path.startsWith('/') ? path : `/work/${path}`))),
    variables: process.env,
    signal: new AbortController().signal,
  };
}

describe('the checker allowed-path', () => {
  test.each([
    [{file_path: 'a.txt'}, {}, 'allow'],
    [{file_path: '/etc/passwd'}, {}, 'deny'],
    [{edits: [{target_file: '/etc/passwd'}]}, {}, 'deny'],
    [{source: 'a', destination: '/etc/x'}, {}, 'deny'],
    [{content: '/etc/passwd'}, {}, 'allow'],
    [{content: '/etc/passwd'}, {included_args: ['content']}, 'deny'],
    [{file_path: '/etc/passwd'}, {excluded_args: ['file_path']}, 'allow'],
    [{file_path: '.git/config'}, {}, 'deny'],
    [{file_path: 'sub/.env'}, {}, 'deny'],
    [{file_path: 'node_modules/a/b.js'}, {}, 'ask'],
    [{file_path: '.vscode/tasks.json'}, {}, 'ask'],
    [{file_path: 'src/a.ts'}, {allowed_paths: ['src/**']}, 'allow'],
    [{file_path: 'lib/a.ts'}, {allowed_paths: ['src/**']}, 'deny'],
    [{}, {}, 'allow'],
  ])('of %j with %j says %s [policy.checkers]', async (input, config, decision) => {
    expect((await checkPaths(contextOf(input, config))).decision).toBe(decision);
  });
});

describe('an external checker', () => {
  let processes: ProcessGroups;
  beforeEach(() => {
    processes = new ProcessGroups(process.platform);
  });
  afterEach(() => processes.close());

  const cases: readonly [string, string, {decision: string; reason: unknown}][] = [
    ['that allows', 'process.stdout.write(\'{"decision":"allow"}\')', {decision: 'allow', reason: expect.any(String)}],
    ['that asks', 'process.stdout.write(\'{"decision":"ask_user","reason":"Hm."}\')', {decision: 'ask', reason: 'Hm.'}],
    ['that denies', 'process.stdout.write(\'{"decision":"deny","reason":"No."}\')', {decision: 'deny', reason: 'No.'}],
    [
      'that speaks nonsense',
      "process.stdout.write('maybe')",
      {decision: 'deny', reason: expect.stringContaining('The checker gate failed:')},
    ],
    [
      'that decides something unknown',
      'process.stdout.write(\'{"decision":"perhaps"}\')',
      {decision: 'deny', reason: 'The checker gate answered "perhaps" where allow, deny or ask_user is due.'},
    ],
    ['that fails', 'process.exit(3)', {decision: 'deny', reason: 'The checker gate failed: it ended with code 3.'}],
    [
      'that allows and fails',
      'process.stdout.write(\'{"decision":"allow"}\'); process.exitCode = 1',
      {decision: 'deny', reason: 'The checker gate failed: it ended with code 1.'},
    ],
    [
      'that is killed',
      "process.kill(process.pid, 'SIGKILL')",
      {decision: 'deny', reason: 'The checker gate failed: it was ended by SIGKILL.'},
    ],
    ['that says nothing', '', {decision: 'deny', reason: expect.stringContaining('failed')}],
    [
      'that floods',
      "require('node:child_process').spawnSync('yes', {stdio: ['ignore', 'inherit', 'ignore']})",
      {decision: 'deny', reason: 'The checker gate failed: it answered more than a megabyte.'},
    ],
    [
      'that reads the call',
      "let all = ''; process.stdin.on('data', (part) => all += part).on('end', () => " +
        "process.stdout.write(JSON.stringify({decision: 'deny', reason: all})))",
      {
        decision: 'deny',
        reason: JSON.stringify({
          protocolVersion: '1.0.0',
          toolCall: {name: 'write_file', args: {a: 1}},
          context: {environment: {cwd: '/', workspaces: ['/work']}, history: {turns: []}},
          config: {level: 2},
        }),
      },
    ],
  ];
  test.each(cases)('%s is believed or refuses [policy.checkers]', async (_, code, verdict) => {
    await using folder = await makeFolder();
    const file = join(folder.path, 'checker.cjs');
    await writeFile(file, code);
    expect(
      await askProgram(
        {...contextOf({a: 1}, {level: 2}), cwd: '/'},
        {command: process.execPath, args: [file]},
        processes,
      ),
    ).toEqual(verdict);
  });

  test('gets harmless variables only [policy.checkers]', async () => {
    await using folder = await makeFolder();
    const file = join(folder.path, 'checker.cjs');
    await writeFile(
      file,
      "process.stdout.write(JSON.stringify({decision: 'deny', reason: Object.keys(process.env).join()}))",
    );
    const context = {...contextOf({}), cwd: '/', variables: {PATH: '/bin', AN_API_KEY: 'k'}};
    const {reason} = await askProgram(context, {command: process.execPath, args: [file]}, processes);
    expect(reason.split(',').sort()).toEqual(['GEMINI_CLI', 'PATH']);
  });

  test('that is stopped leaves no program writing to its output [policy.checkers]', async () => {
    await using folder = await makeFolder();
    const [file, pidFile] = [join(folder.path, 'checker.cjs'), join(folder.path, 'pid')];
    const flood = `echo $$ > '${pidFile}'; exec yes`;
    await writeFile(
      file,
      `require('node:child_process').spawnSync('sh', ['-c', ${JSON.stringify(flood)}], ` +
        "{stdio: ['ignore', 'inherit', 'ignore']})",
    );
    expect(
      await askProgram({...contextOf({}), cwd: '/'}, {command: process.execPath, args: [file]}, processes),
    ).toMatchObject({
      decision: 'deny',
      reason: expect.stringContaining('more than a megabyte'),
    });
    const pid = Number(await readFile(pidFile, 'utf8'));
    await expect(goneSoon(pid)).resolves.toBe(true);
  });

  test('that answers and leaves a program that holds its output is heard [policy.checkers]', async () => {
    await using folder = await makeFolder();
    const file = join(folder.path, 'checker.sh');
    await writeFile(file, `sleep 30 &\necho '{"decision": "allow", "reason": "Fine."}'\n`);
    const asked = askProgram({...contextOf({}), cwd: '/'}, {command: 'sh', args: [file]}, processes);
    expect(await Promise.race([asked, after(4000)])).toEqual({decision: 'allow', reason: 'Fine.'});
  });

  test('that hangs and ignores SIGTERM refuses after five seconds, and is killed [policy.checkers]', async () => {
    await using folder = await makeFolder();
    const file = join(folder.path, 'checker.sh');
    await writeFile(file, '#!/bin/sh\ntrap "" TERM\nwhile :; do sleep 1; done\n');
    await chmod(file, 0o755);
    const began = performance.now();
    expect(await askProgram({...contextOf({}), cwd: folder.path}, {command: file, args: []}, processes)).toEqual({
      decision: 'deny',
      reason: 'The checker gate failed: it did not answer within 5 seconds.',
    });
    expect(performance.now() - began).toBeLessThan(6500);
  });

  test('that is not configured, or does not exist, refuses [policy.checkers]', async () => {
    expect(await askProgram(contextOf({}), undefined, processes)).toEqual({
      decision: 'deny',
      reason: 'No program is configured for the checker gate (setting security.checkers.gate).',
    });
    expect(
      await askProgram({...contextOf({}), cwd: '/'}, {command: '/no/such/program', args: []}, processes),
    ).toMatchObject({
      decision: 'deny',
      reason: expect.stringContaining('ENOENT'),
    });
  });
});

/** Whether a process is gone within some seconds. */
async function goneSoon(pid: number): Promise<boolean> {
  const late = AbortSignal.timeout(5000);
  while (!late.aborted) {
    // A process that has not been waited for is still in the table, but does nothing.
    const state = await readFile(`/proc/${pid}/stat`, 'utf8').then(
      (text) => text.slice(text.lastIndexOf(')') + 2)[0],
      () => 'gone',
    );
    if (state === 'gone' || state === 'Z') return true;
  }
  return false;
}
