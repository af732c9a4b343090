import {mkdir, readFile, realpath, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {createTestKernel, type TestKernelOptions} from '@gemini-kernel/kernel/testing';
import type {} from '@gemini-kernel/plugin-settings/contract';
import type {TrustLevel} from '@gemini-kernel/plugin-trust/contract';
import {listenerCode, makeFolder, makePlugin} from '../../helpers/make-plugin.js';
import {pluginRoot} from '../../helpers/plugin-root.js';
import {runGemini} from '../../helpers/run-gemini.js';
import {contributions} from '#plugins/trust/dist/contributions.js';
import {findRule, keyOf, resolveRules, rulesOf} from '#plugins/trust/dist/trust-rules.js';

const plugins = ['settings', 'trust'].map(pluginRoot);
const open = (options: Partial<TestKernelOptions> = {}) => createTestKernel({plugins, confirm: 'yes', ...options});

describe('whether a folder is trusted', () => {
  test.each([
    ['nothing decides about it', {}, undefined, {trusted: false, source: 'none'}],
    ['a rule names it', {}, 'TRUST_FOLDER', {trusted: true, source: 'rule'}],
    ['a rule names what lies beside it', {}, 'TRUST_PARENT', {trusted: true, source: 'rule'}],
    ['a rule refuses it', {}, 'DO_NOT_TRUST', {trusted: false, source: 'rule'}],
    [
      'a variable refuses it',
      {GEMINI_CLI_TRUST_WORKSPACE: 'false'},
      'TRUST_FOLDER',
      {trusted: false, source: 'variable'},
    ],
    ['a variable trusts it', {GEMINI_CLI_TRUST_WORKSPACE: 'true'}, 'DO_NOT_TRUST', {trusted: true, source: 'variable'}],
    [
      'a restricted start',
      {GEMINI_RESTRICTED_MODE: 'true', GEMINI_CLI_TRUST_WORKSPACE: 'true'},
      'TRUST_FOLDER',
      {trusted: false, source: 'variable'},
    ],
  ])('when %s [trust.decided]', async (_, variables, level, expected) => {
    await using folder = await makeFolder();
    const file = join(folder.path, 'trust.json');
    await using kernel = await open({variables: {...variables, GEMINI_CLI_TRUSTED_FOLDERS_PATH: file}});
    if (level) await writeFile(file, JSON.stringify({[kernel.project]: level}));
    expect(await (await kernel.service('trust')).explain('.')).toMatchObject({folder: kernel.project, ...expected});
  });

  test.each([
    ['a setting', {}, {trusted: false, source: 'doubt', reason: 'It looks odd.'}],
    ['what the person says for this once', {GEMINI_CLI_TRUST_WORKSPACE: 'true'}, {trusted: true, source: 'variable'}],
  ])(
    'a plugin that doubts it counts against %s as far as that goes; no plugin makes it trusted [trust.doubt]',
    async (_, variables, expected) => {
      await using folder = await makeFolder();
      const doubter = (name: string, answer: string) =>
        makePlugin(folder.path, {
          name,
          listeners: [{hook: 'trust:doubt', module: './doubt.js'}],
          files: {'doubt.js': listenerCode('trust:doubt', `return ${answer};`)},
        });
      const fan = await doubter('fan', "{decision: 'allow', reason: 'Fine.'}");
      await using kernel = await open({
        variables,
        flags: {'security.folderTrust.enabled': false},
        plugins: [...plugins, fan, await doubter('doubter', "{decision: 'deny', reason: 'It looks odd.'}")],
      });
      await using loose = await open({plugins: [...plugins, fan]});
      const trust = await kernel.service('trust');
      expect([
        await trust.state(),
        await trust.may('settings'),
        (await (await loose.service('trust')).state()).trusted,
      ]).toMatchObject([expected, expected.trusted, false]);
    },
  );

  test('the switch counts from everywhere but the project itself [trust.not-by-project]', async () => {
    const off = JSON.stringify({security: {folderTrust: {enabled: false}}});
    await using byProject = await open({files: {'.gemini/settings.json': off}});
    await using byUser = await open({homeFiles: {'.gemini/settings.json': off}});
    await using byFlag = await open({flags: {'security.folderTrust.enabled': false}});
    const states = await Promise.all(
      [byProject, byUser, byFlag].map(async (kernel) => (await (await kernel.service('trust')).state()).trusted),
    );
    expect(states).toEqual([false, true, true]);
  });

  test.each([
    ['/a', 'TRUST_FOLDER', '/a/b', true],
    ['/a', 'TRUST_FOLDER', '/ab', undefined],
    ['/a/b', 'TRUST_PARENT', '/a/c', true],
    ['/', 'TRUST_FOLDER', '/anything', true],
    ['/a', 'DO_NOT_TRUST', '/a/b', false],
  ])('the rule for %s with %s says of %s: %s [trust.rules]', async (path, level, folder, trusted) => {
    const found = findRule(resolveRules([{path, level: level as TrustLevel}], 'linux'), folder, 'linux');
    expect(found && found.level !== 'DO_NOT_TRUST').toBe(trusted);
  });

  test('of several rules the one with the longest path decides; of equals the one that refuses [trust.rules]', async () => {
    const rules = resolveRules(
      [
        {path: '/a', level: 'DO_NOT_TRUST'},
        {path: '/a/b', level: 'TRUST_FOLDER'},
        {path: '/a/b', level: 'DO_NOT_TRUST'},
      ],
      'linux',
    );
    expect(['/a/x', '/a/b/c'].map((path) => findRule(rules, path, 'linux')?.level)).toEqual([
      'DO_NOT_TRUST',
      'DO_NOT_TRUST',
    ]);
    expect(findRule(rules.slice(0, 2), '/a/b/c', 'linux')?.level).toBe('TRUST_FOLDER');
  });

  test('links are followed on both sides [trust.rules]', async () => {
    await using folder = await makeFolder();
    await mkdir(join(folder.path, 'real'));
    await symlink(join(folder.path, 'real'), join(folder.path, 'link'));
    const rules = resolveRules([{path: join(folder.path, 'link'), level: 'TRUST_FOLDER'}], 'linux');
    expect(findRule(rules, join(await realpath(folder.path), 'real', 'x'), 'linux')?.level).toBe('TRUST_FOLDER');
  });

  test.each([
    ['win32', 'C:\\Code\\App', 'c:/code/app', 'c:\\code\\app\\src'],
    ['darwin', '/Users/A/Code', '/users/a/code', '/Users/a/CODE/src'],
    ['linux', '/home/A', '/home/A', '/home/A/src'],
  ] as const)('on %s the key of %s is %s and holds %s', async (platform, path, key, inside) => {
    expect(keyOf(path, platform)).toBe(key);
    expect(findRule(resolveRules([{path: key, level: 'TRUST_FOLDER'}], platform), inside, platform)?.level).toBe(
      'TRUST_FOLDER',
    );
  });
});

describe('what an untrusted folder may contribute', () => {
  test('is nothing that acts on its own: the whole table [trust.table]', () => {
    expect(Object.entries(contributions).filter(([, {untrusted}]) => untrusted)).toEqual([]);
    expect(Object.keys(contributions)).toEqual([
      'settings',
      'policies',
      'env-file',
      'context-files',
      'commands',
      'agents',
      'skills',
      'hooks',
      'mcp-servers',
      'extension-servers',
      'approval-modes',
      'shell-defaults',
    ]);
  });

  test.each([
    [{}, 'GEMINI.md', ['do not count']],
    [{GEMINI_CLI_TRUST_WORKSPACE: 'true'}, 'EVIL.md', []],
  ])('with %j its settings give %s [trust.settings]', async (variables, fileName, said) => {
    await using kernel = await open({
      variables,
      files: {'.gemini/settings.json': '{"context": {"fileName": "EVIL.md"}}'},
    });
    expect(await (await kernel.service('settings')).get('context.fileName')).toBe(fileName);
    expect(kernel.warnings).toEqual(said.map((part) => expect.stringContaining(part)));
  });

  test('a setting that is written there is said not to count [trust.settings]', async () => {
    await using kernel = await open();
    const settings = await kernel.service('settings');
    await settings.set('ui.theme', 'x', {scope: 'project'});
    await settings.set('ui.theme', 'y', {scope: 'project'});
    expect([kernel.warnings, await settings.get('ui.theme')]).toEqual([
      [expect.stringContaining('do not count')],
      undefined,
    ]);
  });

  test('not even a settings file that cannot be read keeps the program from starting there [trust.settings]', async () => {
    await using kernel = await open({files: {'.gemini/settings.json': '{broken'}});
    expect(await (await kernel.service('settings')).get('context.fileName')).toBe('GEMINI.md');
  });

  test('nor can it be begun in without a person [trust.headless]', async () => {
    await expect(createTestKernel({plugins})).rejects.toMatchObject({
      code: 'FOLDER_UNTRUSTED',
      hint: 'Trust it with gemini trust add, or pass --skip-trust for one run.',
    });
  });
});

describe('trustedFolders.json', () => {
  test('is written for its owner only, with comments and order kept [trust.file]', async () => {
    await using kernel = await open({
      homeFiles: {'.gemini/trustedFolders.json': '{\n  // mine\n  "/a": "TRUST_FOLDER"\n}\n'},
    });
    const trust = await kernel.service('trust');
    await trust.set('.', 'TRUST_FOLDER');
    expect(await readFile(join(kernel.home, '.gemini/trustedFolders.json'), 'utf8')).toBe(
      `{\n  // mine\n  "/a": "TRUST_FOLDER",\n  "${kernel.project}": "TRUST_FOLDER"\n}\n`,
    );
    expect(await trust.state()).toMatchObject({trusted: true});
    await trust.set('.', undefined);
    expect((await trust.list()).rules).toEqual([{path: '/a', level: 'TRUST_FOLDER'}]);
  });

  test.each([
    ['{"/a": "TRUST"}', {code: 'TRUST_FILE_INVALID', message: expect.stringContaining('gives /a the level "TRUST".')}],
    ['{"/a": 1}', {code: 'TRUST_FILE_INVALID', hint: 'A level is one of TRUST_FOLDER, TRUST_PARENT, DO_NOT_TRUST.'}],
    ['[]', {code: 'SETTINGS_BROKEN'}],
    ['{', {code: 'SETTINGS_BROKEN', message: expect.stringContaining('line 1, column 2')}],
  ])('with %s is an error that names the place [trust.file]', async (text, error) => {
    await expect(open({homeFiles: {'.gemini/trustedFolders.json': text}})).rejects.toMatchObject(error);
  });

  test('reads the levels as they are written', () => {
    expect(rulesOf({'/a': 'TRUST_PARENT'}, 'f')).toEqual([{path: '/a', level: 'TRUST_PARENT'}]);
  });
});

describe('gemini trust', () => {
  test('add, list, explain and remove speak of the current folder [trust.commands]', async () => {
    await using folder = await makeFolder();
    const [cwd, home] = [join(folder.path, 'project'), join(folder.path, 'home')];
    await Promise.all([mkdir(cwd), mkdir(home)]);
    const run = (...args: string[]) =>
      runGemini(['trust', ...args], {cwd, home, variables: {GEMINI_CLI_TRUST_WORKSPACE: ''}});
    expect((await run('explain')).stdout).toContain(
      `${cwd} is not trusted.\nNo rule trusts ${cwd}.\nWhat it brings along does not count:\n`,
    );
    expect(await run('add')).toEqual({code: 0, stdout: `${cwd} is trusted from now on.\n`, stderr: ''});
    expect((await run('list')).stdout).toContain(`TRUST_FOLDER  ${cwd}  (decides here)\n`);
    expect(JSON.parse((await run('explain', '--json')).stdout)).toMatchObject({
      folder: cwd,
      trusted: true,
      source: 'rule',
      mayNotContribute: [],
    });
    expect((await run('add', '--deny')).stdout).toBe(`${cwd} is not trusted from now on.\n`);
    expect((await run('remove')).stdout).toContain(`says nothing about ${cwd} any more. It is not trusted.\n`);
  });

  test('add of what is no folder is an error with the path [trust.commands]', async () => {
    await using folder = await makeFolder();
    const {code, stderr} = await runGemini(['trust', 'add', 'gone'], {cwd: folder.path, home: folder.path});
    expect({code, stderr}).toEqual({
      code: 42,
      stderr:
        `Error: ${join(folder.path, 'gone')} does not exist.\nGive the path of a folder; without one the current ` +
        `folder is meant.\n`,
    });
  });

  test.each([
    [[], 55, ''],
    [['--json'], 55, 'FOLDER_UNTRUSTED'],
    [['--skip-trust', '--yes'], 0, 'hello'],
  ])('a call of a tool without a person, with %j, ends with code %i [trust.headless]', async (flags, code, said) => {
    await using folder = await makeFolder();
    await writeFile(join(folder.path, 'a.txt'), 'hello');
    const result = await runGemini(['tools', 'call', 'read_file', 'file_path=a.txt', ...flags], {
      cwd: folder.path,
      home: folder.path,
      variables: {GEMINI_CLI_TRUST_WORKSPACE: ''},
    });
    expect({code: result.code, said: result.stdout.includes(said)}).toEqual({code, said: true});
  });
});
