import {execFile, spawnSync} from 'node:child_process';
import {chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {expect} from '@jest/globals';
import {checkout, pluginRoot} from '../../helpers/plugin-root.js';
import {runGemini} from '../../helpers/run-gemini.js';
import {where} from '../../helpers/where.js';
import {until} from '../shell/open-shell.js';
import {openSandbox, output, testConfined} from './open-sandbox.js';

const testAsRoot = where(process.getuid?.() === 0, 'root, who can run a program as an ordinary user and mount');

testAsRoot(
  'a fork bomb of an ordinary user stops at its limit, and nothing of it is left [sandbox.processes]',
  async () => {
    const folder = realpathSync(mkdtempSync('/opt/gemini-machine-'));
    const [user, project, home] = [4321, join(folder, 'project'), join(folder, 'home')];
    for (const path of [project, home]) mkdirSync(path);
    for (const path of [folder, project, home]) chownSync(path, user, user);
    // Without a process more, only what the shell does on its own is left.
    const many = "sh -c 'i=0; while [ $i -lt 300 ]; do sleep 60 & i=$((i+1)); echo $i; done' 2>many";
    const bomb = "sh -c 'b() { b | b & }; b' 2>bomb; i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done";
    const line = `${many}; echo ended $?; ${bomb}; read said < many; echo "$said"`;
    const program = join(checkout, 'test/plugins/sandbox/watched-program.mjs');
    const words = [process.execPath, program, project, line, JSON.stringify({processes: 60})];
    const drop = [`--reuid=${user}`, `--regid=${user}`, '--clear-groups', '--'];
    const env = {PATH: process.env['PATH'], HOME: home, TMPDIR: '/tmp'};
    const {stdout} = await promisify(execFile)('setpriv', [...drop, ...words], {env, cwd: '/'}).finally(() =>
      rmSync(folder, {recursive: true}),
    );
    const {printed, code} = JSON.parse(stdout) as {readonly printed: string; readonly code: number};
    const lines = printed.trim().split('\n');
    expect({code, end: lines.slice(-2)}).toEqual({code: 0, end: ['ended 2', expect.stringMatching(/fork/i)]});
    expect(lines.length).toBeGreaterThan(30);
    expect(lines.length).toBeLessThan(63);
    // The kernel ends what is left of the namespace a moment after its first process.
    await until(() => spawnSync('pgrep', ['-u', String(user)]).status === 1);
  },
);

testConfined('a rule limits memory further than the settings, and never loosens it [sandbox.processes]', async () => {
  const rule = (prefix: string, sandbox: string): string =>
    `[[rule]]\ncommandPrefix = "${prefix}"\ndecision = "allow"\nsandbox = ${sandbox}\n`;
  await using kernel = await openSandbox({
    plugins: ['settings', 'trust', 'workspace', 'secrets', 'policy', 'sandbox', 'shell'].map(pluginRoot),
    files: {'data.sh': 'ulimit -d'},
    homeFiles: {
      '.gemini/settings.json': '{"tools": {"sandboxMemory": 4096}}',
      '.gemini/policies/mine.toml':
        rule('bash data.sh', '{memory = "2GB"}') +
        rule('sh data.sh', '{memory = "9GB", processes = 100}') +
        rule('echo', '{network = ["one.example"]}'),
    },
  });
  expect(await output(kernel, 'bash data.sh')).toBe(`Output: ${2048 * 1024}`);
  expect(await output(kernel, 'sh data.sh')).toBe(`Output: ${4096 * 1024}`);
  // A line is one process tree: the limit of one command counts for all.
  expect(await output(kernel, 'echo; bash data.sh; sh data.sh')).toBe(
    `Output: \n${`${2048 * 1024}\n`.repeat(2)}`.trim(),
  );
});

testConfined('explain shows the limit of processes, and who has none [sandbox.processes]', async () => {
  await using kernel = await openSandbox({homeFiles: {'.gemini/settings.json': '{"tools": {"sandboxProcesses": 70}}'}});
  const given = {cwd: kernel.project, home: kernel.home, variables: {GEMINI_SANDBOX: 'true'}};
  const {stdout} = await runGemini(['sandbox', 'explain'], given);
  expect(stdout).toContain(
    process.getuid?.() === 0
      ? 'Processes: no limit; tools.sandboxProcesses is 0, or you are root'
      : 'Processes: 70 at most (setting tools.sandboxProcesses).',
  );
});

testAsRoot('a full disk fails a command with the reason, and what follows runs [sandbox.processes]', async () => {
  const folder = realpathSync(mkdtempSync('/opt/gemini-machine-'));
  const [project, disk] = [join(folder, 'project'), join(folder, 'disk')];
  for (const path of [project, disk]) mkdirSync(path);
  const program = join(checkout, 'test/plugins/sandbox/watched-program.mjs');
  const line = `head -c 4000000 /dev/zero 2>said > ${disk}/full && exit 1; grep -o 'No space left' said; echo usable`;
  // A mount that other programs do not see: they may be starting sandboxes of their own.
  const mounted = 'mount -t tmpfs -o size=1m none "$1" && shift && exec "$@"';
  const words = ['-m', 'sh', '-c', mounted, 'sh', disk, process.execPath, program, project, line];
  const {stdout} = await promisify(execFile)('unshare', words, {cwd: '/'}).finally(() =>
    rmSync(folder, {recursive: true}),
  );
  expect(JSON.parse(stdout)).toEqual({
    printed: 'No space left\nusable\n',
    code: 0,
    asked: [{path: disk, name: 'full'}],
  });
});

testConfined('output without end leaves the session usable [sandbox.processes]', async () => {
  await using kernel = await openSandbox();
  expect((await output(kernel, 'head -c 300000000 /dev/zero | tr "\\0" x')).length).toBeLessThan(200_000);
  expect(await output(kernel, 'echo usable')).toBe('Output: usable');
});

testAsRoot('a leak test that tries nothing says so and fails [sandbox.leaks]', async () => {
  const home = realpathSync(mkdtempSync('/opt/gemini-machine-'));
  const {stdout, code} = await runGemini(['sandbox', 'test', '--only', 'raed'], {cwd: home, home, variables: {}});
  rmSync(home, {recursive: true});
  expect({stdout, code}).toEqual({
    stdout: expect.stringMatching(/No probe was tried: .* They begin with works, read, write, /),
    code: 1,
  });
});
