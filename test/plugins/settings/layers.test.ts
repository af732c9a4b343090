import {chmod, mkdir, symlink, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {createTestKernel} from '@gemini-kernel/kernel/testing';
import type {} from '@gemini-kernel/plugin-settings/contract';
import {pluginRoot} from '../../helpers/plugin-root.js';
import {runGemini} from '../../helpers/run-gemini.js';
import {createScene} from './scene.js';

const plugins = [pluginRoot('settings')];
const SETTINGS = '.gemini/settings.json';
// System files count only when root owns them; what this process writes is root's or is not.
const isRoot = process.getuid?.() === 0;

describe('precedence', () => {
  test('goes from defaults over the files, the variable and the flag [settings.layers]', async () => {
    await using scene = await createScene();
    const system = join(scene.home, 'system', 'settings.json');
    await mkdir(dirname(system), {mode: 0o755});
    await writeFile(system, '{"model": {"name": "system"}}', {mode: 0o644});
    await writeFile(join(dirname(system), 'system-defaults.json'), '{"model": {"name": "system-defaults"}}', {
      mode: 0o644,
    });
    await using kernel = await createTestKernel({
      plugins,
      homeFiles: {[SETTINGS]: '{"model": {"name": "user"}}'},
      files: {[SETTINGS]: '{"model": {"name": "workspace"}}'},
      variables: {GEMINI_MODEL: 'variable', GEMINI_CLI_SYSTEM_SETTINGS_PATH: system},
      flags: {'model.name': 'flag'},
    });
    const settings = await kernel.service('settings');
    const {layers, winner, value} = await settings.explain('model.name');
    const said = layers.map((layer) => [layer.layer, layer.value]);
    expect({said, winner, value}).toEqual({
      said: [
        ...(isRoot ? [['system-defaults', 'system-defaults']] : []),
        ['user', 'user'],
        ['workspace', 'workspace'],
        ...(isRoot ? [['system', 'system']] : []),
        ['environment', 'variable'],
        ['flag', 'flag'],
      ],
      winner: 'flag',
      value: 'flag',
    });
    expect(kernel.warnings).toHaveLength(isRoot ? 0 : 2);
  });

  test('leaves out a system file that others can write, and says so', async () => {
    await using scene = await createScene();
    const system = join(scene.home, 'settings.json');
    await writeFile(system, '{"model": {"name": "planted"}}');
    await chmod(system, 0o666);
    const {code, stdout, stderr} = await scene.run(['settings', 'get', 'model.name'], {
      GEMINI_CLI_SYSTEM_SETTINGS_PATH: system,
    });
    const fault = isRoot ? 'the file is writable by other users' : 'the file is not owned by root';
    expect({code, stdout, stderr}).toEqual({
      code: 0,
      stdout: '',
      stderr: `Warning: Ignoring system settings in ${system}: ${fault}.\n`,
    });
  });

  test.each<[string, {variables: Record<string, string>; key: string; value: unknown}]>([
    [
      'a boolean variable set to 1 is true',
      {variables: {GEMINI_TELEMETRY_ENABLED: '1'}, key: 'telemetry.enabled', value: true},
    ],
    [
      'a boolean variable set to anything else is false',
      {variables: {GEMINI_TELEMETRY_LOG_PROMPTS: 'no'}, key: 'telemetry.logPrompts', value: false},
    ],
    [
      'the first of two variables wins',
      {
        variables: {OTEL_EXPORTER_OTLP_ENDPOINT: 'b', GEMINI_TELEMETRY_OTLP_ENDPOINT: 'a'},
        key: 'telemetry.otlpEndpoint',
        value: 'a',
      },
    ],
    [
      'the second counts without the first',
      {variables: {OTEL_EXPORTER_OTLP_ENDPOINT: 'b'}, key: 'telemetry.otlpEndpoint', value: 'b'},
    ],
    [
      'an empty variable says nothing',
      {variables: {GEMINI_TELEMETRY_OTLP_ENDPOINT: ''}, key: 'telemetry.otlpEndpoint', value: 'http://localhost:4317'},
    ],
  ])('%s', async (_, {variables, key, value}) => {
    await using kernel = await createTestKernel({plugins, variables});
    expect(await (await kernel.service('settings')).get(key)).toBe(value);
  });
});

describe('merging', () => {
  const user = {
    mcpServers: {a: {command: 'one', args: ['x']}, b: {command: 'b'}},
    context: {includeDirectories: ['u'], fileName: ['A.md']},
    hooks: {BeforeTool: [{matcher: 'u'}], Mine: [{matcher: 'm'}]},
    tools: {exclude: ['x', 'y'], core: ['read_file']},
    ui: {footer: {hideCWD: true}},
    admin: {secureModeEnabled: true},
  };
  const project = {
    mcpServers: {a: {url: 'http://a'}},
    context: {includeDirectories: 'p', fileName: ['B.md']},
    hooks: {BeforeTool: [{matcher: 'p'}], Mine: [{matcher: 'n'}]},
    tools: {exclude: ['y', 'z'], core: []},
    ui: {footer: {hideModelInfo: true}},
    own: {of: {plugins: [1]}},
  };

  test.each<[string, string, unknown]>([
    ['a server replaces the whole server of its name', 'mcpServers', {a: {url: 'http://a'}, b: {command: 'b'}}],
    ['lists that are joined take a single value as a list', 'context.includeDirectories', ['u', 'p', 'f']],
    ['other lists are replaced', 'context.fileName', ['B.md']],
    ['an empty list replaces too', 'tools.core', []],
    ['hooks of an event are joined', 'hooks.BeforeTool', [{matcher: 'u'}, {matcher: 'p'}]],
    ['hooks of an unknown event are joined', 'hooks.Mine', [{matcher: 'm'}, {matcher: 'n'}]],
    ['unions hold each item once', 'tools.exclude', ['x', 'y', 'z']],
    ['unions include the default', 'advanced.excludedEnvVars', ['DEBUG', 'DEBUG_MODE', 'MINE']],
    [
      'objects are merged key by key',
      'ui.footer',
      {showLabels: true, hideCWD: true, hideSandboxStatus: false, hideModelInfo: true, hideContextPercentage: true},
    ],
    ['what files say about admin is discarded', 'admin.secureModeEnabled', false],
    ['unknown keys pass', 'own.of.plugins', [1]],
    ['a key that is not set is undefined', 'own.nothing', undefined],
    ['no key of a prototype is a setting', 'ui.constructor.name', undefined],
  ])('%s [settings.merge]', async (_, key, value) => {
    await using kernel = await createTestKernel({
      plugins,
      homeFiles: {[SETTINGS]: JSON.stringify({...user, advanced: {excludedEnvVars: ['MINE']}})},
      files: {[SETTINGS]: JSON.stringify(project)},
      flags: {'context.includeDirectories': ['f']},
    });
    expect(await (await kernel.service('settings')).get(key)).toEqual(value);
  });

  test('a caller cannot change the settings through what it got', async () => {
    await using kernel = await createTestKernel({plugins});
    const settings = await kernel.service('settings');
    // A copy takes it; a value that passed a border is frozen and does not.
    Reflect.set((await settings.get('context.memoryBoundaryMarkers')) as string[], 1, 'x');
    expect(await settings.get('context.memoryBoundaryMarkers')).toEqual(['.git']);
  });
});

describe('the project file', () => {
  test.each([
    ['is not read when the project is the home directory', (home: string) => home],
    ['is not read when the project is a link to the home directory', (home: string) => join(home, '..', 'link')],
  ])('%s', async (_, place) => {
    await using scene = await createScene({user: '{"context": {"includeDirectories": ["once"]}}'});
    await symlink(scene.home, join(scene.home, '..', 'link'), 'junction');
    const {stdout} = await runGemini(['settings', 'get', 'context.includeDirectories', '--json'], {
      cwd: place(scene.home),
      home: scene.home,
    });
    expect((JSON.parse(stdout) as {value: unknown}).value).toEqual(['once']);
  });
});

describe('values that do not fit', () => {
  test('are used all the same, with a line for each', async () => {
    await using kernel = await createTestKernel({
      plugins,
      files: {[SETTINGS]: '{"general": {"maxAttempts": "x", "vimMode": "true"}, "output": {"format": "xml"}}'},
      variables: {GEMINI_TELEMETRY_TARGET: 'mars'},
    });
    const settings = await kernel.service('settings');
    const values = [
      await settings.get('general.maxAttempts'),
      await settings.get('general.vimMode'),
      await settings.get('output.format'),
      await settings.get('telemetry.target'),
    ];
    const file = join(kernel.project, SETTINGS);
    expect({values, warnings: kernel.warnings}).toEqual({
      values: ['x', true, 'xml', 'mars'],
      warnings: [
        `${file}: general.maxAttempts must be a number, not "x"; it is used all the same.`,
        `${file}: output.format must be one of "text", "json", not "xml"; it is used all the same.`,
        'GEMINI_TELEMETRY_TARGET: telemetry.target must be one of "local", "gcp", not "mars"; it is used all the same.',
      ],
    });
  });

  test('take five lines at most', async () => {
    await using kernel = await createTestKernel({
      plugins,
      files: {[SETTINGS]: JSON.stringify({tools: {core: [1, 2, 3, 4, 5, 6]}})},
    });
    await (await kernel.service('settings')).get('tools.core');
    expect([kernel.warnings.length, kernel.warnings.at(-1)]).toEqual([
      5,
      '2 more settings are not valid. Run `gemini settings explain <key>` to see what a key accepts.',
    ]);
  });
});

describe('explain and list', () => {
  test('explain names the file of each layer and the winner', async () => {
    await using kernel = await createTestKernel({
      plugins,
      homeFiles: {[SETTINGS]: '{"ui": {"theme": "$THEME"}}'},
      variables: {THEME: 'Dracula'},
    });
    expect(await (await kernel.service('settings')).explain('ui.theme')).toEqual({
      key: 'ui.theme',
      value: 'Dracula',
      layers: [{layer: 'user', source: join(kernel.home, SETTINGS), value: 'Dracula'}],
      winner: 'user',
      merge: 'replace',
      description: 'Name of the colour theme. Unset: chosen to fit the terminal.',
      type: 'string',
    });
  });

  test('list names what is set, server by server and hook by hook', async () => {
    await using kernel = await createTestKernel({
      plugins,
      homeFiles: {
        [SETTINGS]:
          '{"mcpServers": {"a.b": {"command": "x"}}, "hooks": {"AfterTool": []}, "ui": {"customThemes": {"t": ' +
          '{}}}, "mine": {"x": {"y": 1}, "z": {}}}',
      },
      flags: {'context.includeDirectories': ['f']},
    });
    const settings = await kernel.service('settings');
    const listed = await settings.list();
    expect(listed.map(({key, winner}) => `${key} ${winner}`).sort()).toEqual([
      'context.includeDirectories flag',
      'hooks.AfterTool user',
      'mcpServers.a\\.b user',
      'mine.x.y user',
      'mine.z user',
      'ui.customThemes user',
    ]);
    expect(await settings.get('mcpServers.a\\.b.command')).toBe('x');
  });

  test('list with all holds every key of the schema', async () => {
    await using kernel = await createTestKernel({plugins});
    const settings = await kernel.service('settings');
    const keys = (await settings.list({all: true})).map(({key}) => key);
    expect([
      (await settings.list()).length,
      keys.includes('general.vimMode'),
      keys.includes('security.auth.selectedType'),
      keys.length > 200,
    ]).toEqual([0, true, true, true]);
  });
});
