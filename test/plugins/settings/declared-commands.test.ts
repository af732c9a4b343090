import {mkdir, readFile, symlink} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {expect, test} from '@jest/globals';
import {makeFolder} from '../../helpers/make-plugin.js';
import {checkout} from '../../helpers/plugin-root.js';
import {runGemini, type RunResult} from '../../helpers/run-gemini.js';
import {writeFiles} from './write-files.js';

const SETTINGS = `import {defineSettings} from '@gemini-kernel/kernel';
export default defineSettings('words', {
  limit: {schema: {type: 'integer', minimum: 1}, default: 5, description: 'Words on a line.', category: 'Words'},
  key: {schema: {type: 'string'}, secret: true, description: 'The key of the counting service.'},
});
`;

const files = {
  'package.json': JSON.stringify({
    ...{name: 'gemini-plugin-words', version: '1.0.0', description: 'Words.', type: 'module'},
    files: ['dist', 'gemini.plugin.json', 'oclif.manifest.json'],
    gemini: {kernel: '^0.2.0', capabilities: []},
    oclif: {commands: './dist/commands'},
  }),
  'README.md': '# Words\n\nSettings words.limit and words.key.\n',
  'dist/settings/words.js': SETTINGS,
};

test('the settings of an installed plugin are set, explained, checked and never shown [settings.declared] [settings.secret]', async () => {
  await using folder = await makeFolder();
  const [home, plugin, project] = ['home', 'plugin', 'project'].map((name) => join(folder.path, name)) as [
    string,
    string,
    string,
  ];
  await Promise.all([mkdir(home), mkdir(project), writeFiles(plugin, files)]);
  const kernel = join(plugin, 'node_modules', '@gemini-kernel', 'kernel');
  await mkdir(dirname(kernel), {recursive: true});
  await symlink(join(checkout, 'kernel'), kernel, 'junction');
  const gemini = (...args: readonly string[]): Promise<RunResult> => runGemini(args, {cwd: project, home});
  const file = join(home, '.gemini', 'settings.json');

  expect((await gemini('plugins', 'build', plugin)).stdout).toBe('Built gemini-plugin-words 1.0.0: 2 settings.\n');
  expect((await gemini('plugins', 'link', plugin, '--yes')).code).toBe(0);
  expect(await gemini('settings', 'set', 'words.limit', '0')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'Error: words.limit must be a whole number of at least 1, not 0.\n',
  });
  expect(await gemini('settings', 'set', 'words.limit', '7')).toEqual({
    ...{code: 0, stdout: `Set words.limit to 7 in ${file}.\n`, stderr: ''},
  });
  expect(await gemini('settings', 'explain', 'words.limit')).toEqual({
    code: 0,
    stdout: [
      'words.limit = 7',
      'Words on a line.',
      'Takes a whole number of at least 1. The strongest layer wins.',
      'A setting of gemini-plugin-words, under Words.',
      '  default  5',
      `* user     7  ${file}`,
      '',
    ].join('\n'),
    stderr: '',
  });

  const secret = '{hunter2';
  const shown = [
    await gemini('settings', 'set', 'words.key', secret),
    await gemini('settings', 'get', 'words.key', '--json'),
    await gemini('settings', 'list', '--json'),
    await gemini('settings', 'explain', 'words.key'),
    await gemini('settings', 'set', 'words.key', 'other', '--scope', 'project'),
  ];
  expect(shown.map(({code}) => code)).toEqual([0, 0, 0, 0, 0]);
  expect(shown[0]?.stdout).toBe(`Set words.key to "[redacted]" in ${file}.\n`);
  expect(JSON.stringify(shown)).not.toContain(secret);
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({words: {limit: 7, key: secret}});

  expect((await gemini('settings', 'get', 'words.limt')).stderr).toBe(
    'Error: There is no setting words.limt.\nDid you mean words.limit?\n',
  );
  expect(await gemini('settings', 'check')).toEqual({
    code: 0,
    stdout: '✓ All settings are known and valid.\n',
    stderr: '',
  });
  expect((await gemini('plugins', 'unlink', 'gemini-plugin-words')).code).toBe(0);
  const left = await gemini('settings', 'check', '--json');
  const {faults} = JSON.parse(left.stdout) as {faults: readonly {key: string; problem: string}[]};
  expect([left.code, faults.map(({key, problem}) => [key, problem])]).toEqual([
    1,
    [
      ['words', 'unknown'],
      ['words', 'unknown'],
    ],
  ]);
}, 60_000);
