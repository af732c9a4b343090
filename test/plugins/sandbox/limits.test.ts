import {existsSync, mkdtempSync, readlinkSync, realpathSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from '@jest/globals';
import type {TestKernel, TestKernelOptions} from '@gemini-kernel/kernel/testing';
import {pluginRoot} from '../../helpers/plugin-root.js';
import {runGemini} from '../../helpers/run-gemini.js';
import {openSandbox, testConfined} from './open-sandbox.js';

let outside = '';
beforeAll(() => {
  outside = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-limits-')));
});
afterAll(() => rmSync(outside, {recursive: true}));

interface Given extends Partial<TestKernelOptions> {
  /** The person's sandbox.toml. */
  readonly own?: string;
  readonly project?: string;
  readonly mode?: string;
}

/** A kernel in which every command may run. */
function open({own = '', project, mode, ...options}: Given): Promise<TestKernel> {
  return openSandbox({
    plugins: ['settings', 'trust', 'workspace', 'secrets', 'policy', 'sandbox', 'shell'].map(pluginRoot),
    ...options,
    homeFiles: {
      '.gemini/policies/a.toml': '[[rule]]\ntoolName = "run_shell_command"\ndecision = "allow"\n',
      '.gemini/policies/sandbox.toml': own,
      ...options.homeFiles,
    },
    files: {...(project === undefined ? {} : {'.gemini/policies/sandbox.toml': project}), ...options.files},
    ...(mode === undefined ? {} : {flags: {'general.defaultApprovalMode': mode}}),
  });
}

async function call(kernel: TestKernel, command: string, further: object = {}): Promise<string> {
  const outcome = await kernel.call('run_shell_command', {command, ...further});
  if (outcome.status === 'done') return JSON.stringify(outcome.result.model);
  return outcome.status === 'refused' ? `refused: ${outcome.reason}` : `failed: ${outcome.error.code}`;
}

/** What the reference writes when a person says always. */
const REFERENCE = `
[modes.plan]
network = false
readonly = true
approvedTools = []
allowOverrides = true

[modes.default]
network = false
readonly = false
approvedTools = ["cat", "ls"]
allowOverrides = true

[modes.accepting_edits]
network = false
readonly = false
approvedTools = ["sed"]
allowOverrides = true

[commands.touch]
allowed_paths = ["OUTSIDE"]
allow_network = false
`;

describe('sandbox.toml of a person', () => {
  testConfined('a command gets the paths and the network that stand under its name [sandbox.limits]', async () => {
    const limits = `${REFERENCE.replace('OUTSIDE', outside)}\n[commands.readlink]\nallow_network = true\n`;
    await using kernel = await open({own: limits});
    await call(kernel, `touch ${outside}/one`);
    expect(existsSync(join(outside, 'one'))).toBe(true);
    await call(kernel, `/usr/bin/touch ${outside}/two; cp /dev/null ${outside}/three`);
    // The rule of each command of a line counts.
    await call(kernel, `touch ${outside}/four && cp /dev/null ${outside}/five`);
    expect(['two', 'three', 'four', 'five'].filter((name) => existsSync(join(outside, name)))).toEqual([]);
    const own = readlinkSync('/proc/self/ns/net');
    expect(await call(kernel, 'readlink /proc/self/ns/net')).toContain(own);
    expect(await call(kernel, 'ls -l /proc/self/ns/net')).not.toContain(own);
  });

  testConfined('a mode can be read-only, with commands that may write all the same [sandbox.limits]', async () => {
    const script = `
      const {writeFileSync} = require('fs');
      writeFileSync('written', '');
      writeFileSync('.git/hooks/pre-commit', '');`;
    const own = '[modes.default]\nreadonly = true\napprovedTools = ["touch", "node hook.js"]\n';
    await using kernel = await open({own, files: {'.git/HEAD': 'ref: x', 'hook.js': script}});
    const has = (name: string): boolean => existsSync(join(kernel.project, name));
    await call(kernel, 'cp /dev/null copied');
    await call(kernel, 'touch touched');
    await call(kernel, 'node hook.js');
    expect({
      copied: has('copied'),
      touched: has('touched'),
      written: has('written'),
      hook: has('.git/hooks/pre-commit'),
    }).toEqual({
      copied: false,
      touched: true,
      written: true,
      hook: false,
    });
    const sandbox = await kernel.service('sandbox');
    const plan = await sandbox.explain({roots: [kernel.project], mode: 'default'});
    expect(plan.mounts.findLast(({path}) => path === kernel.project)).toEqual({
      kind: 'read',
      path: kernel.project,
      why: 'workspace; User: sandbox.toml:2',
    });
    const edit = await sandbox.explain({roots: [kernel.project], mode: 'auto_edit'});
    expect(edit.mounts.findLast(({path}) => path === kernel.project)).toMatchObject({kind: 'write'});
  });

  testConfined('a read-only workspace stays so below and within what is granted [sandbox.limits]', async () => {
    await using kernel = await open({
      own: '[modes.default]\nreadonly = true\n',
      files: {'sub/a': '', 'sub/.git/HEAD': ''},
    });
    for (const path of [join(kernel.project, 'sub'), join(kernel.project, '..')]) {
      const setting = {tools: {sandboxAllowedPaths: [path]}};
      await using granted = await open({
        own: '[modes.default]\nreadonly = true\n',
        homeFiles: {'.gemini/settings.json': JSON.stringify(setting)},
        files: {'sub/a': ''},
      });
      await call(granted, 'touch sub/b made');
      expect(['sub/b', 'made'].filter((name) => existsSync(join(granted.project, name)))).toEqual([]);
    }
  });

  testConfined(
    'a mode has the network where the file says so, plan too, which still writes nothing [sandbox.limits]',
    async () => {
      const own = '[modes.plan]\nnetwork = true\nreadonly = false\n[modes.default]\nnetwork = true\n';
      await using kernel = await open({own});
      const sandbox = await kernel.service('sandbox');
      const of = async (mode: string) => sandbox.explain({roots: [kernel.project], mode});
      expect((await of('plan')).network).toEqual({reach: 'all', why: 'User: sandbox.toml:2'});
      expect((await of('yolo')).network).toEqual({reach: 'all', why: 'User: sandbox.toml:5'});
      expect((await of('auto_edit')).network).toMatchObject({reach: 'none'});
      expect((await of('plan')).mounts.findLast(({path}) => path === kernel.project)).toMatchObject({kind: 'read'});
      const {problems} = await (await kernel.service('policy')).rules();
      expect(problems).toEqual([
        expect.objectContaining({
          severity: 'warning',
          line: 3,
          message: 'Plan mode writes nothing, so "readonly" is not used.',
        }),
      ]);
    },
  );

  testConfined('without overrides only settings grant more [sandbox.limits]', async () => {
    const own = `[modes.default]\nallowOverrides = false\n[commands.touch]\nallowed_paths = ["${outside}"]\n`;
    const rule = `[[rule]]\ncommandPrefix = "tee"\ndecision = "allow"\nsandbox = {write = ["${outside}"]}\n`;
    await using kernel = await open({own, homeFiles: {'.gemini/policies/b.toml': rule}});
    await call(kernel, `touch ${outside}/final`);
    await call(kernel, `tee ${outside}/final`);
    expect(existsSync(join(outside, 'final'))).toBe(false);
    const wish = {additional_permissions: {fileSystem: {write: [outside]}}};
    expect(await call(kernel, 'true', wish)).toMatch(/^refused: .*User: sandbox\.toml:2/);
  });
});

describe('sandbox.toml of a project', () => {
  testConfined('tightens, and loosens nothing [sandbox.limits]', async () => {
    const project = `[modes.default]\nreadonly = true\n[modes.auto_edit]\nnetwork = true\n[commands.touch]\nallowed_paths = ["${outside}"]\n`;
    await using kernel = await open({own: '[modes.default]\nreadonly = false\n', project});
    const sandbox = await kernel.service('sandbox');
    const of = async (mode: string) => sandbox.explain({roots: [kernel.project], mode});
    expect((await of('default')).mounts.findLast(({path}) => path === kernel.project)).toMatchObject({kind: 'read'});
    expect((await of('auto_edit')).network).toMatchObject({reach: 'none'});
    await call(kernel, `touch ${outside}/project`);
    expect(existsSync(join(outside, 'project'))).toBe(false);
    const {problems} = await (await kernel.service('policy')).rules();
    expect(problems.map(({severity, line, message}) => `${severity} ${line} ${message}`)).toEqual([
      'warning 4 A project or an extension loosens nothing for commands in the sandbox; "network" is not used.',
      'warning 5 A project or an extension loosens nothing for commands in the sandbox; [commands.touch] is not used.',
    ]);
  });
});

describe('what is wrong in sandbox.toml', () => {
  test.each([
    ['modes = 1', 1, '"modes" must be a table'],
    ['[modes.default]\nreadonly = "yes"', 2, '"readonly" must be true or false, not "yes"'],
    ['[modes.default]\nreadOnly = true', 2, 'There is no key "readOnly"'],
    ['[modes.defalt]\nreadonly = true', 1, 'There is no mode "defalt"'],
    ['[modes.default]\napprovedTools = "cat"', 2, '"approvedTools" must be a list of texts, not "cat"'],
    ['[commands]\nnpm = true', 2, '"commands.npm" must be a table'],
    ['[commands.npm]\nallowed_paths = ["/a", "b"]', 2, '"allowed_paths" takes absolute paths, not "b"'],
    ['[commands.npm\n', 1, 'The file is not TOML'],
  ])('%j is named with its line, and nothing runs [sandbox.limits]', async (own, line, message) => {
    await expect(open({own})).rejects.toMatchObject({
      code: 'POLICY_BROKEN',
      message: expect.stringContaining(message),
      data: {file: expect.stringMatching(/policies\/sandbox\.toml$/), line},
    });
  });

  testConfined('a path above the home is not granted [sandbox.limits]', async () => {
    await using kernel = await open({own: '[commands.touch]\nallowed_paths = ["/"]\n'});
    expect(await call(kernel, 'touch x')).toBe('failed: SANDBOX_GRANT_INVALID');
  });

  test('what the reference writes has nothing wrong, in that file only [sandbox.limits]', async () => {
    const home = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-limits-home-')));
    const file = async (name: string): Promise<string> => {
      const {writeFile} = await import('node:fs/promises');
      await writeFile(join(home, name), REFERENCE.replace('OUTSIDE', outside));
      return (await runGemini(['policy', 'check', join(home, name)], {cwd: home, home})).stdout;
    };
    expect(await file('sandbox.toml')).toBe('1 file, 0 errors, 0 warnings.\n');
    expect(await file('other.toml')).toMatch(/A file with the name sandbox\.toml has \[modes\]\./);
    rmSync(home, {recursive: true});
  });
});
