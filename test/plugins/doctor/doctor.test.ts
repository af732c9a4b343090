import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {chmod, chown, mkdir, watch, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {dataFolder, installPlugins, type Installed} from '../../helpers/install-plugins.js';
import {makeFolder} from '../../helpers/make-plugin.js';
import {checkout} from '../../helpers/plugin-root.js';
import {isolate, runGemini, type RunResult} from '../../helpers/run-gemini.js';

interface Examined {
  readonly name: string;
  readonly version: string;
  readonly origin: string;
  readonly state: string;
  readonly causes: readonly string[];
  readonly says: readonly string[];
  readonly adds: object;
  readonly loadMs: number;
  readonly createMs: number;
}

interface Diagnosis {
  readonly version: string;
  readonly node: string;
  readonly places: Readonly<Record<string, string>>;
  readonly plugins: readonly Examined[];
  readonly leftOut: readonly {readonly name: string; readonly reason: string}[];
}

async function examine(
  plugins?: Installed,
): Promise<{readonly code: number | null; readonly home: string; readonly found: Diagnosis; readonly text: string}> {
  await using home = await makeFolder();
  if (plugins) await installPlugins(home.path, plugins);
  const {code, stdout} = await runGemini(['doctor', '--json'], {cwd: home.path, home: home.path});
  const text = await runGemini(['doctor'], {cwd: home.path, home: home.path});
  return {code, home: home.path, found: JSON.parse(stdout) as Diagnosis, text: text.stdout};
}

const core = [
  'settings',
  'trust',
  'workspace',
  'policy',
  'directories',
  'filesystem',
  'search',
  'code',
  'secrets',
  'sandbox',
  'isolation',
  'shell',
  'env',
  'network',
  'agent',
  'model-gemini',
  'model-openai',
  'model-replay',
  'mcp',
  'mcp-server',
  'acp',
  'a2a',
  'extensions',
  'custom-commands',
  'hooks',
  'memory',
  'skills',
  'subagents',
  'context',
  'learning',
  'evals',
  'fleet',
  'ask',
  'plan',
  'web',
  'telemetry',
  'todos',
  'sessions',
  'tui',
  'console',
  'ide',
  'ide-neovim',
  'tools',
  'bundles',
  'doctor',
  'devkit',
  'tour',
].map((name) => `@gemini-kernel/plugin-${name}`);

describe('gemini doctor', () => {
  test('finds that every plugin of the distribution works, and says where things are kept', async () => {
    const {code, home, found, text} = await examine();
    const {plugins, ...rest} = found;
    expect({code, ...rest}).toEqual({
      code: 0,
      version: '0.2.0',
      node: process.versions.node,
      places: {home, cache: expect.any(String), plugins: join(dataFolder(home), 'plugins.lock.json')},
      leftOut: [],
      unsafe: [],
      guards: ['hooks', 'policy', 'sandbox', 'workspace'].map((name) => ({
        plugin: `@gemini-kernel/plugin-${name}`,
        state: 'proven',
        reason: expect.any(String),
      })),
      proofs: [],
      processes: [],
    });
    expect(plugins.map(({name, origin, state, causes}) => ({name, origin, state, causes}))).toEqual(
      core.map((name) => ({name, origin: 'core', state: 'works', causes: []})),
    );
    expect(text).toMatch(/All 47 plugins work\. None of their code runs before it is needed\.\n$/);
  });

  test('says what each adds and what it costs', async () => {
    const {found} = await examine({present: ['good']});
    expect(found.plugins.at(-1)).toEqual({
      name: 'good',
      version: '1.0.0',
      origin: 'user',
      state: 'works',
      causes: [],
      says: [],
      adds: {tools: 1, commands: 1},
      loadMs: expect.any(Number),
      createMs: expect.any(Number),
    });
    expect(found.plugins.every(({loadMs, createMs}) => loadMs >= 0 && createMs >= 0)).toBe(true);
  });

  test('shows which engine searches, and why [doctor.says] [search.engine]', async () => {
    const {found, text} = await examine();
    const says = found.plugins.find(({name}) => name.endsWith('plugin-search'))?.says ?? [];
    expect(says).toEqual([expect.stringMatching(/^ripgrep \d+\.\d+\.\d+, bundled: It came with this program\.$/)]);
    expect(text).toContain(`\n    ${says[0] ?? ''}\n`);
  });

  test('names the broken and the left out with their causes, beside those that work [doctor.lists]', async () => {
    const {code, home, found, text} = await examine({present: ['good', 'service-throws', 'hook-unknown']});
    const broken = found.plugins.filter(({state}) => state === 'broken').map(({name, causes}) => ({name, causes}));
    expect({code, broken, leftOut: found.leftOut}).toEqual({
      code: 1,
      broken: [
        {name: 'service-throws', causes: [expect.stringContaining('service-throws could not start its service luck')]},
      ],
      leftOut: [
        {
          name: 'hook-unknown',
          root: expect.stringContaining(dataFolder(home)),
          reason: expect.stringMatching(/^it listens to .*, which no plugin owns$/),
        },
      ],
    });
    expect(text).toMatch(/\n1 broken, 1 left out, 48 work\.\n$/);
    expect(text).toMatch(/^✓ good {2}/m);
    expect(text).toMatch(/^✗ hook-unknown +left out: it listens to/m);
  });

  test('names a plugin that ends the program, never returns or fails later, each by its own process [doctor.apart]', async () => {
    await using home = await makeFolder();
    await installPlugins(home.path, {present: ['good', 'load-ends', 'load-hangs', 'load-rejects']});
    const {code, stdout} = await runGemini(['doctor', '--json'], {cwd: home.path, home: home.path});
    const {plugins, leftOut} = JSON.parse(stdout) as Diagnosis;
    const installed = plugins
      .filter(({origin}) => origin !== 'core')
      .map(({name, state, causes}) => ({name, state, causes}));
    expect({code, installed, leftOut}).toEqual({
      code: 1,
      installed: [
        {name: 'good', state: 'works', causes: []},
        {
          name: 'load-ends',
          state: 'broken',
          causes: [
            expect.stringMatching(
              /^Its process ended with code 1 while it was being loaded: Error: The plugin load-ends ended the program/,
            ),
          ],
        },
        {name: 'load-hangs', state: 'broken', causes: ['The plugin did not finish loading within 20 seconds.']},
        {name: 'load-rejects', state: 'broken', causes: [expect.stringContaining('out of luck, later')]},
      ],
      leftOut: [],
    });
  }, 60_000);

  test('examines one plugin, and says so when there is none of that name', async () => {
    await using home = await makeFolder();
    await installPlugins(home.path, {present: ['good', 'load-ends', 'hook-unknown']});
    const ask = (...words: string[]): Promise<RunResult> =>
      runGemini(['doctor', ...words], {cwd: home.path, home: home.path});
    expect(await ask('good')).toMatchObject({code: 0, stdout: expect.stringMatching(/^✓ good  1\.0\.0  user/)});
    expect(await ask('hook-unknown')).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^✗ hook-unknown  left out: it listens to/),
    });
    expect(JSON.parse((await ask('goood', '--json')).stdout)).toMatchObject({
      error: {code: 'PLUGIN_UNKNOWN', exit: 42},
    });
    expect(await ask('goood')).toMatchObject({
      code: 42,
      stdout: '',
      stderr: expect.stringMatching(/Error: There is no plugin goood\.\nDid you mean good\?\n$/),
    });
  });
});

test('a start that was killed while it loaded a plugin is named by the next one [load.lost]', async () => {
  await using home = await makeFolder();
  await installPlugins(home.path, {present: ['load-hangs', 'good']});
  const child = spawn(
    process.execPath,
    [join(checkout, 'bin', 'gemini.cjs'), 'tools', 'call', 'never_returns', 'text=x', '--yes'],
    {cwd: home.path, env: isolate(home.path), stdio: 'ignore'},
  );
  const notes = join(home.path, '.cache', 'gemini', 'loading');
  await mkdir(notes, {recursive: true});
  for await (const {filename} of watch(notes)) if (filename === String(child.pid)) break;
  child.kill('SIGKILL');
  await once(child, 'close');
  const next = (): Promise<RunResult> => runGemini(['good', 'hello'], {cwd: home.path, home: home.path});
  const warning =
    'Warning: The plugin load-hangs was being loaded when gemini was ended the last time. Run gemini doctor ' +
    'load-hangs, or gemini plugins uninstall load-hangs.\n';
  expect(await next()).toEqual({code: 0, stdout: 'Hello from the good plugin.\n', stderr: warning});
  expect((await next()).stderr).toBe('');
});

const asRoot = process.getuid?.() === 0 ? test : test.failing;

asRoot(
  'files that others may write are named, with the command that repairs each, though the settings cannot be ' +
    'obeyed [files.writers]',
  async () => {
    await using folder = await makeFolder();
    const own = join(folder.path, '.gemini');
    await mkdir(join(own, 'policies'), {recursive: true});
    for (const name of ['settings.json', 'policies/a.toml'])
      await writeFile(join(own, name), name.endsWith('.json') ? '{}' : '');
    await chmod(join(own, 'settings.json'), 0o666);
    await chown(join(own, 'policies'), 4321, 4321);
    const {code, stdout} = await runGemini(['doctor'], {cwd: folder.path, home: folder.path});
    const lines = stdout.split('\n').filter((line) => /^ {2}ch/.test(line));
    expect({code, lines}).toEqual({
      code: 1,
      lines: [
        `  chmod o-w ${own}/settings.json  # ${own}/settings.json can be written by everyone`,
        `  chown 0 ${own}/policies  # ${own}/policies is owned by another user (4321)`,
      ],
    });
    await chmod(join(own, 'settings.json'), 0o644);
    await chown(join(own, 'policies'), 0, 0);
    expect((await runGemini(['doctor'], {cwd: folder.path, home: folder.path})).code).toBe(0);
  },
);
