import {mkdir, symlink} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {createTestKernel, type TestKernel, type TestKernelOptions} from '@gemini-kernel/kernel/testing';
import type {Mode} from '@gemini-kernel/plugin-policy/contract';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import {hostInstalls, placesBelow} from '../helpers/host-services.js';
import {pluginRoot} from '../helpers/plugin-root.js';

const plugins = ['settings', 'trust', 'workspace', 'filesystem', 'policy', 'secrets', 'shell'].map(pluginRoot);
const variables = {GEMINI_CLI_TRUST_WORKSPACE: 'true', PATH: process.env['PATH']};

interface Session extends AsyncDisposable {
  readonly kernel: TestKernel;
  /** How a call is judged in a mode, with and without a person. HOME, DATA and CACHE stand for folders. */
  judge(tool: string, input: Readonly<Record<string, string>>, mode: Mode): Promise<string>;
}

async function open(options: Partial<TestKernelOptions> = {}): Promise<Session> {
  const kernel = await createTestKernel({
    plugins,
    services: [hostInstalls],
    variables,
    files: {'a.txt': 'a', 'src/b.ts': 'b'},
    ...options,
    confirm: 'yes',
  });
  const {home} = kernel;
  await mkdir(join(home, '.gemini'), {recursive: true});
  await mkdir(join(kernel.project, '.gemini'), {recursive: true});
  // So that the workspace has no objection.
  await (await kernel.service('workspace')).add([join(home, '..')], {scope: 'session'});
  const {environment} = kernel.kernel;
  const installs = placesBelow(join(home, '..'), kernel.project);
  const fill = (text: string): string =>
    text
      .replaceAll('HOME', home)
      .replaceAll('DATA', join(installs.user.lock, '..'))
      .replaceAll('CACHE', environment.cacheDir)
      .replaceAll('PROGRAM', installs.program);
  return {
    kernel,
    async judge(tool, input, mode) {
      const call = await kernel.session.describe({
        tool,
        input: Object.fromEntries(Object.entries(input).map(([key, value]) => [key, fill(value)])),
      });
      const policy = await kernel.service('policy');
      const [there, alone] = [
        await policy.explain(call, {mode, interactive: true}),
        await policy.explain(call, {mode, interactive: false}),
      ];
      return there.decision === alone.decision ? there.decision : `${there.decision}, alone ${alone.decision}`;
    },
    [Symbol.asyncDispose]: () => kernel[Symbol.asyncDispose](),
  };
}

const modes = ['default', 'auto_edit', 'yolo'] as const;

describe('a file that gemini itself obeys', () => {
  const places = [
    'HOME/.gemini/settings.json',
    'HOME/.gemini/GEMINI.md',
    'HOME/.gemini/trustedFolders.json',
    'HOME/.gemini/policies/a.toml',
    'HOME/.gemini/commands/a.toml',
    'HOME/.gemini/agents/a.md',
    'HOME/.gemini/skills/a/SKILL.md',
    'HOME/.gemini/extensions/x/gemini-extension.json',
    'HOME/.gemini/tmp/p/chats/session-1.jsonl',
    'HOME/.gemini/tmp/p/checkpoints/log.jsonl',
    'HOME/.gemini/tmp/p/plans/hook.sh',
    'HOME/.gemini/projects.json',
    'DATA/plugins.lock.json',
    'DATA/store/x/node_modules/x/index.js',
    'DATA/bundles/mine/bundle.lock.json',
    'DATA/bundles/memory.json',
    'DATA/catalog.json',
    'CACHE/v8/x',
    '.gemini/settings.json',
    '.gemini/plugins.lock.json',
    '.gemini/policies/a.toml',
    '.gemini/GEMINI.md',
  ];
  test.each(places)('%s is asked about in every mode, whatever writes it [authority.own-places]', async (place) => {
    await using session = await open();
    const lines = [
      `echo x > ${place}`,
      `cp a.txt ${place}`,
      `tee ${place} < a.txt`,
      `rm ${place}`,
      `ln -sf a.txt ${place}`,
      `mv a.txt ${place}`,
      `cd /; cp a.txt ${place.startsWith('.') ? `${session.kernel.project}/${place}` : place}`,
    ];
    for (const mode of modes) {
      expect([mode, place, await session.judge('write_file', {file_path: place, content: 'x'}, mode)]).toEqual([
        mode,
        place,
        expect.stringMatching(/^ask(?:, alone deny)?$/),
      ]);
    }
    for (const line of lines)
      expect([line, await session.judge('run_shell_command', {command: line}, 'yolo')]).toEqual([line, 'ask']);
  });
});

test.each([
  'rm -rf HOME',
  'rm -rf HOME/.gemini',
  'mv HOME/.gemini HOME/old',
  'mv HOME /tmp/x',
  'cp -r evil HOME/.gemini',
  'cp -r .gemini HOME/',
  'cp -r evil/. HOME',
  'cp evil/.* HOME',
  'cp -t HOME/.gemini settings.json',
  'cp --target-directory=HOME/.gemini a.txt',
  'rsync -a evil/ HOME/',
  'rsync -a .gemini HOME',
  'install -D a.txt HOME/.gemini/x',
  'install -t HOME/.gemini a.txt',
  'ln -s HOME/.gemini x',
  'ln -s HOME x',
  'ln -sfn evil HOME/.gemini',
  'ln a.txt -t HOME/.gemini',
  'tar xf a.tgz -C HOME',
  'tar -xzf a.tgz',
  'tar --extract -f a.tar --directory=HOME',
  'unzip a.zip -d HOME',
  'unzip a.zip',
  'tar xf a.tgz -C build',
  'unzip a.zip -d out',
  'patch -p1 -i a.diff',
  'git apply a.diff',
  'chmod -R 777 HOME',
  'chown -R x HOME/.gemini',
  'find HOME -delete',
  'cpio -idm',
  'rm -rf .',
  'rm -rf .gemini',
  'mv evil/.gemini .',
  'cp -r evil/.gemini .',
  'rm -rf DATA/..',
  'mv x DATA',
  'bash -c "cp a.txt HOME/.gemini/"',
  'cd HOME && cp -r evil/.gemini .',
  'sudo rm -rf HOME/.gemini',
  'mount --bind evil HOME/.gemini',
])('%s is asked in yolo [authority.own-places]', async (line) => {
  await using session = await open();
  expect(await session.judge('run_shell_command', {command: line}, 'yolo')).toBe('ask');
});

test.each([
  'cp a.txt b.txt',
  'cp a.txt .',
  'cp src/*.ts .',
  'cp -r src lib',
  'cp -r src/. lib',
  'mv a.txt src/',
  'mv src lib',
  'rm -rf src',
  'rm -rf build dist',
  'ln -s a.txt b.txt',
  'tar czf a.tgz src',
  'rsync -a src/ out/',
  'install -m 755 a.txt bin/a',
  'mkdir -p out',
  'touch a',
  'chmod +x a.txt',
  'cat HOME/.gemini/settings.json',
  'ls HOME/.gemini',
  'cp HOME/.gemini/GEMINI.md notes.md',
  'git checkout main',
  'find . -name "*.o"',
  'cp *.md docs',
  'echo gemini',
  'grep -r gemini .',
])('%s needs no question in yolo [authority.own-places]', async (line) => {
  await using session = await open();
  expect(await session.judge('run_shell_command', {command: line}, 'yolo')).toBe('allow');
});

test('a link to such a place is such a place [authority.own-places]', async () => {
  await using session = await open();
  await symlink(join(session.kernel.home, '.gemini'), join(session.kernel.project, 'harmless'));
  expect(await session.judge('write_file', {file_path: 'harmless/settings.json', content: '{}'}, 'auto_edit')).toMatch(
    /^ask/,
  );
  expect(await session.judge('run_shell_command', {command: 'cp a.txt harmless/settings.json'}, 'yolo')).toBe('ask');
  expect(await session.judge('run_shell_command', {command: 'cp a.txt harmless'}, 'yolo')).toBe('ask');
});

test('plans are written in plan mode, and nothing else below .gemini [authority.own-places]', async () => {
  await using session = await open();
  const judge = (file: string): Promise<string> => session.judge('write_file', {file_path: file, content: 'x'}, 'plan');
  expect([
    await judge('HOME/.gemini/tmp/p/plans/a.md'),
    await judge('HOME/.gemini/tmp/p/s/plans/a.md'),
    await judge('HOME/.gemini/tmp/p/plans/a.sh'),
    await judge('HOME/.gemini/tmp/p/GEMINI.md'),
  ]).toEqual(['allow', 'allow', 'deny', 'deny']);
});

test('what settings and variables name is such a place [authority.own-places]', async () => {
  const lock = {lockVersion: 1, serial: 1, plugins: {}};
  await using session = await open({
    variables: {...variables, GEMINI_CLI_TRUSTED_FOLDERS_PATH: '/srv/trust.json'},
    homeFiles: {
      'rules/a.toml': '',
      '.gemini/settings.json': JSON.stringify({
        policyPaths: ['~/rules'],
        security: {checkers: {audit: {command: '/srv/audit', args: ['/srv/audit.cfg']}}},
      }),
      'unused.json': JSON.stringify(lock),
    },
  });
  const [rule] = (await (await session.kernel.service('policy')).rules()).rules.filter(({id}) => id === 'own-places');
  expect(rule?.holds).toEqual(
    expect.arrayContaining([join(session.kernel.home, 'rules'), '/srv/audit', '/srv/audit.cfg', '/srv/trust.json']),
  );
});

describe('our own program, run by the agent', () => {
  test.each([
    'gemini trust add /',
    'gemini plugins link . --yes',
    'gemini plugins install x',
    'gemini bundle apply x.bundle',
    'gemini settings set tools.allowed x',
    'gemini directory add /',
    'gemini -p hello',
    'gemini "do it" -y',
    'gemini',
    'gemini policy list --policy a.toml',
    'npx gemini trust add /',
    'npx @google/gemini-cli -y',
    'node PROGRAM/bin/gemini.cjs trust add /',
    'PROGRAM/bin/gemini.cjs trust add .',
    './node_modules/.bin/gemini trust add .',
    'env A=b gemini trust add .',
    'bash -c "gemini trust add ."',
    'gemini $x',
    'npm exec gemini -- trust add /',
    'gemini sessions restore 3',
    'gemini mcp add x',
    'echo . | xargs gemini trust add',
  ])('%s is asked in yolo [authority.own-commands]', async (line) => {
    await using session = await open();
    expect(await session.judge('run_shell_command', {command: line}, 'yolo')).toBe('ask');
  });

  test.each([
    'gemini --version',
    'gemini policy check',
    'gemini trust list',
    'gemini settings get tools',
    'npx gemini --help',
    'grep gemini a.txt',
    'cat gemini',
    'node gemini-test.js',
  ])('%s needs no question in yolo [authority.own-commands]', async (line) => {
    await using session = await open();
    expect(await session.judge('run_shell_command', {command: line}, 'yolo')).toBe('allow');
  });
});
