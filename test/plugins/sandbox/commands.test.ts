import {execFileSync, spawn} from 'node:child_process';
import {existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {mkdtemp, realpath, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect} from '@jest/globals';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import {checkout} from '../../helpers/plugin-root.js';
import {isolate} from '../../helpers/run-gemini.js';
import {isAlive, run, until} from '../shell/open-shell.js';
import {openSandbox, output, testConfined} from './open-sandbox.js';

/** Whether a process is the one that a test has started. */
function isSleeper(name: string): boolean {
  try {
    return readFileSync(`/proc/${name}/cmdline`, 'utf8') === 'sleep\x004242\x00';
  } catch (error) {
    // It ended meanwhile, or is no process.
    if (typeof (error as NodeJS.ErrnoException).code !== 'string') throw error;
    return false;
  }
}

describe('a confined command', () => {
  testConfined('writes the workspace and temporary files, and nothing else [sandbox.modes]', async () => {
    await using kernel = await openSandbox({homeFiles: {secret: 'x'}, files: {'.env': 'TOKEN=1'}});
    const lines = [
      'echo made > file && echo workspace',
      'echo x > /tmp/file && echo temporary',
      'cat .env; cat ~/secret; echo x > ../beside',
      'ls -A ..',
    ];
    const missing = `cat: ${kernel.home}/secret: No such file or directory`;
    expect(await output(kernel, lines.join('; '))).toBe(
      `Output: workspace\ntemporary\n${missing}\nbeside\nhome\nproject`,
    );
    expect(readFileSync(join(kernel.project, 'file'), 'utf8')).toBe('made\n');
    expect(existsSync(join(kernel.project, '..', 'beside'))).toBe(false);
  });

  testConfined('writes only temporary files in plan mode [sandbox.modes]', async () => {
    await using kernel = await openSandbox({mode: 'plan', files: {'a.txt': 'text'}});
    const text = await output(kernel, 'cat a.txt; echo; echo x > made || echo refused; echo x > /tmp/y && echo kept');
    expect(text).toMatch(/^Output: text\n.*made: Read-only file system\nrefused\nkept$/);
    expect(readdirSync(kernel.project)).toEqual(['a.txt']);
  });

  testConfined('keeps its exit code, its input, its limits and its output [sandbox.modes]', async () => {
    await using kernel = await openSandbox();
    expect((await run(kernel, {command: 'tr a-z A-Z; exit 3', stdin: 'hello'})).text).toBe(
      'Output: HELLO\nExit Code: 3',
    );
    const {data} = await run(kernel, {command: 'sleep 60', timeout_ms: 300});
    expect(data).toMatchObject({by: 'timeout', survivors: []});
    expect((await run(kernel, {command: 'head -c 30000000 /dev/zero | tr "\\0" x'})).data).toMatchObject({
      bytes: 30_000_000,
    });
  });

  testConfined('leaves no process behind, also after a fork bomb [sandbox.clean]', async () => {
    await using kernel = await openSandbox();
    const bomb =
      'ulimit -u 300 2>/dev/null; f() { sleep 30 & f; }; for i in 1 2 3 4 5 6 7 8 9; do (sleep 30 &) ; done; sleep 30';
    expect((await run(kernel, {command: bomb, timeout_ms: 700})).data).toMatchObject({by: 'timeout', survivors: []});
    expect(await output(kernel, 'ls -d /proc/[0-9]* | wc -l')).toMatch(/^Output: [2-6]$/);
  });

  testConfined(
    'commits in a worktree, and not in a repository that a file of the project names [sandbox.modes]',
    async () => {
      await using kernel = await openSandbox();
      const git = (folder: string, ...words: string[]): void =>
        void execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@b', ...words], {
          stdio: 'pipe',
        });
      const [main, other] = ['main', 'other'].map((name) => join(kernel.project, '..', name)) as [string, string];
      for (const folder of [main, other]) {
        execFileSync('git', ['init', '-q', folder]);
        git(folder, 'commit', '-qm', 'one', '--allow-empty');
      }
      git(main, 'worktree', 'add', '-q', '-b', 'work', join(kernel.project, 'tree'));
      const commit = 'git -c user.name=a -c user.email=a@b commit -qm two --allow-empty && echo committed';
      expect(await output(kernel, `cd tree && ${commit}`)).toBe('Output: committed');
      expect(await output(kernel, `cd tree && echo x > ${main}/.git/hooks/pre-commit || echo refused`)).toMatch(
        /^refused\nRefused Path: .*\.git\/hooks \(git obeys it\)$/m,
      );
      mkdirSync(join(kernel.project, 'fake'));
      writeFileSync(join(kernel.project, 'fake', '.git'), `gitdir: ${join(other, '.git')}\n`);
      expect(await output(kernel, `cd fake && ${commit}`)).not.toContain('committed');
    },
  );

  testConfined('reaches a directory from the next command on, once it is added [sandbox.modes]', async () => {
    await using kernel = await openSandbox();
    const folder = join(kernel.project, '..', 'added');
    mkdirSync(folder);
    expect(await output(kernel, 'echo x > ../added/file || echo refused')).toMatch(/refused$/);
    await (await kernel.service('workspace')).add([folder], {scope: 'session'});
    expect(await output(kernel, 'echo x > ../added/file && echo written')).toBe('Output: written');
    expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('x\n');
  });

  testConfined(
    'has what settings of the person grant, and nothing that a project grants [sandbox.choice]',
    async () => {
      const granted = await realpath(await mkdtemp(join(tmpdir(), 'gemini-granted-')));
      const settings = JSON.stringify({tools: {sandboxAllowedPaths: [granted]}});
      const command = `echo x > ${granted}/file && echo written`;
      try {
        await using project = await openSandbox({files: {'.gemini/settings.json': settings}});
        expect(await output(project, command)).not.toContain('written');
        await using person = await openSandbox({homeFiles: {'.gemini/settings.json': settings}});
        expect(await output(person, command)).toBe('Output: written');
      } finally {
        await rm(granted, {recursive: true});
      }
    },
  );

  testConfined(
    'cannot read a .env file, or change a repository, that came after the first command [sandbox.tree]',
    async () => {
      await using kernel = await openSandbox();
      expect(await output(kernel, 'echo ready')).toBe('Output: ready');
      mkdirSync(join(kernel.project, 'later', '.git', 'hooks'), {recursive: true});
      writeFileSync(join(kernel.project, 'later', '.env'), 'TOKEN=1');
      const text = await output(kernel, 'cat later/.env; echo x > later/.git/hooks/pre-commit || echo refused');
      expect(text).toMatch(/^Output: .*Read-only file system\nrefused\nRefused Path: .*\(git obeys it\)$/);
    },
  );

  testConfined('does not run where the workspace is the home or contains it [sandbox.unavailable]', async () => {
    await using kernel = await openSandbox();
    const folder = join(kernel.project, '..');
    await using wide = await openSandbox({variables: {HOME: join(kernel.project)}});
    await (await wide.service('workspace')).add([folder, kernel.project], {scope: 'session'});
    const outcome = await wide.call('run_shell_command', {command: 'echo x'});
    expect(outcome).toMatchObject({status: 'failed', error: {code: 'SANDBOX_ROOT_TOO_WIDE'}});
  });

  testConfined('what was made for it is gone when the session ends [sandbox.clean]', async () => {
    const temporary = await realpath(await mkdtemp(join(tmpdir(), 'gemini-temporary-')));
    try {
      await using kernel = await openSandbox({temporary, files: {'.git/HEAD': 'ref: refs/heads/main\n'}});
      expect(await output(kernel, 'ls -A')).toBe('Output: .gemini\n.git\n.idea\n.mcp.json\n.vscode');
      expect(readdirSync(temporary)).toHaveLength(1);
      await kernel.kernel.close();
      expect(readdirSync(kernel.project)).toEqual(['.git']);
      expect(readdirSync(join(kernel.project, '.git')).sort()).toEqual(['HEAD', 'config', 'hooks']);
      expect(readdirSync(temporary)).toEqual([]);
    } finally {
      await rm(temporary, {recursive: true, force: true});
    }
  });

  testConfined(
    'no process is left when gemini is killed, and the next one removes its folder [sandbox.clean]',
    async () => {
      const place = await realpath(await mkdtemp(join(tmpdir(), 'gemini-killed-')));
      const [home, project, temporary] = ['home', 'project', 'temporary'].map((name) => join(place, name)) as [
        string,
        string,
        string,
      ];
      for (const folder of [home, project, temporary]) mkdirSync(folder);
      const start = (command: string) =>
        spawn(
          process.execPath,
          [join(checkout, 'bin', 'gemini.cjs'), 'tools', 'call', '--yes', 'run_shell_command', `command=${command}`],
          {cwd: project, env: isolate(home, {GEMINI_SANDBOX: '1', TMPDIR: temporary}), stdio: 'ignore'},
        );
      const killed = start('setsid sh -c "touch running; exec sleep 4242"');
      await until(() => existsSync(join(project, 'running')));
      const find = (): string | undefined => readdirSync('/proc').find((name) => isSleeper(name));
      await until(() => find() !== undefined);
      const sleeper = find();
      killed.kill('SIGKILL');
      await until(async () => !(await isAlive(Number(sleeper))));
      expect(readdirSync(temporary)).toHaveLength(1);
      const next = start('true');
      await new Promise((resolve) => next.once('close', resolve));
      expect(readdirSync(temporary)).toEqual([]);
      expect(readdirSync(project)).toEqual(['running']);
      await rm(place, {recursive: true, force: true});
    },
  );
});
