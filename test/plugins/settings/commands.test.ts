import {mkdir, readFile, readdir} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {createScene} from './scene.js';

const USER = '{\n  // mine\n  "ui": {"theme": "Dracula"},\n  "general": {"maxAttempts": 3}\n}\n';

describe('gemini settings get', () => {
  test.each<[string, {args: string[]; stdout: string}]>([
    ['prints text as it is', {args: ['ui.theme'], stdout: 'Dracula\n'}],
    ['prints numbers as they are', {args: ['general.maxAttempts'], stdout: '3\n'}],
    ['prints lists as JSON', {args: ['context.memoryBoundaryMarkers'], stdout: '[\n  ".git"\n]\n'}],
    ['prints nothing for a setting without a value', {args: ['model.name'], stdout: ''}],
    [
      'gives programs the key, the value and its layer',
      {args: ['ui.theme', '--json'], stdout: '{\n  "key": "ui.theme",\n  "value": "Dracula",\n  "layer": "user"\n}\n'},
    ],
    [
      'gives programs null for a setting without a value',
      {args: ['model.name', '--json'], stdout: '{\n  "key": "model.name",\n  "value": null,\n  "layer": null\n}\n'},
    ],
  ])('%s', async (_, {args, stdout}) => {
    await using scene = await createScene({user: USER});
    expect(await scene.run(['settings', 'get', ...args])).toEqual({code: 0, stdout, stderr: ''});
  });

  test('names the nearest setting when there is none of that name', async () => {
    await using scene = await createScene();
    expect(await scene.run(['settings', 'get', 'context.includeDirectory'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Error: There is no setting context.includeDirectory.\nDid you mean context.includeDirectories?\n',
    });
  });
});

describe('gemini settings list', () => {
  test('shows key, layer and value of what is set', async () => {
    await using scene = await createScene({user: USER, project: '{"general": {"maxAttempts": 5}}'});
    expect(await scene.run(['settings', 'list'], {GEMINI_MODEL: 'flash'})).toEqual({
      code: 0,
      stdout:
        'general.maxAttempts  workspace    5\nui.theme             user         Dracula\nmodel.name           ' +
        'environment  flash\n',
      stderr: '',
    });
  });

  test('says so when nothing is set', async () => {
    await using scene = await createScene();
    expect((await scene.run(['settings', 'list'])).stdout).toBe(
      'Nothing is set; all settings have their defaults. gemini settings list --all shows them.\n',
    );
  });

  test('gives programs every setting with its value and layer', async () => {
    await using scene = await createScene({user: USER});
    const {stdout} = await scene.run(['settings', 'list', '--all', '--json']);
    const rows = JSON.parse(stdout) as {key: string}[];
    expect(rows.filter(({key}) => ['ui.theme', 'ui.hideTips', 'model.name'].includes(key))).toEqual([
      {key: 'ui.theme', value: 'Dracula', layer: 'user'},
      {key: 'ui.hideTips', value: false, layer: 'default'},
      {key: 'model.name', value: null, layer: null},
    ]);
  });
});

describe('gemini settings explain', () => {
  test('shows every layer with its source and marks the winner [settings.explain]', async () => {
    await using scene = await createScene({user: USER, project: '{"general": {"maxAttempts": 5}}'});
    expect(await scene.run(['settings', 'explain', 'general.maxAttempts'])).toEqual({
      code: 0,
      stdout: [
        'general.maxAttempts = 5',
        'How often a request to the model is tried; more than 10 counts as 10.',
        'Takes a number. The strongest layer wins.',
        '  default    10',
        `  user       3  ${scene.userFile}`,
        `* workspace  5  ${scene.projectFile}`,
        '',
      ].join('\n'),
      stderr: '',
    });
  });

  test('gives programs the same as JSON', async () => {
    await using scene = await createScene({user: '{"tools": {"exclude": ["a"]}}'});
    expect(JSON.parse((await scene.run(['settings', 'explain', 'tools.exclude', '--json'])).stdout)).toEqual({
      key: 'tools.exclude',
      value: ['a'],
      layers: [{layer: 'user', source: scene.userFile, value: ['a']}],
      winner: 'user',
      merge: 'union',
      description: 'Tools that are not offered.',
      type: 'array',
    });
  });
});

describe('gemini settings set', () => {
  test('changes the file of the user and keeps its comments', async () => {
    await using scene = await createScene({user: USER});
    const outcome = await scene.run(['settings', 'set', 'ui.theme', 'Ayu']);
    expect([outcome, await readFile(scene.userFile, 'utf8')]).toEqual([
      {code: 0, stdout: `Set ui.theme to "Ayu" in ${scene.userFile}.\n`, stderr: ''},
      USER.replace('Dracula', 'Ayu'),
    ]);
  });

  test.each<[string, {args: string[]; text: string}]>([
    ['a number', {args: ['general.maxAttempts', '7'], text: '{\n  "general": {\n    "maxAttempts": 7\n  }\n}\n'}],
    [
      'a negative number',
      {args: ['model.maxSessionTurns', '-1'], text: '{\n  "model": {\n    "maxSessionTurns": -1\n  }\n}\n'},
    ],
    [
      'digits where text is expected',
      {args: ['model.name', '25'], text: '{\n  "model": {\n    "name": "25"\n  }\n}\n'},
    ],
    ['text in JSON quotes', {args: ['ui.theme', '"A b"'], text: '{\n  "ui": {\n    "theme": "A b"\n  }\n}\n'}],
    ['a list', {args: ['tools.core', '["a"]'], text: '{\n  "tools": {\n    "core": [\n      "a"\n    ]\n  }\n}\n'}],
    [
      'a name with a dot in it',
      {
        args: ['mcpServers.a\\.b.command', 'x'],
        text: '{\n  "mcpServers": {\n    "a.b": {\n      "command": "x"\n    }\n  }\n}\n',
      },
    ],
  ])('writes %s into the file of the project', async (_, {args, text}) => {
    await using scene = await createScene();
    const {code} = await scene.run(['settings', 'set', ...args, '--scope', 'project']);
    expect([code, await readFile(scene.projectFile, 'utf8')]).toEqual([0, text]);
  });

  test.each<[string, {args: string[]; stderr: string}]>([
    [
      'text for a number',
      {args: ['general.maxAttempts', 'many'], stderr: 'general.maxAttempts must be a number, not "many".'},
    ],
    [
      'yes for true or false',
      {args: ['general.vimMode', 'yes'], stderr: 'general.vimMode must be true or false, not "yes".'},
    ],
    [
      'a value that is no option',
      {args: ['output.format', 'xml'], stderr: 'output.format must be one of "text", "json", not "xml".'},
    ],
    [
      'text for a list',
      {
        args: ['tools.core', 'a'],
        stderr: `tools.core must be a list, not "a".\nWrite lists as JSON: '["first", "second"]'.`,
      },
    ],
    [
      'text for an object',
      {
        args: ['ui.customThemes', 'a'],
        stderr: `ui.customThemes must be an object, not "a".\nWrite objects as JSON: '{"name": "value"}'.`,
      },
    ],
    [
      'half a list',
      {
        args: ['own.list', '["a"'],
        stderr:
          'The value for own.list starts like JSON but is not valid JSON: ["a"\nPut the whole value in ' +
          'single quotes, with double quotes inside.',
      },
    ],
    [
      'no value',
      {
        args: ['ui.theme'],
        stderr: 'No value was given for ui.theme.\nGive a value, or --unset to remove the setting from the file.',
      },
    ],
    [
      'a value and --unset',
      {
        args: ['ui.theme', 'x', '--unset'],
        stderr:
          'Setting ui.theme and removing it cannot be combined.\nGive a value, or --unset to remove the ' +
          'setting from the file.',
      },
    ],
    [
      'a key that is no key',
      {
        args: ['.theme', 'x'],
        stderr:
          '".theme" is not a settings key.\nJoin names by single dots, as in ui.theme; write \\. for a dot inside ' +
          'a name.',
      },
    ],
  ])('refuses %s and writes nothing', async (_, {args, stderr}) => {
    await using scene = await createScene();
    expect([await scene.run(['settings', 'set', ...args]), (await readdir(scene.home)).includes('.gemini')]).toEqual([
      {code: 1, stdout: '', stderr: `Error: ${stderr}\n`},
      false,
    ]);
  });

  test('takes an unknown key, with a warning that names the nearest one', async () => {
    await using scene = await createScene();
    expect(await scene.run(['settings', 'set', 'ui.themes', 'x'])).toEqual({
      code: 0,
      stdout: `Set ui.themes to "x" in ${scene.userFile}.\n`,
      stderr: 'Warning: ui.themes is not a known setting. Did you mean ui.theme?\n',
    });
  });

  test('says so when a stronger layer wins', async () => {
    await using scene = await createScene();
    const {stdout} = await scene.run(['settings', 'set', 'model.name', 'pro', '--json'], {GEMINI_MODEL: 'flash'});
    expect(JSON.parse(stdout)).toEqual({
      key: 'model.name',
      value: 'pro',
      scope: 'user',
      path: scene.userFile,
      warnings: ['Here GEMINI_MODEL sets model.name to "flash", which wins.'],
    });
  });

  test('removes a setting, and says so when it was not there', async () => {
    await using scene = await createScene({user: USER});
    const outcomes = [
      await scene.run(['settings', 'set', 'ui.theme', '--unset']),
      await scene.run(['settings', 'set', 'ui.theme', '--unset']),
    ];
    expect([outcomes.map(({stdout}) => stdout), await readFile(scene.userFile, 'utf8')]).toEqual([
      [`Removed ui.theme from ${scene.userFile}.\n`, `ui.theme was not set in ${scene.userFile}.\n`],
      '{\n  // mine\n  "general": {"maxAttempts": 3}\n}\n',
    ]);
  });

  test('of several processes at once loses no change [settings.atomic]', async () => {
    await using scene = await createScene({user: '{\n  // kept\n}\n'});
    const names = ['a', 'b', 'c', 'd'];
    const codes = await Promise.all(
      names.map(async (name) => (await scene.run(['settings', 'set', `own.${name}`, name])).code),
    );
    const text = await readFile(scene.userFile, 'utf8');
    expect([
      codes,
      text.includes('// kept'),
      (JSON.parse(text.replace('// kept', '')) as {own: object}).own,
      await readdir(dirname(scene.userFile)),
    ]).toEqual([[0, 0, 0, 0], true, {a: 'a', b: 'b', c: 'c', d: 'd'}, ['settings.json']]);
  });
});

describe('a broken file', () => {
  const commands = [
    ['get', 'ui.theme'],
    ['list'],
    ['explain', 'ui.theme'],
    ['set', 'ui.theme', 'x'],
    ['set', 'ui.theme', 'x', '--scope', 'project'],
    ['set', 'ui.theme', '--unset'],
  ];
  test.each(commands.map((words) => [words.join(' '), words] as const))(
    'ends gemini settings %s with code 52, its place, and nothing overwritten',
    async (_, words) => {
      const broken = '{\n  "ui": {},\n}\n';
      await using scene = await createScene({user: broken});
      expect([await scene.run(['settings', ...words]), await readFile(scene.userFile, 'utf8')]).toEqual([
        {
          code: 52,
          stdout: '',
          stderr:
            `Error: ${scene.userFile} is broken at line 3, column 1: a key in double quotes is missing (JSON ` +
            'has no trailing commas).\nFix the file and try again; it was not changed.\n',
        },
        broken,
      ]);
    },
  );

  test('is an object for programs', async () => {
    await using scene = await createScene({project: '[]'});
    const {code, stdout} = await scene.run(['settings', 'list', '--json']);
    expect([code, JSON.parse(stdout)]).toEqual([
      52,
      {
        error: {
          type: 'KernelError',
          code: 'SETTINGS_BROKEN',
          message: `${scene.projectFile} is broken at line 1, column 1: settings must be an object in { }.`,
          hint: 'Fix the file and try again; it was not changed.',
          exit: 52,
        },
      },
    ]);
  });

  test('does not hide another one', async () => {
    await using scene = await createScene({user: '{', project: ''});
    const {stderr} = await scene.run(['settings', 'list']);
    expect([stderr.includes(scene.userFile), stderr.includes(scene.projectFile)]).toEqual([true, true]);
  });
});

test('a directory in place of a file ends with code 52', async () => {
  await using scene = await createScene();
  await mkdir(scene.userFile, {recursive: true});
  expect(await scene.run(['settings', 'get', 'ui.theme'])).toEqual({
    code: 52,
    stdout: '',
    stderr:
      `Error: Cannot read ${scene.userFile}: it is a directory, not a file.\nMake the file readable for ` +
      'you, or remove it.\n',
  });
});

test.each(['get', 'list', 'explain', 'set'])('gemini settings %s --help shows an example', async (verb) => {
  await using scene = await createScene();
  const {code, stdout} = await scene.run(['settings', verb, '--help']);
  expect([code, stdout.includes(`$ gemini settings ${verb}`), stdout.includes('EXAMPLES')]).toEqual([0, true, true]);
});

test('GEMINI_CLI_HOME moves the file of the user', async () => {
  await using scene = await createScene();
  await scene.run(['settings', 'set', 'ui.theme', 'x'], {GEMINI_CLI_HOME: join(scene.home, 'other')});
  expect(await readFile(join(scene.home, 'other', '.gemini', 'settings.json'), 'utf8')).toBe(
    '{\n  "ui": {\n    "theme": "x"\n  }\n}\n',
  );
});
