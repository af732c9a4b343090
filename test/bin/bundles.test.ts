import {execFile} from 'node:child_process';
import {cp, mkdir, readdir, readFile, symlink} from 'node:fs/promises';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {describe, expect, test} from '@jest/globals';
import {createCatalog, findViolations} from '@gemini-kernel/kernel/host';
import {readPlugin} from '@gemini-kernel/kernel/testing';
import {makeFolder, type Folder} from '../helpers/make-plugin.js';
import {isolate} from '../helpers/run-gemini.js';
import {checkout, pluginRoot} from '../helpers/plugin-root.js';

interface Bundle {
  readonly plugins: readonly string[];
  readonly start?: string;
}

const readJson = async <T>(path: string): Promise<T> =>
  JSON.parse(await readFile(join(checkout, 'manifests', path), 'utf8')) as T;
const bundles = (await readdir(join(checkout, 'manifests/bundles'))).filter((name) => name.endsWith('.json'));

describe.each(bundles)('the bundle %s', (file) => {
  test('follows the published schema', async () => {
    expect(
      await findViolations(await readJson('schemas/bundle.schema.json'), await readJson(`bundles/${file}`), file),
    ).toEqual([]);
  });

  test('lists plugins that fit together, and starts with a command that one of them has', async () => {
    const {plugins, start} = await readJson<Bundle>(`bundles/${file}`);
    const {hostServices} = await import('#bin/dist/host-services.js');
    const {refused, commands} = createCatalog(
      await Promise.all(plugins.map((name) => readPlugin(pluginRoot(name.replace('@gemini-kernel/plugin-', ''))))),
      {host: {services: hostServices}},
    );
    expect(refused).toEqual([]);
    if (start !== undefined) expect([...commands.keys()]).toContain(start.replaceAll(' ', ':'));
  });
});

/** A bundle is built from source, which takes long on a busy machine. */
const LIMIT_MS = 120_000;

interface Distribution extends Folder {
  /** Builds it as a bundle says, and runs it in an empty project that is trusted. */
  gemini(
    ...args: readonly string[]
  ): Promise<{readonly code: number; readonly stdout: string; readonly stderr: string}>;
}

/** A program that is made of one bundle, beside the checkout. */
async function build(bundle: string): Promise<Distribution> {
  const folder = await makeFolder();
  const [root, home] = [join(folder.path, 'program'), join(folder.path, 'home')];
  const keep = (path: string): boolean =>
    path.includes('node_modules') || !/\/src$|\.(tsbuildinfo|map|d\.ts)$/.test(path);
  await mkdir(home);
  for (const name of ['bin', 'docs', 'kernel', 'manifests', 'plugins', 'policies', 'package.json', 'NOTICE'])
    await cp(join(checkout, name), join(root, name), {recursive: true, filter: keep});
  await symlink(join(checkout, 'node_modules'), join(root, 'node_modules'), 'junction');
  const run = promisify(execFile);
  await run(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      'await (await ' +
        `import(${JSON.stringify(join(root, 'bin/dist/build.js'))})).buildDistribution(${JSON.stringify(root)}, ` +
        `${JSON.stringify(bundle)})`,
    ],
    {env: isolate(home)},
  );
  return {
    ...folder,
    gemini: (...args) =>
      new Promise((resolve) => {
        const child = execFile(
          process.execPath,
          [join(root, 'bin', 'gemini.cjs'), ...args],
          {cwd: home, env: isolate(home)},
          (_, stdout, stderr) => resolve({code: child.exitCode ?? -1, stdout, stderr}),
        );
        child.stdin?.end();
      }),
  };
}

test(
  'the bundle minimal starts and works: what it lists is there, and nothing else [bundles.work]',
  async () => {
    await using program = await build('minimal');
    expect(
      await program.gemini('tools', 'call', 'write_file', 'file_path=a.txt', 'content=one', '--yes'),
    ).toMatchObject({
      code: 0,
      stderr: '',
    });
    expect(await program.gemini('tools', 'call', 'read_file', 'file_path=a.txt', '--yes')).toMatchObject({
      code: 0,
      stdout: 'one\n',
    });
    expect((await program.gemini('plugins', 'install', 'x')).code).toBe(127);
  },
  LIMIT_MS,
);

test(
  'the bundle enterprise-example starts and works: its settings and its rules are in force [bundles.work]',
  async () => {
    await using program = await build('enterprise-example');
    const explained = JSON.parse(
      (await program.gemini('settings', 'explain', 'security.disableYoloMode', '--json')).stdout,
    ) as {value: unknown; winner: string};
    expect(explained).toMatchObject({value: true, winner: 'enforced'});
    expect((await program.gemini('settings', 'get', 'general.checkpointing.enabled')).stdout).toBe('true\n');
    expect((await program.gemini('trust', 'add')).code).toBe(0);
    const refused = await program.gemini(
      'tools',
      'call',
      'run_shell_command',
      'command=curl https://example.org',
      '--yes',
    );
    expect({code: refused.code, stderr: refused.stderr}).toEqual({
      code: 1,
      stderr: expect.stringContaining('Bundle (enterprise-example): network.toml'),
    });
    expect(await program.gemini('doctor')).toMatchObject({code: 0});
  },
  LIMIT_MS,
);

test(
  'the default bundle is every first-party plugin, but for the one that needs a server',
  async () => {
    const {plugins} = await readJson<Bundle>('bundles/default.json');
    const all = (await readdir(join(checkout, 'plugins'))).filter((name) => name !== 'fleet-bullmq');
    expect([...plugins].sort()).toEqual(all.map((name) => `@gemini-kernel/plugin-${name}`).sort());
  },
  LIMIT_MS,
);
