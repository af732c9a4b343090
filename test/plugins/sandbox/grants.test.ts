import {mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from '@jest/globals';
import type {TestKernel, TestKernelOptions} from '@gemini-kernel/kernel/testing';
import {pluginRoot} from '../../helpers/plugin-root.js';
import {openSandbox, testConfined} from './open-sandbox.js';

let outside = '';
beforeAll(() => {
  outside = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-outside-')));
});
afterAll(() => rmSync(outside, {recursive: true}));

/** A kernel with rules of the person. Without `confirm` no one is there to be asked. */
function open(rules: string, options: Partial<TestKernelOptions> = {}): Promise<TestKernel> {
  return openSandbox({
    plugins: ['settings', 'trust', 'workspace', 'secrets', 'policy', 'sandbox', 'shell'].map(pluginRoot),
    homeFiles: {'.gemini/policies/mine.toml': rules},
    ...options,
  });
}

async function call(kernel: TestKernel, command: string, further: object = {}): Promise<string> {
  const outcome = await kernel.call('run_shell_command', {command, ...further});
  if (outcome.status === 'done') return JSON.stringify(outcome.result.model);
  return outcome.status === 'refused' ? `refused: ${outcome.reason}` : `failed: ${outcome.error.code}`;
}

const headless = {confirm: undefined} as unknown as Partial<TestKernelOptions>;

describe('rules about commands in the sandbox', () => {
  testConfined('builds and tests run unasked inside, and not outside [sandbox.rules]', async () => {
    const files = {'package.json': '{"scripts": {"test": "echo tested; cat .env; ls ~"}}', '.env': 'TOKEN=secret'};
    await using confined = await open('', {...headless, files});
    const text = await call(confined, 'npm test --silent');
    expect(text).toContain('tested');
    expect(text).not.toContain('secret');
    expect(await call(confined, 'npm publish')).toMatch(/^refused: /);
    expect(await call(confined, 'npm test && npm publish')).toMatch(/^refused: /);
    await using free = await open('', {...headless, files, variables: {GEMINI_SANDBOX: 'false'}});
    expect(await call(free, 'npm test --silent')).toMatch(/^refused: /);
  });

  testConfined(
    'a rule grants what it says, when the rule of each command of a line does [sandbox.grants]',
    async () => {
      const rule = (prefix: string, sandbox: string): string =>
        `[[rule]]\ncommandPrefix = "${prefix}"\ndecision = "allow"\n${sandbox}\n`;
      const rules = [
        rule('node write.js', `sandbox = {write = ["${outside}"]}`),
        rule('node plain.js', ''),
        rule('node also.js', `sandbox = {write = ["${outside}", "/srv"]}`),
      ];
      const script = `
        const name = process.argv[2];
        require('fs').writeFileSync('${outside}/' + name, 'x');
        console.log('written', name);`;
      const files = {'write.js': script, 'also.js': script, 'plain.js': script};
      await using kernel = await open(rules.join(''), {...headless, files});
      expect(await call(kernel, 'node write.js one')).toContain('written one');
      expect(readFileSync(join(outside, 'one'), 'utf8')).toBe('x');
      expect(await call(kernel, 'node also.js two && node write.js three')).toContain('written two\\nwritten three');
      expect(await call(kernel, 'node plain.js four')).not.toContain('written four');
      expect(await call(kernel, 'node write.js five && node plain.js six')).not.toContain('written five');
    },
  );

  testConfined('a project grants nothing by its rules [sandbox.grants]', async () => {
    const rules = `[[rule]]\ncommandPrefix = "touch"\ndecision = "ask"\nsandbox = {write = ["${outside}"]}\n`;
    await using kernel = await open('', {files: {'.gemini/policies/p.toml': rules}});
    expect(await call(kernel, `touch ${outside}/project`)).toMatch(/No such file|Read-only/);
  });

  test('a grant that cannot be read leaves out a rule that allows [sandbox.grants]', async () => {
    for (const [line, message] of [
      ['sandbox = "all"', '"sandbox" must be a table'],
      ['sandbox = {net = true}', '"sandbox" does not take "net"'],
      ['sandbox = {write = ["x"]}', '"sandbox" takes absolute paths, not "x"'],
      ['sandbox = {memory = "2TB"}', '"sandbox" takes "2GB", "500MB" or megabytes as "memory"'],
      ['sandbox = {memory = 1.5}', '"sandbox" takes "2GB", "500MB" or megabytes as "memory"'],
      ['sandbox = {processes = 0}', '"sandbox" takes a whole number from 1 to 4000000 as "processes"'],
      ['sandbox = {network = "a"}', '"sandbox" takes a list of texts as "network"'],
    ] as const)
      await expect(open(`[[rule]]\ncommandPrefix = "touch"\ndecision = "allow"\n${line}\n`)).rejects.toMatchObject({
        code: 'POLICY_BROKEN',
        message: expect.stringContaining(message),
      });
  });
});

describe('additional_permissions', () => {
  const asks = (permissions: object): object => ({additional_permissions: permissions});

  testConfined('are asked for, and count for that call [sandbox.additional]', async () => {
    const rules = '[[rule]]\ntoolName = "run_shell_command"\ndecision = "allow"\n';
    const command = 'sh write.sh';
    const files = {'write.sh': `echo x > ${outside}/asked && echo written`};
    const wish = asks({fileSystem: {write: [outside]}});
    await using kernel = await open(rules, {files});
    expect(await call(kernel, command)).not.toContain('written');
    expect(await call(kernel, command, wish)).toContain('written');
    expect(await call(kernel, command)).not.toContain('written');
    await using silent = await open(rules, {...headless, files});
    expect(await call(silent, command, wish)).toMatch(/^refused: .*asks for more than the sandbox gives: write/);
    await using refusing = await open(rules, {confirm: 'no', files});
    expect(await call(refusing, command, wish)).toMatch(/^refused: /);
    await using yolo = await open(rules, {...headless, files, flags: {'general.defaultApprovalMode': 'yolo'}});
    expect(await call(yolo, command, wish)).toMatch(/^refused: /);
  });

  testConfined('show a hidden path of the home, and nothing else of it [sandbox.additional]', async () => {
    await using kernel = await open('', {
      homeFiles: {'notes/plan.txt': 'the plan', 'notes/other.txt': 'another'},
    });
    const path = join(kernel.home, 'notes', 'plan.txt');
    const command = `cat ${path} ${join(kernel.home, 'notes', 'other.txt')}`;
    expect(await call(kernel, command)).not.toMatch(/the plan|another/);
    const shown = await call(kernel, command, asks({fileSystem: {read: [path]}}));
    expect(shown).toContain('the plan');
    expect(shown).not.toContain('another');
    expect(await call(kernel, `echo x > ${path}`, asks({fileSystem: {read: [path]}}))).toContain('Read-only');
  });

  testConfined(
    'are denied in plan mode, through links, and where they would open the home [sandbox.additional]',
    async () => {
      const link = join(outside, 'link');
      mkdirSync(join(outside, 'target'), {recursive: true});
      symlinkSync(join(outside, 'target'), link);
      await using kernel = await open('');
      expect(await call(kernel, 'true', asks({fileSystem: {write: [link]}}))).toMatch(/^refused: .*ask for that path/);
      expect(await call(kernel, 'true', asks({fileSystem: {read: ['relative']}}))).toMatch(
        /^refused: .*absolute paths/,
      );
      expect(await call(kernel, 'true', asks({fileSystem: {read: ['/none']}}))).toMatch(/^refused: .*does not exist/);
      expect(await call(kernel, 'true', asks({fileSystem: {write: [kernel.home]}}))).toMatch(/^refused: .*your home/);
      expect(await call(kernel, 'true', asks({hosts: ['http://x']}))).toMatch(/^refused: .*not a host/);
      await using plan = await open('', {flags: {'general.defaultApprovalMode': 'plan'}});
      expect(await call(plan, 'true', asks({network: true}))).toMatch(/^refused: /);
    },
  );
});
