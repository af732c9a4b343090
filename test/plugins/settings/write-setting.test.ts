import {chmod, lstat, mkdir, readFile, readdir, stat, symlink, utimes, writeFile} from 'node:fs/promises';
import {hostname} from 'node:os';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {machineMark} from '@gemini-kernel/files/writing';
import {createTestKernel} from '@gemini-kernel/kernel/testing';
import type {} from '@gemini-kernel/plugin-settings/contract';
import {pluginRoot} from '../../helpers/plugin-root.js';
import {runGemini} from '../../helpers/run-gemini.js';
import {createScene} from './scene.js';
import {onPosix} from '../../helpers/where.js';

const plugins = [pluginRoot('settings')];
const SETTINGS = '.gemini/settings.json';

describe('writing a setting', () => {
  test('keeps comments, order, the byte order mark and the line ends', async () => {
    await using kernel = await createTestKernel({
      plugins,
      homeFiles: {[SETTINGS]: '\uFEFF// top\r\n{\r\n  "b": 1, // b\r\n  "a": "$HOME"\r\n}\r\n'},
    });
    const settings = await kernel.service('settings');
    const file = join(kernel.home, SETTINGS);
    expect(await settings.set('ui.theme', 'x', {scope: 'user'})).toEqual({path: file});
    expect(await readFile(file, 'utf8')).toBe(
      '\uFEFF// top\r\n{\r\n  "b": 1, // b\r\n  "a": "$HOME",\r\n  "ui": {\r\n    "theme": "x"\r\n  }\r\n}\r\n',
    );
    expect(await settings.get('ui.theme')).toBe('x');
  });

  test('creates the file of the project with its directory', async () => {
    await using kernel = await createTestKernel({plugins});
    const settings = await kernel.service('settings');
    const {path} = await settings.set('general.vimMode', true, {scope: 'project'});
    expect([path, await readFile(path, 'utf8')]).toEqual([
      join(kernel.project, SETTINGS),
      '{\n  "general": {\n    "vimMode": true\n  }\n}\n',
    ]);
  });

  test('leaves nothing but the file behind', async () => {
    await using kernel = await createTestKernel({
      plugins,
      homeFiles: {[SETTINGS]: '{}', [`${SETTINGS}.${machineMark()}-999999999-01234567.tmp`]: 'left by a dead writer'},
    });
    await (await kernel.service('settings')).set('ui.theme', 'x', {scope: 'user'});
    expect(await readdir(join(kernel.home, '.gemini'))).toEqual(['settings.json']);
  });

  test('creates nothing to remove a key from a file that is not there', async () => {
    await using kernel = await createTestKernel({plugins});
    await (await kernel.service('settings')).set('ui.theme', undefined, {scope: 'project'});
    expect(await readdir(kernel.project)).toEqual([]);
  });

  test('writes through a link and keeps the link', async () => {
    await using kernel = await createTestKernel({plugins, homeFiles: {'dotfiles/gemini.json': '{}', '.gemini/x': ''}});
    const link = join(kernel.home, SETTINGS);
    await symlink(join('..', 'dotfiles', 'gemini.json'), link);
    await (await kernel.service('settings')).set('a', 1, {scope: 'user'});
    expect([
      (await lstat(link)).isSymbolicLink(),
      await readFile(join(kernel.home, 'dotfiles/gemini.json'), 'utf8'),
    ]).toEqual([true, '{\n  "a": 1\n}']);
  });

  test('creates what a link leads to', async () => {
    await using kernel = await createTestKernel({plugins, homeFiles: {'.gemini/x': ''}});
    await symlink('elsewhere.json', join(kernel.home, SETTINGS));
    await (await kernel.service('settings')).set('a', 1, {scope: 'user'});
    expect(await readFile(join(kernel.home, '.gemini/elsewhere.json'), 'utf8')).toBe('{\n  "a": 1\n}\n');
  });

  onPosix('keeps the mode of the file, and keeps a new file of the user private', async () => {
    await using kernel = await createTestKernel({plugins, files: {[SETTINGS]: '{}'}});
    const settings = await kernel.service('settings');
    await chmod(join(kernel.project, SETTINGS), 0o640);
    const paths = [await settings.set('a', 1, {scope: 'project'}), await settings.set('a', 1, {scope: 'user'})];
    expect(await Promise.all(paths.map(async ({path}) => (await stat(path)).mode & 0o777))).toEqual([0o640, 0o600]);
  });

  test.each(['settings.json.lock', 'settings.json.lock.break'])(
    'takes over a %s that a full disk left empty',
    async (left) => {
      await using kernel = await createTestKernel({
        plugins,
        homeFiles: {[`.gemini/${left}`]: '', '.gemini/settings.json.lock': ''},
      });
      for (const name of await readdir(join(kernel.home, '.gemini')))
        await utimes(join(kernel.home, '.gemini', name), 1, 1);
      await (await kernel.service('settings')).set('ui.theme', 'x', {scope: 'user'});
      expect(await readdir(join(kernel.home, '.gemini'))).toEqual(['settings.json']);
    },
  );

  test('what a killed writer left is removed by the next start, and what a living one holds stays [files.swept]', async () => {
    await using scene = await createScene();
    const folder = join(scene.home, '.gemini');
    await mkdir(folder, {recursive: true});
    const left = `settings.json.${machineMark()}-999999999-01234567.tmp`;
    const put = async (pid: number): Promise<void> => {
      await writeFile(join(folder, 'settings.json'), '{}');
      await writeFile(join(folder, left), 'half');
      await writeFile(join(folder, 'settings.json.lock'), JSON.stringify({pid, host: hostname(), since: ''}));
    };
    const start = (): ReturnType<typeof runGemini> =>
      runGemini(['settings', 'get', 'ui.theme'], {cwd: scene.home, home: scene.home});
    await put(999_999_999);
    await start();
    expect(await readdir(folder)).toEqual(['settings.json']);
    await put(process.pid);
    await start();
    expect((await readdir(folder)).sort()).toEqual(['settings.json', left, 'settings.json.lock'].sort());
  });

  test('takes over the lock of a process that died', async () => {
    await using kernel = await createTestKernel({
      plugins,
      homeFiles: {[`${SETTINGS}.lock`]: JSON.stringify({pid: 999_999_999, host: hostname(), since: ''})},
    });
    await (await kernel.service('settings')).set('a', 1, {scope: 'user'});
    expect(await readdir(join(kernel.home, '.gemini'))).toEqual(['settings.json']);
  });

  test('loses none of many changes made at once', async () => {
    await using kernel = await createTestKernel({plugins});
    const settings = await kernel.service('settings');
    const names = Array.from({length: 10}, (_, index) => `key${index}`);
    await Promise.all(names.map((name) => settings.set(`own.${name}`, name, {scope: 'project'})));
    expect(Object.keys((await settings.get('own')) as object).sort()).toEqual(names);
  });

  test('takes a variable where the schema expects something else', async () => {
    await using kernel = await createTestKernel({plugins, variables: {TRIES: '3'}});
    const settings = await kernel.service('settings');
    await settings.set('general.maxAttempts', '$TRIES', {scope: 'user'});
    expect([await settings.get('general.maxAttempts'), await readFile(join(kernel.home, SETTINGS), 'utf8')]).toEqual([
      3,
      '{\n  "general": {\n    "maxAttempts": "$TRIES"\n  }\n}\n',
    ]);
  });
});

describe('a change that cannot be made leaves the file as it is', () => {
  test.each<[string, {text: string; key: string; value: unknown; code: string; message: RegExp}]>([
    [
      'a wrong type',
      {
        text: '{}',
        key: 'general.vimMode',
        value: 'perhaps',
        code: 'SETTING_MISFIT',
        message: /^general\.vimMode must be true or false, not "perhaps"\.$/,
      },
    ],
    [
      'a value that is not among the options',
      {
        text: '{}',
        key: 'output.format',
        value: 'xml',
        code: 'SETTING_MISFIT',
        message: /^output\.format must be one of "text", "json", not "xml"\.$/,
      },
    ],
    [
      'a key below a value',
      {
        text: '{}',
        key: 'general.vimMode.x',
        value: 1,
        code: 'SETTING_MISFIT',
        message: /^general\.vimMode must be true or false/,
      },
    ],
    [
      'a key below a value that is there',
      {
        text: '{"mine": 5}',
        key: 'mine.x',
        value: 1,
        code: 'SETTING_MISFIT',
        message: /^mine\.x cannot be set in .*settings\.json: what is there is not an object\.$/,
      },
    ],
    [
      'a key of remote administration',
      {
        text: '{}',
        key: 'admin.secureModeEnabled',
        value: true,
        code: 'SETTING_REMOTE',
        message: /^admin\.secureModeEnabled is set by remote administration only/,
      },
    ],
    [
      'an empty part of a key',
      {
        text: '{}',
        key: 'ui..theme',
        value: 1,
        code: 'KEY_MALFORMED',
        message: /^"ui\.\.theme" is not a settings key\.$/,
      },
    ],
    [
      'a key that would be a prototype',
      {text: '{}', key: '__proto__.x', value: 1, code: 'KEY_MALFORMED', message: /is not a settings key/},
    ],
    ['a broken file', {text: '{"a": 1,}', key: 'b', value: 1, code: 'SETTINGS_BROKEN', message: /line 1, column 9/}],
  ])('%s', async (_, {text, key, value, code, message}) => {
    await using kernel = await createTestKernel({plugins, homeFiles: {[SETTINGS]: text}});
    const settings = await kernel.service('settings');
    await expect(settings.set(key, value, {scope: 'user'})).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
    expect([await readFile(join(kernel.home, SETTINGS), 'utf8'), await readdir(join(kernel.home, '.gemini'))]).toEqual([
      text,
      ['settings.json'],
    ]);
  });

  onPosix('a read-only file', async () => {
    await using kernel = await createTestKernel({plugins, homeFiles: {[SETTINGS]: '{}'}});
    const file = join(kernel.home, SETTINGS);
    await chmod(file, 0o444);
    await expect((await kernel.service('settings')).set('a', 1, {scope: 'user'})).rejects.toMatchObject({
      code: 'SETTINGS_UNWRITABLE',
      message: `Cannot write ${file}: the file is read-only.`,
    });
    expect(await readFile(file, 'utf8')).toBe('{}');
  });

  test('a file in place of the directory', async () => {
    await using kernel = await createTestKernel({plugins, homeFiles: {'.gemini': 'a file'}});
    await expect((await kernel.service('settings')).set('a', 1, {scope: 'user'})).rejects.toMatchObject({
      code: 'SETTINGS_UNWRITABLE',
      message: `Cannot write ${join(kernel.home, SETTINGS)}: something on the way to it is a file.`,
    });
  });

  test('the project file of the home directory', async () => {
    await using scene = await createScene();
    const {code, stderr} = await runGemini(['settings', 'set', 'a', '1', '--scope', 'project'], {
      cwd: scene.home,
      home: scene.home,
    });
    expect([code, stderr]).toEqual([
      1,
      "Error: The home directory has no project settings: its settings file is the user's.\nUse --scope " +
        'user, or change to a project directory.\n',
    ]);
  });

  test('a lock that a running process holds, once five seconds are over', async () => {
    await using kernel = await createTestKernel({plugins});
    const lock = join(kernel.home, `${SETTINGS}.lock`);
    await mkdir(join(kernel.home, '.gemini'));
    await writeFile(lock, JSON.stringify({pid: process.pid, host: hostname(), since: ''}));
    await expect((await kernel.service('settings')).set('a', 1, {scope: 'user'})).rejects.toMatchObject({
      code: 'SETTINGS_LOCKED',
      message: expect.stringContaining(lock),
    });
    expect(await readdir(join(kernel.home, '.gemini'))).toEqual(['settings.json.lock']);
  });
});
