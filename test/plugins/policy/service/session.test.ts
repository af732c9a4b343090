import {existsSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import type {ApprovalChoice, ToolCall} from '@gemini-kernel/kernel';
import {createTestKernel, type TestKernel, type TestKernelOptions} from '@gemini-kernel/kernel/testing';
import type {} from '@gemini-kernel/plugin-policy/contract';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import {pluginRoot} from '../../../helpers/plugin-root.js';

const plugins = ['settings', 'trust', 'workspace', 'filesystem', 'policy', 'secrets', 'shell'].map(pluginRoot);
const variables = {GEMINI_CLI_TRUST_WORKSPACE: 'true', PATH: process.env['PATH']};
const open = (options: Partial<TestKernelOptions> = {}): Promise<TestKernel> =>
  createTestKernel({plugins, variables, ...options});

const inUser = (settings: object) => ({homeFiles: {'.gemini/settings.json': JSON.stringify(settings)}});
const inProject = (settings: object) => ({files: {'.gemini/settings.json': JSON.stringify(settings)}});
const mode = (defaultApprovalMode: string) => ({general: {defaultApprovalMode}});

describe('the approval mode of a session', () => {
  test.each<readonly [string, Partial<TestKernelOptions>, string, readonly string[]]>([
    ['no setting or flag asks for one', {}, 'default', []],
    ['the user asks for auto_edit', inUser(mode('auto_edit')), 'auto_edit', []],
    [
      'the user asks for yolo',
      inUser(mode('yolo')),
      'default',
      ['it is used all the same', 'asks for the approval mode yolo, which only a flag can (--yolo).'],
    ],
    ['a flag asks for yolo', {flags: {'general.defaultApprovalMode': 'yolo'}}, 'yolo', []],
    ['the project asks for plan', inProject(mode('plan')), 'plan', []],
    [
      'the project asks for auto_edit',
      inProject(mode('auto_edit')),
      'default',
      ['asks for the approval mode auto_edit, which a project cannot.'],
    ],
    [
      'the project asks for plan and the user for auto_edit',
      {...inProject(mode('plan')), ...inUser(mode('auto_edit'))},
      'plan',
      [],
    ],
    [
      'the project asks for auto_edit and the user for plan',
      {...inProject(mode('auto_edit')), ...inUser(mode('plan'))},
      'plan',
      ['which a project cannot.'],
    ],
    [
      'plan is turned off',
      inUser({general: {defaultApprovalMode: 'plan', plan: {enabled: false}}}),
      'default',
      ['which general.plan.enabled has turned off.'],
    ],
    [
      'the folder is not trusted and a flag asks for yolo',
      {
        variables: {...variables, GEMINI_CLI_TRUST_WORKSPACE: ''},
        confirm: 'no',
        flags: {'general.defaultApprovalMode': 'yolo'},
      },
      'default',
      [],
    ],
  ])('when %s [policy.mode]', async (_, options, expected, said) => {
    await using kernel = await open(options);
    expect({mode: kernel.session.info.mode, warnings: kernel.warnings}).toEqual({
      mode: expected,
      warnings: said.map((part) => expect.stringContaining(part)),
    });
  });

  test.each([
    ['the user', inUser({security: {disableYoloMode: true}})],
    ['the project', inProject({security: {disableYoloMode: true}})],
  ])('is not yolo where %s ruled it out [policy.yolo]', async (_, options) => {
    await expect(open({...options, flags: {'general.defaultApprovalMode': 'yolo'}})).rejects.toMatchObject({
      code: 'YOLO_DISABLED',
    });
  });
});

describe('a mode that changes while a session runs', () => {
  test('is one of those there are, and not one that settings rule out [session.mode]', async () => {
    await using kernel = await open(inUser({security: {disableYoloMode: true}}));
    await kernel.session.setMode('plan');
    expect(await kernel.call('write_file', {file_path: 'a', content: 'x'})).toMatchObject({status: 'refused'});
    await expect(kernel.session.setMode('swift')).rejects.toMatchObject({
      code: 'MODE_UNKNOWN',
      hint: 'It is one of plan, default, auto_edit, yolo.',
    });
    await expect(kernel.session.setMode('yolo')).rejects.toMatchObject({code: 'YOLO_DISABLED'});
    expect(kernel.session.info.mode).toBe('plan');
  });

  test('never allows a session more than the one that opened it had [places.parent]', async () => {
    await using kernel = await open(inUser(mode('auto_edit')));
    await kernel.session.setMode('plan');
    const child = kernel.kernel.open({parent: kernel.session, mode: 'yolo'});
    expect(await child.call({tool: 'write_file', input: {file_path: 'a', content: 'x'}})).toMatchObject({
      status: 'refused',
    });
    expect(child.info.mode).toBe('plan');
    await expect(child.setMode('default')).rejects.toMatchObject({code: 'MODE_TOO_LOOSE'});
  });
});

describe('an approval', () => {
  const call = (kernel: TestKernel, name: string) =>
    kernel.session.describe({tool: 'write_file', input: {file_path: name, content: 'x'}});
  const decide = async (kernel: TestKernel, name: string) =>
    (await (await kernel.service('policy')).judge(await call(kernel, name))).decision;
  const isKept = (kernel: TestKernel) => existsSync(join(kernel.home, '.gemini', 'policies', 'auto-saved.toml'));

  test.each<readonly [string, Partial<TestKernelOptions>, 'session' | 'always', boolean, boolean]>([
    ['for the session', {}, 'session', true, false],
    ['for good', {}, 'always', true, true],
    [
      'for good, where the user keeps none',
      inUser({security: {enablePermanentToolApproval: false}}),
      'always',
      true,
      false,
    ],
    [
      'for good, where the project wants none kept',
      inProject({security: {enablePermanentToolApproval: false}}),
      'always',
      true,
      false,
    ],
    [
      'for good, where the user has turned it off',
      inUser({security: {disableAlwaysAllow: true}}),
      'always',
      false,
      false,
    ],
    [
      'for good, where the project has turned it off',
      inProject({security: {disableAlwaysAllow: true}}),
      'always',
      false,
      false,
    ],
  ])('%s holds for what was approved and nothing else [policy.always]', async (_, options, until, holds, kept) => {
    await using kernel = await open({confirm: 'yes', ...options});
    expect(await decide(kernel, 'a.txt')).toBe('ask');
    await (await kernel.service('policy')).remember(await call(kernel, 'a.txt'), until);
    expect({same: await decide(kernel, 'a.txt'), other: await decide(kernel, 'b.txt'), kept: isKept(kernel)}).toEqual({
      same: holds ? 'allow' : 'ask',
      other: 'ask',
      kept,
    });
    expect(kernel.warnings).toEqual(
      holds ? [] : ['The approval holds this once only: the setting security.disableAlwaysAllow is on.'],
    );
  });

  test('that was kept earlier does not hold while "always" is turned off [policy.always]', async () => {
    await using kernel = await open({confirm: 'yes'});
    await (await kernel.service('policy')).remember(await call(kernel, 'a.txt'), 'always');
    const saved = await readFile(join(kernel.home, '.gemini', 'policies', 'auto-saved.toml'), 'utf8');
    const there = saved.replaceAll(kernel.project, '**');
    await using other = await open({confirm: 'yes', homeFiles: {'.gemini/policies/auto-saved.toml': there}});
    await using off = await open({
      confirm: 'yes',
      homeFiles: {
        '.gemini/policies/auto-saved.toml': there,
        '.gemini/settings.json': '{"security": {"disableAlwaysAllow": true}}',
      },
    });
    expect([await decide(other, 'a.txt'), await decide(off, 'a.txt')]).toEqual(['allow', 'ask']);
  });

  const savedIn = (kernel: TestKernel) =>
    readFile(join(kernel.home, '.gemini', 'policies', 'auto-saved.toml'), 'utf8').catch(() => undefined);

  test.each<readonly [string, string]>([
    ['of one command', 'npm run lint'],
    ['of several commands', 'touch a.txt && npm run lint > out.txt'],
    ['of an exact line', 'node --eval "print(1)"'],
  ])('%s keeps, byte for byte, the rules that its choice shows [policy.shown]', async (_, command) => {
    await using kernel = await open();
    const run = (remember: 'session' | 'always', shown: ApprovalChoice[]) =>
      kernel.session.call(
        {tool: 'run_shell_command', input: {command}},
        {
          confirm: ({choices}) => {
            shown.push(...choices);
            return Promise.resolve({decision: 'yes', remember});
          },
        },
      );
    const shown: ApprovalChoice[] = [];
    await run('always', shown);
    const file = join(kernel.home, '.gemini', 'policies', 'auto-saved.toml');
    const rules = (await savedIn(kernel)) ?? '';
    expect(rules).toContain('[[rule]]');
    expect(shown.map(({value, keeps}) => ({value, keeps}))).toEqual([
      {value: 'yes', keeps: undefined},
      {value: 'session', keeps: {rules, scope: 'session'}},
      {value: 'always', keeps: {rules, scope: 'user', file}},
      {value: 'no', keeps: undefined},
    ]);
    // It holds from now on, so no question comes.
    await run('session', shown);
    expect(shown).toHaveLength(4);
  });

  test.each<readonly [string, Partial<TestKernelOptions>, string, readonly (string | undefined)[]]>([
    [
      'a line that only running could tell',
      {},
      'echo $(date) > "$(date)"',
      ['no rule would be narrow enough.', 'no rule would be narrow enough.'],
    ],
    [
      'a setting that keeps nothing for good',
      inUser({security: {enablePermanentToolApproval: false}}),
      'npm run lint',
      [undefined, 'the setting security.enablePermanentToolApproval is off.'],
    ],
    [
      'a setting that keeps nothing',
      inProject({security: {disableAlwaysAllow: true}}),
      'npm run lint',
      ['the setting security.disableAlwaysAllow is on.', 'the setting security.disableAlwaysAllow is on.'],
    ],
  ])('that cannot be kept says why: %s [policy.shown]', async (_, options, command, reasons) => {
    await using kernel = await open(options);
    const described = await kernel.session.describe({tool: 'run_shell_command', input: {command}});
    const choices = await (await kernel.service('policy')).choices(described);
    expect(choices.map(({unavailable}) => unavailable)).toEqual(reasons);
    expect(choices.map(({keeps}) => keeps === undefined)).toEqual(reasons.map((reason) => reason !== undefined));
  });

  test('whose rule is not the one that was shown is not kept [policy.shown]', async () => {
    await using kernel = await open({confirm: 'yes'});
    await (await kernel.service('policy')).remember(await call(kernel, 'a.txt'), 'always', '[[rule]]\n');
    expect([await decide(kernel, 'a.txt'), isKept(kernel), kernel.warnings]).toEqual([
      'ask',
      false,
      ['The approval holds this once only: its rule is no longer the one that was shown.'],
    ]);
  });

  test('of what a sensitive rule asks about lifts it for that file only [policy.always]', async () => {
    await using kernel = await open({confirm: 'yes'});
    expect(await decide(kernel, 'package.json')).toBe('ask');
    await (await kernel.service('policy')).remember(await call(kernel, 'package.json'), 'session');
    expect([
      await decide(kernel, 'package.json'),
      await decide(kernel, 'lib/package.json'),
      await decide(kernel, '.env'),
    ]).toEqual(['allow', 'ask', 'deny']);
  });
});

describe('a session', () => {
  test('does not offer the model what rules deny whatever it is given [policy.offered]', async () => {
    await using kernel = await open({
      confirm: 'yes',
      ...inUser({tools: {exclude: ['write_file', 'run_shell_command(rm)']}}),
    });
    const names = (await kernel.session.offered()).map(({name}) => name);
    expect({
      write: names.includes('write_file'),
      shell: names.includes('run_shell_command'),
      read: names.includes('read_file'),
    }).toEqual({write: false, shell: true, read: true});
  });

  test.each([
    ['a rule file that a flag names and that is not there', {policyPaths: ['gone.toml']}, 'POLICY_UNREADABLE'],
    ['a rule file of the administrator that is not there', {adminPolicyPaths: ['gone.toml']}, 'POLICY_ADMIN_BROKEN'],
    ['a rule file of the administrator that is broken', {adminPolicyPaths: ['broken.toml']}, 'POLICY_ADMIN_BROKEN'],
  ])('does not begin with %s [policy.named-files]', async (_, flags, code) => {
    await expect(open({flags, files: {'broken.toml': '[[rule]\n'}})).rejects.toMatchObject({code});
  });

  test('starts a process in the background, lists it and reads what it printed, each judged [policy.modes]', async () => {
    await using kernel = await open({confirm: 'yes'});
    const started = await kernel.call('run_shell_command', {
      command: 'echo ready; sleep 60',
      is_background: true,
      delay_ms: 300,
    });
    const {pid} = started.status === 'done' ? (started.result.data as {pid: number}) : {pid: 0};
    const judged = kernel.kernel.trace.of(started.callId).map(({hook, plugin, answer}) => ({hook, plugin, answer}));
    expect(judged).toContainEqual({
      hook: 'tool:judge',
      plugin: '@gemini-kernel/plugin-policy',
      answer: expect.objectContaining({decision: 'ask'}),
    });
    expect(await kernel.call('list_background_processes', {})).toMatchObject({
      status: 'done',
      result: {model: `- [PID ${pid}] RUNNING: \`echo ready; sleep 60\``},
    });
    const output = await kernel.call('read_background_output', {pid});
    expect(output).toMatchObject({status: 'done', result: {model: expect.stringContaining('ready')}});
  });
});

test('a rule holds in a directory that the session is given later [policy.paths]', async () => {
  const rule = '[[rule]]\ntoolName = "read_file"\npath = "secret/**"\ndecision = "deny"\npriority = 1\n';
  await using kernel = await open({
    homeFiles: {'.gemini/policies/a.toml': rule, 'lib/secret/a.txt': 'a', 'lib/b.txt': 'b'},
    confirm: 'yes',
  });
  const lib = join(kernel.home, 'lib');
  const read = async (name: string): Promise<string> =>
    (await kernel.call('read_file', {file_path: join(lib, name)})).status;
  await (await kernel.service('policy')).rules();
  await (await kernel.service('workspace')).add([lib], {scope: 'session'});
  expect([await read('b.txt'), await read('secret/a.txt')]).toEqual(['done', 'refused']);
});

describe('the rules of an approval', () => {
  test.each([
    ['touch', 'tou', 'RULE_NOT_NARROWER'],
    ['touch', '', 'RULE_NOT_NARROWER'],
    ['touch', 'touch b', 'RULE_NOT_NARROWER'],
    ['touch', 'touch a', 'touch a'],
    ['touch', '  touch   a ', 'touch a'],
    ['touch', 'touch', 'touch'],
    ['touch', 'touch a"\ndecision = "allow', 'RULE_NOT_NARROWER'],
  ])('with "%s" become "%s": %s [tui.limit]', async (_, given, expected) => {
    const calls: ToolCall[] = [];
    await using kernel = await open();
    const policy = await kernel.service('policy');
    await kernel.session.call(
      {tool: 'run_shell_command', input: {command: 'touch a b'}},
      {
        confirm: ({call: one}) => {
          calls.push(one);
          return Promise.resolve({decision: 'no'});
        },
      },
    );
    const [asked] = calls;
    if (!asked) throw new Error('It was not asked about.');
    const narrowed = policy.narrow(asked, [given]);
    if (expected === 'RULE_NOT_NARROWER') {
      await expect(narrowed).rejects.toMatchObject({code: expected});
      return;
    }
    expect((await narrowed)[0]?.keeps?.rules).toContain(`commandPrefix = "${expected}"`);
    await policy.remember(asked, 'session', (await policy.choices(asked))[0]?.keeps?.rules);
    const rules = (await policy.rules()).rules.filter(({source}) => source.tier === 'session');
    expect(rules.map(({command}) => command)).toEqual([{prefix: expected}]);
  });
});
