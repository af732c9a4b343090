import {spawn} from 'node:child_process';
import {mkdir, readFile, rename, rm, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {createInterface} from 'node:readline';
import {describe, expect, test} from '@jest/globals';
import {dataFolder} from '../../../helpers/install-plugins.js';
import {checkout} from '../../../helpers/plugin-root.js';
import {isolate} from '../../../helpers/run-gemini.js';
import {fitPlugin, lendTypescript, makeEmptyScene, makeScene, toolCode, type Scene} from '../../devkit/scene.js';

/** A watch that runs. */
interface Watch {
  /** The next line on standard output; undefined at its end. */
  line(): Promise<string | undefined>;
  stop(): void;
  end(): Promise<{readonly code: number | null; readonly stderr: string}>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts `gemini plugins link --watch` in a folder. */
function startWatch(cwd: string, ...words: readonly string[]): Watch {
  const child = spawn(
    process.execPath,
    [join(checkout, 'bin', 'gemini.cjs'), 'plugins', 'link', '--watch', '--yes', ...words],
    {cwd, env: isolate(dirname(cwd)), stdio: ['ignore', 'pipe', 'pipe']},
  );
  const lines = createInterface({input: child.stdout})[Symbol.asyncIterator]();
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  return {
    line: async () => ((await lines.next()) as {value?: string}).value,
    stop: () => void child.kill('SIGINT'),
    end: async () => ({code: await closed, stderr}),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await closed;
    },
  };
}

/** Skips lines up to the one that begins so. */
async function lineOf(watch: Watch, beginning: string): Promise<string> {
  for (let line = await watch.line(); line !== undefined; line = await watch.line())
    if (line.startsWith(beginning)) return line;
  throw new Error(`It ended without a line ${beginning}: ${(await watch.end()).stderr}`);
}

/** Saves as an editor does: beside, then in its place. */
async function save(root: string, name: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, name)), {recursive: true});
  await writeFile(join(root, `${name}.new`), text);
  await rename(join(root, `${name}.new`), join(root, name));
}

const lockOf = async (scene: Scene): Promise<unknown> =>
  (JSON.parse(await readFile(join(dataFolder(dirname(scene.root)), 'plugins.lock.json'), 'utf8')) as {plugins: unknown})
    .plugins;

test(
  'plugins link --watch builds a new plugin, then again at every change, shows what does not compile, and continues ' +
    '[plugins.reload]',
  async () => {
    await using scene = await makeEmptyScene();
    expect((await scene.gemini('plugins', 'create', 'words', '--no-install', '--directory', '.')).stderr).toBe('');
    await lendTypescript(scene.root);
    await using watch = startWatch(scene.root);
    expect(await lineOf(watch, 'Linked')).toBe(`Linked gemini-plugin-words 0.1.0 from ${scene.root}.`);
    const built = /^Built gemini-plugin-words 0\.1\.0 in [\d.]+ s: 1 tool\.$/;
    expect(await watch.line()).toMatch(built);
    const source = await readFile(join(scene.root, 'src', 'errors.ts'), 'utf8');
    await save(scene.root, 'src/errors.ts', `${source}\nexport const wrong: number = 'text';\n`);
    expect(await watch.line()).toMatch(/^The code of .* does not compile: 1 error\. \([\d.]+ s\)$/);
    expect(await watch.line()).toMatch(/^ {2}src\/errors\.ts\(\d+,14\): error TS2322/);
    await save(scene.root, 'src/errors.ts', source);
    expect(await watch.line()).toMatch(built);
    watch.stop();
    expect(await watch.end()).toEqual({code: 130, stderr: ''});
    expect(await lockOf(scene)).toMatchObject({
      'gemini-plugin-words': {version: '0.1.0', source: {type: 'link', location: scene.root}},
    });
  },
  60_000,
);

describe('plugins link --watch --json [plugins.reload]', () => {
  test('prints one object per build on a line of its own, and ends with a sentence when the folder is gone', async () => {
    await using scene = await makeScene(fitPlugin);
    await scene.write({
      'package.json': JSON.stringify({
        ...(JSON.parse(fitPlugin['package.json'] ?? '') as object),
        gemini: {kernel: '^0.2.0'},
      }),
    });
    await using watch = startWatch(scene.root, '--json');
    const next = async (): Promise<unknown> => JSON.parse((await watch.line()) ?? 'null') as unknown;
    const seconds: unknown = expect.any(Number);
    const built = (tools: number): object => ({
      name: 'fit',
      seconds,
      built: true,
      version: '1.0.0',
      contributions: {tools, services: 0, hooks: 0, listeners: 0, commands: 0, flags: 0, settings: 0},
    });
    expect(await next()).toEqual(built(1));
    // A folder that was not there, and in it a folder that was not there; then the same file again.
    await scene.write({'dist/tools/two.js': toolCode({name: 'fit_two'})});
    await save(scene.root, 'src/deep/deeper/two.ts', '// one\n');
    expect(await next()).toEqual(built(2));
    await rm(join(scene.root, 'dist', 'tools', 'two.js'));
    await save(scene.root, 'src/deep/deeper/two.ts', '// two\n');
    expect(await next()).toEqual(built(1));
    await scene.write({'dist/tools/echo.js': 'export default 1;\n'});
    await save(scene.root, 'src/deep/deeper/two.ts', '// three\n');
    expect(await next()).toMatchObject({
      name: 'fit',
      seconds,
      built: false,
      error: {code: 'BUILD_INVALID', message: './dist/tools/echo.js has no default export that is a tool.'},
    });
    await rename(scene.root, `${scene.root}-elsewhere`);
    expect(JSON.parse(await rest(watch))).toMatchObject({
      error: {
        code: 'INSTALL_MISSING',
        message: `Cannot watch fit any more: its folder ${scene.root} is gone.`,
        hint: 'Run `gemini plugins unlink fit` to remove the link.',
      },
    });
    expect((await watch.end()).code).toBe(1);
  }, 60_000);
});

async function rest(watch: Watch): Promise<string> {
  const lines: string[] = [];
  for (let line = await watch.line(); line !== undefined; line = await watch.line()) lines.push(line);
  return lines.join('\n');
}
