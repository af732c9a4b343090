import {mkdir, readdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from '@jest/globals';
import {createTestKernel} from '@gemini-kernel/kernel/testing';
import type {} from '@gemini-kernel/plugin-agent/contract';
import type {} from '@gemini-kernel/plugin-mcp/contract';
import {convertExtension, type Converted} from '#plugins/extensions/dist/convert/convert-extension.js';
import {templateNames, templates, writeTemplate} from '#plugins/extensions/dist/templates/templates.js';
import {pluginRoot} from '../../helpers/plugin-root.js';
import {runGemini, type RunResult} from '../../helpers/run-gemini.js';
import {onPosix} from '../../helpers/where.js';
import {extension, makeFolder, writeFiles, type Folder} from './scene.js';

let place: Folder;
beforeEach(async () => (place = await makeFolder()));
afterEach(() => place[Symbol.asyncDispose]());

const at = (...path: readonly string[]): string => join(place.path, ...path);
const convert = (name: string, force = false): Promise<Converted> =>
  convertExtension({from: at(name), to: undefined, force});

async function run(home: string, ...words: readonly string[]): Promise<RunResult> {
  await mkdir(at(home), {recursive: true, mode: 0o700});
  return runGemini(words, {cwd: place.path, home: at(home)});
}

async function must(home: string, ...words: readonly string[]): Promise<string> {
  const {code, stdout, stderr} = await run(home, ...words);
  expect([words, code, stderr]).toEqual([words, 0, expect.anything()]);
  return stdout;
}

/** What a person has of extensions, or of plugins made of them. */
async function effect(home: string): Promise<unknown> {
  const json = async (...words: readonly string[]): Promise<Record<string, readonly Record<string, unknown>[]>> =>
    JSON.parse((await run(home, ...words, '--json')).stdout) as Record<string, readonly Record<string, unknown>[]>;
  const [commands, hooks, skills, rules] = await Promise.all([
    json('commands', 'list'),
    json('hooks', 'list'),
    json('skills', 'list'),
    json('policy', 'list'),
  ]);
  const push = await must(home, 'policy', 'explain', 'run_shell_command', 'command=git push');
  const remove = await must(home, 'policy', 'explain', 'run_shell_command', 'command=rm -rf x');
  const input = JSON.stringify({command: 'npm publish'});
  return {
    commands: commands['commands']?.map(({name, description}) => [name, String(description).replace(/^\[.*\] /, '')]),
    hooks: hooks['hooks']?.map(({name, event, matcher, failure}) => [name, event, matcher, failure]),
    skills: skills['skills']?.filter(({origin}) => origin === 'extension').map(({name}) => name),
    ruled: Object.values(rules)[0]?.length,
    push: /yolo: (\w+)/.exec(push)?.[1],
    remove: /yolo: (\w+)/.exec(remove)?.[1],
    publish: (await run(home, 'hooks', 'test', 'no-publish', '--tool', 'run_shell_command', '--input', input)).stdout
      .split('\n')
      .filter((line) => line.startsWith('Decision')),
    server: /mcp_shout_shout.*/.exec((await run(home, 'mcp', 'test', 'shout')).stdout)?.[0],
  };
}

onPosix(
  'each template as a plugin builds, is ready to be packed, and has the same effect [extensions.convert]',
  async () => {
    const left: [string, readonly string[]][] = [];
    for (const name of templateNames) {
      await writeTemplate(at(`t-${name}`), templates[name]);
      const converted = await convert(`t-${name}`);
      left.push([name, converted.left.map(({what}) => what)]);
      await must('plugins', 'plugins', 'build', converted.folder);
      expect(await must('plugins', 'plugins', 'check', converted.folder, '--yes')).toContain('is ready to be packed.');
      await must('plugins', 'plugins', 'link', converted.folder, '--yes');
      await must('extensions', 'extensions', 'link', `t-${name}`, '--consent');
    }
    expect(left.filter(([, what]) => what.length > 0)).toEqual([
      ['context', ['context']],
      ['themes-example', ['themes']],
    ]);
    const [plugins, extensions] = [await effect('plugins'), await effect('extensions')];
    expect(plugins).toEqual(extensions);
    expect(plugins).toMatchObject({
      commands: [['review', 'Review the changes that are not committed']],
      hooks: [['no-publish', 'BeforeTool', 'run_shell_command', 'closed']],
      skills: ['release-notes'],
      push: 'ask',
      remove: 'deny',
      publish: ['Decision: deny: Publishing is done by a person.'],
      server: 'mcp_shout_shout  Gives back a text in capital letters.',
    });
  },
  120_000,
);

test('context and settings reach what the extension gave them to [extensions.convert]', async () => {
  const manifest = {
    name: 'Set-One',
    version: 'two',
    contextFileName: ['A.md', 'docs/B.md'],
    mcpServers: {
      s: {command: 'node', args: ['${extensionPath}${/}x.mjs', '$HOST', '${PORT:-80}', '$OTHER', '$OPENAI_API_KEY']},
      u: {httpUrl: 'https://api.example.com/${TOKEN}'},
    },
    settings: [
      {name: 'Host', envVar: 'HOST', description: 'The host.'},
      {name: 'Token', envVar: 'TOKEN', sensitive: true},
    ],
    migratedTo: 'https://example.com/new',
  };
  await writeFiles(
    at('one'),
    extension(manifest, {'A.md': 'Be kind.\n', 'docs/B.md': 'Be brief.', '.env': 'HOST=x', 'agents/a.md': 'x'}),
  );
  const {folder, left, version} = await convert('one');
  expect(version).toBe('0.0.0');
  expect(left.map(({what}) => what)).toEqual(['agents', 'context', 'values of settings', 'migratedTo', 'version two']);
  expect(await readdir(join(folder, 'extension'))).toEqual(['A.md', 'agents', 'docs', 'gemini-extension.json']);
  await must('home', 'plugins', 'build', folder);
  expect(await must('home', 'plugins', 'check', folder, '--yes')).toContain(
    'capabilities: fs:read, process, net:api.example.com, env:HOST, env:TOKEN, env:OTHER, env:PORT',
  );
  await using kernel = await createTestKernel({
    plugins: [...['settings', 'trust', 'env', 'workspace'].map(pluginRoot), folder],
    files: {'.gemini/settings.json': JSON.stringify({setOne: {HOST: 'evil', TOKEN: 'evil'}})},
    homeFiles: {'.gemini/settings.json': JSON.stringify({setOne: {TOKEN: 't0ken'}})},
    variables: {HOST: 'h.example', OPENAI_API_KEY: 'secret', GEMINI_CLI_TRUST_WORKSPACE: 'true'},
  });
  const servers = await (await kernel.service('mcp-servers:set-one')).list();
  expect(servers).toEqual([
    {
      name: 's',
      from: 'Set-One',
      value: {
        command: 'node',
        args: [join(folder, 'extension', 'x.mjs'), 'h.example', '80', '$OTHER', '$OPENAI_API_KEY'],
        env: {TOKEN: 't0ken'},
      },
    },
    {name: 'u', from: 'Set-One', value: {httpUrl: 'https://api.example.com/t0ken'}},
  ]);
  const said = await (await kernel.service('context:set-one')).list();
  expect(said.map(({title, text}) => [title, text])).toEqual([
    ['Extension Set-One', 'Be kind.'],
    ['Extension Set-One', 'Be brief.'],
  ]);
}, 60_000);

test('what is in the way is never lost, and a conversion is there whole or not at all [extensions.convert]', async () => {
  await writeFiles(at('one'), extension({name: 'one'}, {'GEMINI.md': 'Be kind.'}));
  const {folder} = await convert('one');
  await writeFile(join(folder, 'mine.txt'), 'mine');
  await expect(convert('one')).rejects.toMatchObject({
    code: 'EXTENSION_EXISTS',
    hint: expect.stringContaining('--force'),
  });
  await convert('one', true);
  expect(await readdir(folder)).toEqual(['README.md', 'dist', 'extension', 'package.json']);
  await writeFiles(at('other'), {'package.json': '{"name": "other"}', 'mine.txt': 'mine'});
  await expect(convertExtension({from: at('one'), to: at('other'), force: true})).rejects.toMatchObject({
    code: 'EXTENSION_EXISTS',
  });
  expect(await readFile(at('other', 'mine.txt'), 'utf8')).toBe('mine');
  for (const to of [at('one', 'plugin'), at('one'), place.path])
    await expect(convertExtension({from: at('one'), to, force: true})).rejects.toMatchObject({
      code: 'EXTENSION_INVALID',
    });
  await writeFile(at('file'), '');
  await expect(convertExtension({from: at('one'), to: at('file', 'x'), force: false})).rejects.toMatchObject({
    code: expect.stringMatching(/EXTENSION_(EXISTS|UNWRITABLE)/),
  });
  await expect(convert('none')).rejects.toMatchObject({code: 'EXTENSION_INVALID'});
  expect((await readdir(place.path)).filter((name) => name.startsWith('.'))).toEqual([]);
});

test('text of an extension is data in the code of the plugin [extensions.convert]', async () => {
  const evil = '`${process.exit(9)}`\'"); process.exit(9); //\n\u2028*/';
  const manifest = {
    name: 'one',
    description: evil,
    excludeTools: [evil],
    mcpServers: {[evil]: {command: evil, args: [evil]}, __proto__: {command: 'x'}},
    settings: [{name: evil, envVar: 'A', description: evil}],
  };
  await writeFiles(
    at('one'),
    extension(manifest, {
      'hooks/hooks.json': JSON.stringify({
        hooks: {BeforeTool: [{matcher: evil, hooks: [{type: 'command', command: evil}]}]},
      }),
    }),
  );
  const {folder} = await convert('one');
  expect(await must('home', 'plugins', 'build', folder)).toContain('3 services, 1 setting');
});

test('the command says what it wrote and what comes next [extensions.convert]', async () => {
  await writeFiles(at('one'), extension({name: 'one'}, {'GEMINI.md': 'Be kind.'}));
  const {code, stdout} = await run('home', 'extensions', 'convert', 'one', '--output', 'made');
  expect([code, stdout]).toEqual([
    0,
    'Wrote gemini-plugin-one 1.0.0 to made.\n' +
      '  Not as before: context. The model gets it marked as text of others, as from every installed plugin.\n' +
      'Next: gemini plugins build made && gemini plugins check made\n',
  ]);
  const again = await run('home', 'extensions', 'convert', 'one', '--output', 'made', '--json');
  expect([again.code, JSON.parse(again.stdout)]).toMatchObject([1, {error: {code: 'EXTENSION_EXISTS'}}]);
});
