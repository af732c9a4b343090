import {chmod, mkdir, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {hashTree} from '@gemini-kernel/admission';
import type {ExtensionInfo} from '@gemini-kernel/plugin-extensions/contract';
import type {TestKernel} from '@gemini-kernel/kernel/testing';
import {findContextFiles} from '#plugins/extensions/dist/manifest/find-context-files.js';
import {onPosix} from '../../helpers/where.js';
import {hostBundles} from '../../helpers/host-services.js';
import {extension, makeFolder, shared, startWith, writeFiles} from './scene.js';

async function listOf(kernel: TestKernel): Promise<readonly ExtensionInfo[]> {
  return (await kernel.service('extensions')).list();
}

const enabled = (overrides: readonly string[]): Readonly<Record<string, string>> => ({
  '.gemini/extensions/extension-enablement.json': JSON.stringify({one: {overrides}}),
});

describe('what Gemini CLI installed', () => {
  test('is used where it lies [extensions.shared]', async () => {
    await using kernel = await startWith({
      ...shared('one', extension({name: 'one', description: 'The first.'}, {'GEMINI.md': 'Be kind.'})),
      '.gemini/extensions/one/.gemini-extension-install.json': '{"source": "https://example.com/one", "type": "git"}',
    });
    const folder = join(kernel.home, '.gemini', 'extensions', 'one');
    expect(await listOf(kernel)).toEqual([
      {
        name: 'one',
        version: '1.0.0',
        description: 'The first.',
        folder,
        source: {type: 'git', location: 'https://example.com/one'},
        state: 'unlocked',
        brings: expect.objectContaining({contextFiles: [join(folder, 'GEMINI.md')]}) as unknown,
      },
    ]);
    const source = await kernel.service('context:extensions');
    expect(await source.list()).toEqual([{place: 'start', title: 'Extension one', text: 'Be kind.', from: 'one'}]);
  });

  test('a link is used where it leads [extensions.shared]', async () => {
    await using kernel = await startWith({
      ...Object.fromEntries(Object.entries(extension({name: 'one'})).map(([path, text]) => [`work/one/${path}`, text])),
      '.gemini/extensions/one/.gemini-extension-install.json': '{"source": "<home>/work/one", "type": "link"}',
    });
    const record = join(kernel.home, '.gemini', 'extensions', 'one', '.gemini-extension-install.json');
    await writeFile(record, JSON.stringify({source: join(kernel.home, 'work', 'one'), type: 'link'}));
    expect(await listOf(kernel)).toMatchObject([{state: 'linked', folder: join(kernel.home, 'work', 'one')}]);
  });

  test.each([
    ['no manifest', {'other.json': '{}'}, 'it has no gemini-extension.json'],
    ['a manifest that is not JSON', {'gemini-extension.json': '{'}, 'its gemini-extension.json is not JSON'],
    ['a list as manifest', {'gemini-extension.json': '[]'}, 'its gemini-extension.json must be an object'],
    ['an odd name', extension({name: '../up'}), 'its name must consist of letters, digits and dashes, not "../up"'],
    ['no version', extension({name: 'one', version: 3}), 'its version must be text, not 3'],
    ['odd context files', extension({name: 'one', contextFileName: [1]}), 'its contextFileName must be a text'],
    ['odd servers', extension({name: 'one', mcpServers: {a: 'b'}}), 'its mcpServers.a must be an object'],
    ['odd settings', extension({name: 'one', settings: [{name: 'A', envVar: 'a b'}]}), 'its settings[0] must have'],
  ])('is named with the reason, and the others are used: %s [extensions.broken]', async (_, files, reason) => {
    await using kernel = await startWith({...shared('bad', files), ...shared('two', extension({name: 'two'}))});
    const [bad, two] = await listOf(kernel);
    expect(bad?.unused).toMatchObject({reason: 'broken', sentence: expect.stringContaining(reason) as unknown});
    expect(two?.unused).toBeUndefined();
    expect((await (await kernel.service('extensions')).active()).map(({name}) => name)).toEqual(['two']);
    expect(kernel.notices.map(({code}) => code)).toContain('EXTENSION_LEFT_OUT');
  });

  test('two of one name: the second is not used [extensions.broken]', async () => {
    await using kernel = await startWith({
      ...shared('a', extension({name: 'one'})),
      ...shared('b', extension({name: 'one'})),
    });
    expect((await listOf(kernel)).map(({unused}) => unused?.reason)).toEqual([undefined, 'broken']);
  });

  onPosix('is not used while others can write it [extensions.unsafe]', async () => {
    await using kernel = await startWith(shared('one', extension({name: 'one'})));
    await chmod(join(kernel.home, '.gemini', 'extensions', 'one'), 0o777);
    const [one] = await listOf(kernel);
    expect(one?.unused).toMatchObject({reason: 'unsafe', sentence: expect.stringContaining('chmod') as unknown});
  });

  onPosix('a context file that leads out of it is not read [extensions.context]', async () => {
    await using place = await makeFolder();
    await writeFiles(place.path, {secret: 'secret', 'one/c.md': 'C'});
    const folder = join(place.path, 'one');
    await symlink(join(place.path, 'secret'), join(folder, 'a.md'));
    await mkdir(join(folder, 'b.md'));
    const contextFiles = ['a.md', 'b.md', '../secret', 'c.md', 'd.md'];
    expect(findContextFiles(folder, {contextFiles, namesContext: true})).toEqual({
      files: [join(folder, 'c.md')],
      faults: [
        'The context file "a.md" is outside the extension.',
        'The context file "b.md" is not a regular file.',
        'The context file "../secret" is outside the extension.',
        'The context file "d.md" does not exist.',
      ],
    });
  });
});

describe('which are used', () => {
  const here = (rules: readonly string[], cwd: string): readonly string[] =>
    rules.map((rule) => rule.replace('<cwd>', cwd));

  test.each([
    [[], true],
    [['!/*'], false],
    [['!/*', '<cwd>/*'], true],
    [['/*', '!<cwd>/'], false],
    [['!/elsewhere/*'], true],
    [['!<cwd>/below/*'], true],
  ])('the last rule that matches decides: %j [extensions.enabled]', async (rules, isUsed) => {
    await using kernel = await startWith(shared('one', extension({name: 'one'})));
    const [file, text] = Object.entries(enabled(here(rules, kernel.project)))[0] ?? ['', ''];
    await writeFile(join(kernel.home, file), text, {mode: 0o600});
    expect((await listOf(kernel)).map(({unused}) => unused?.reason)).toEqual([isUsed ? undefined : 'disabled']);
  });

  test.each([
    [['TWO'], ['not-chosen', undefined]],
    [['none'], ['not-chosen', 'not-chosen']],
  ])('a flag names the only ones: %j [extensions.enabled]', async (only, reasons) => {
    await using kernel = await startWith(
      {...shared('one', extension({name: 'one'})), ...shared('two', extension({name: 'two'}))},
      {flags: {'extensions.only': only}},
    );
    expect((await listOf(kernel)).map(({unused}) => unused?.reason)).toEqual(reasons);
  });

  test.each([
    [{allowedExtensions: ['^https://github\\.com/acme/']}, 'admin'],
    [{allowedExtensions: ['^https://example']}, undefined],
    [{allowedExtensions: ['(']}, 'admin'],
    [{blockGitExtensions: true}, 'admin'],
  ])('rules about sources hold at each start: %j [extensions.rules]', async (security, reason) => {
    await using kernel = await startWith({
      ...shared('one', extension({name: 'one'})),
      '.gemini/extensions/one/.gemini-extension-install.json': '{"source": "https://example.com/one", "type": "git"}',
      '.gemini/settings.json': JSON.stringify({security}),
    });
    expect((await listOf(kernel)).map(({unused}) => unused?.reason)).toEqual([reason]);
  });
});

describe('what it brings', () => {
  test('servers, with its variables filled in, and without a say in what they may do [extensions.servers]', async () => {
    const server = {
      command: '${extensionPath}${/}run',
      args: ['${workspacePath}', '$TOKEN', '${HOST:-localhost}', '$GEMINI_API_KEY', '${UNKNOWN}', '$$'],
      trust: true,
      sampling: true,
    };
    await using kernel = await startWith(
      shared(
        'one',
        extension(
          {name: 'one', mcpServers: {far: server}, settings: [{name: 'Token', envVar: 'TOKEN', sensitive: true}]},
          {'.env': 'TOKEN="a ${HOST} b"\n'},
        ),
      ),
      {variables: {GEMINI_API_KEY: 'secret'}},
    );
    const folder = join(kernel.home, '.gemini', 'extensions', 'one');
    const [sourced] = await (await kernel.service('mcp-servers:extensions')).list();
    expect(sourced).toEqual({
      name: 'far',
      from: 'one',
      value: {
        command: join(folder, 'run'),
        args: [kernel.project, 'a ${HOST} b', 'localhost', '$GEMINI_API_KEY', '${UNKNOWN}', '$$'],
        env: {TOKEN: 'a ${HOST} b'},
      },
    });
    const [server1] = await (await kernel.service('mcp')).list();
    expect(server1).toMatchObject({
      name: 'far',
      isTrusted: false,
      origin: {layer: 'extension', source: 'the extension "one"'},
    });
  });

  test('what a person says about a server of it adds to the server [extensions.servers]', async () => {
    await using kernel = await startWith({
      ...shared('one', extension({name: 'one', mcpServers: {far: {command: 'a', includeTools: ['x', 'y']}}})),
      '.gemini/settings.json': JSON.stringify({mcpServers: {far: {trust: true, includeTools: ['y', 'z']}}}),
    });
    const [server] = await (await kernel.service('mcp')).list();
    expect(server).toMatchObject({name: 'far', target: 'a', isTrusted: true});
  });

  test('rules that only make calls stricter, and tools that no call may use [extensions.rules]', async () => {
    const rules =
      '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "git push"\ndecision = "deny"\npriority = 100\n';
    const loose =
      '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "npm"\ndecision = "allow"\npriority = 900\n';
    await using kernel = await startWith(
      shared(
        'one',
        extension({name: 'one', excludeTools: ['run_shell_command(rm -rf)']}, {'policies/a.toml': rules + loose}),
      ),
    );
    const policy = await kernel.service('policy');
    const decide = async (command: string): Promise<string> => {
      const call = await kernel.session.describe({tool: 'run_shell_command', input: {command}});
      return (await policy.explain(call, {mode: 'yolo', interactive: true})).decision;
    };
    expect(await decide('git push')).toBe('deny');
    expect(await decide('rm -rf x')).toBe('deny');
    expect((await policy.rules()).rules.filter(({source}) => source.tier === 'extension')).toHaveLength(1);
    const call = await kernel.session.describe({tool: 'run_shell_command', input: {command: 'npm publish'}});
    expect((await policy.explain(call, {mode: 'default', interactive: true})).decision).toBe('ask');
  });

  test('names the settings that have no value [extensions.settings]', async () => {
    await using kernel = await startWith(
      shared('one', extension({name: 'one', settings: [{name: 'Token', envVar: 'TOKEN_OF_ONE'}]})),
    );
    await (await kernel.service('extensions')).active();
    expect(kernel.notices).toMatchObject([
      {code: 'EXTENSION_SETTING_MISSING', sentence: expect.stringContaining('has no value for Token') as unknown},
    ]);
  });
});

test.each([
  ['user', {reason: 'expired', sentence: expect.stringContaining('its bundle corp expired on 2020-01-01')}],
  ['system', undefined],
] as const)('an extension of an expired bundle of the %s [bundles.folders]', async (origin, unused) => {
  await using folder = await makeFolder();
  const path = join(folder.path, 'tools');
  await writeFiles(path, extension({name: 'tools'}));
  const tree = hashTree(path);
  const expires = '2020-01-01T00:00:00.000Z';
  const bundle = {name: 'corp', origin, expires, settings: {}, policies: [], extensions: [{name: 'tools', path, tree}]};
  await using kernel = await startWith({}, {services: [hostBundles(bundle)]});
  const [found] = await (await kernel.service('extensions')).list();
  expect({state: found?.state, unused: found?.unused}).toEqual({state: 'bundled', unused});
});

test.each([
  [{extensions: {only: ['none']}}],
  [{plugins: {frozen: true}}],
  [{security: {allowedExtensions: ['^nothing$']}}],
  [{admin: {extensions: {enabled: false}}}],
])("a project that says %j does not switch off a person's extension [extensions.enabled]", async (settings) => {
  await using kernel = await startWith(shared('guard', extension({name: 'guard'})), {
    files: {'.gemini/settings.json': JSON.stringify(settings)},
  });
  const [found] = await (await kernel.service('extensions')).list();
  expect({name: found?.name, unused: found?.unused}).toEqual({name: 'guard', unused: undefined});
});
