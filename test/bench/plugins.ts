import {spawnSync} from 'node:child_process';
import {cp, lstat, mkdir, mkdtemp, readdir, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {hashTree, verifyTree} from '@gemini-kernel/admission';
import {checkout} from '../helpers/plugin-root.js';
import {isolate} from '../helpers/run-gemini.js';
import {startVerdaccio, type Registry} from '../helpers/verdaccio.js';
import {median, type Bench} from './measure.js';

const FOLDERS = 200;
const FILES = 10;

/** A tree of 2,000 files of 8 KB in 400 folders, and the record of it. */
async function withTree<T>(
  use: (tree: {readonly root: string; readonly digest: string; readonly record: string}) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'gemini-bench-tree-'));
  const root = join(folder, 'tree');
  try {
    for (let index = 0; index < FOLDERS; index += 1) {
      const place = join(root, `package-${index}`, 'dist');
      await mkdir(place, {recursive: true});
      for (let file = 0; file < FILES; file += 1)
        await writeFile(join(place, `file-${file}.js`), `${index}.${file};`.padEnd(8000, 'x'));
    }
    const digest = hashTree(root);
    const record = join(folder, 'record.txt');
    await verifyTree({root, tree: digest, record});
    return await use({root, digest, record});
  } finally {
    await rm(folder, {recursive: true, force: true});
  }
}

const verifyUntouched: Bench = {
  name: 'verifying an unchanged plugin of 2,000 files',
  target: {atMost: 10, of: 'a millisecond'},
  run: () =>
    withTree(async ({root, digest, record}) => {
      // A start finds nothing compiled, so each look is that of a new process.
      const code = `const {verifyTree} = await import(${JSON.stringify(join(checkout, 'kernel/admission/dist/verify-tree.js'))});
        const started = performance.now();
        const fault = await verifyTree(${JSON.stringify({root, tree: digest, record})});
        console.log(fault ?? performance.now() - started);`;
      const times = Array.from({length: 15}, () => {
        const {stdout, stderr} = spawnSync(process.execPath, ['--input-type=module', '-e', code], {encoding: 'utf8'});
        const ms = stdout.trim() === '' ? Number.NaN : Number(stdout);
        if (Number.isNaN(ms)) throw new Error(`The tree was not verified: ${stdout}${stderr}`);
        return ms;
      });
      return {
        ratio: median(times),
        detail:
          `median of ${times.length} processes, ${Math.min(...times).toFixed(1)} to ` +
          `${Math.max(...times).toFixed(1)} ms`,
      };
    }),
};

const verifyChanged: Bench = {
  name: 'verifying a plugin of 2,000 files that was touched',
  target: {atMost: 1.2, of: 'hashing it'},
  run: () =>
    withTree(async ({root, digest, record}) => {
      const rounds: (readonly [number, number])[] = [];
      for (let round = 0; round < 9; round += 1) {
        await rm(record);
        const verified = await timed(() => verifyTree({root, tree: digest, record}));
        rounds.push([verified, await timed(async () => hashTree(root))]);
      }
      const [ours, theirs] = [median(rounds.map(([a]) => a)), median(rounds.map(([, b]) => b))];
      return {
        ratio: ours / theirs,
        detail: `${ours.toFixed(0)} ms / ${theirs.toFixed(0)} ms, medians of ${rounds.length}`,
      };
    }),
};

async function timed(act: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await act();
  return performance.now() - started;
}

/** Publishes a plugin, with a dependency when one is named, to a private registry on loopback. */
async function publish(registry: Registry, folder: string, dependency?: string): Promise<string> {
  const token = await registry.addUser(`user-${dependency ?? 'none'}`);
  const name = dependency ? 'bench-with' : 'bench-without';
  const source = join(folder, name);
  await cp(join(checkout, 'test', 'fixtures', 'plugins', 'good'), source, {recursive: true});
  const replaceName = (text: string): string => text.replaceAll('"good"', `"${name}"`);
  for (const file of ['gemini.plugin.json', 'oclif.manifest.json'])
    await writeFile(join(source, file), replaceName(await readFile(join(source, file), 'utf8')));
  const pjson = JSON.parse(replaceName(await readFile(join(source, 'package.json'), 'utf8'))) as Record<
    string,
    unknown
  >;
  await writeFile(
    join(source, 'package.json'),
    JSON.stringify({...pjson, ...(dependency ? {dependencies: {[dependency]: '1.0.0'}} : {})}),
  );
  if (dependency) {
    const needed = join(folder, dependency);
    await mkdir(needed);
    await writeFile(join(needed, 'package.json'), JSON.stringify({name: dependency, version: '1.0.0'}));
    await registry.publish(needed, token);
  }
  await registry.publish(source, token);
  return name;
}

const installing = (dependency: string | undefined): Bench => ({
  name: `installing a small plugin ${dependency ? 'with' : 'without'} a dependency from a registry`,
  target: {atMost: 1.3, of: 'npm install of the same'},
  async run() {
    await using registry = await startVerdaccio();
    const folder = await mkdtemp(join(tmpdir(), 'gemini-bench-install-'));
    try {
      const name = await publish(registry, folder, dependency);
      const home = join(folder, 'home');
      await mkdir(home);
      await writeFile(join(home, '.npmrc'), `registry=${registry.url}\n`);
      const run = (program: string, argv: readonly string[], round: string): number => {
        const cwd = join(folder, round);
        const started = performance.now();
        const {status, stderr} = spawnSync(program, argv, {
          cwd,
          env: isolate(home, {GEMINI_DATA_DIR: join(cwd, 'data')}),
          encoding: 'utf8',
        });
        if (status !== 0) throw new Error(`${program} ${argv.join(' ')} ended with ${status}: ${stderr}`);
        return performance.now() - started;
      };
      const rounds: (readonly [number, number])[] = [];
      for (let round = 0; round < 8; round += 1) {
        const [ours, theirs] = [`ours-${round}`, `theirs-${round}`];
        await Promise.all([ours, theirs].map((one) => mkdir(join(folder, one))));
        await writeFile(join(folder, theirs, 'package.json'), '{"name": "theirs", "version": "1.0.0"}');
        rounds.push([
          run(process.execPath, [join(checkout, 'bin', 'gemini.cjs'), 'plugins', 'install', name, '--yes'], ours),
          run('npm', ['install', name, '--no-audit', '--no-fund'], theirs),
        ]);
      }
      // The first of each fills the caches.
      const warm = rounds.slice(1);
      const [a, b] = [median(warm.map(([first]) => first)), median(warm.map(([, second]) => second))];
      return {ratio: a / b, detail: `${a.toFixed(0)} ms / ${b.toFixed(0)} ms, medians of ${warm.length}`};
    } finally {
      await rm(folder, {recursive: true, force: true});
    }
  },
});

const creating: Bench = {
  name: 'creating a plugin until its first test is green',
  target: {atMost: 20, of: 'a second'},
  async run() {
    const folder = await mkdtemp(join(tmpdir(), 'gemini-bench-create-'));
    try {
      const run = (cwd: string, ...argv: readonly string[]): void => {
        const {status, stdout, stderr} = spawnSync(
          process.execPath,
          [join(checkout, 'bin', 'gemini.cjs'), 'plugins', ...argv],
          {cwd, env: isolate(folder), encoding: 'utf8'},
        );
        if (status !== 0) throw new Error(`gemini plugins ${argv.join(' ')} ended with ${status}: ${stdout}${stderr}`);
      };
      const took = await timed(async () => {
        run(folder, 'create', 'weather');
        run(join(folder, 'gemini-plugin-weather'), 'test');
      });
      return {ratio: took / 1000, detail: 'with npm install of its two development dependencies'};
    } finally {
      await rm(folder, {recursive: true, force: true});
    }
  },
};

const productSize: Bench = {
  name: 'node_modules of the product, without what only development needs',
  target: {atMost: 70, of: 'a megabyte'},
  async run() {
    const folder = await mkdtemp(join(tmpdir(), 'gemini-bench-size-'));
    try {
      const {workspaces} = JSON.parse(await readFile(join(checkout, 'package.json'), 'utf8')) as {workspaces: string[]};
      const plugins = (await readdir(join(checkout, 'plugins'))).map((name) => join('plugins', name));
      for (const place of ['.', ...workspaces.filter((one) => !one.includes('*')), ...plugins])
        await cp(join(checkout, place, 'package.json'), join(folder, place, 'package.json'), {recursive: true});
      for (const name of ['package-lock.json', '.npmrc']) await cp(join(checkout, name), join(folder, name));
      const {status, stderr} = spawnSync('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund'], {
        cwd: folder,
        encoding: 'utf8',
      });
      if (status !== 0) throw new Error(`npm ci ended with ${status}: ${stderr}`);
      const bytes = await sizeOf(join(folder, 'node_modules'));
      return {ratio: bytes / 2 ** 20, detail: 'blocks on the disk, as du counts them'};
    } finally {
      await rm(folder, {recursive: true, force: true});
    }
  },
};

async function sizeOf(path: string): Promise<number> {
  const stats = await lstat(path);
  const own = stats.blocks * 512;
  if (!stats.isDirectory()) return own;
  const inner = await Promise.all((await readdir(path)).map((name) => sizeOf(join(path, name))));
  return inner.reduce((sum, size) => sum + size, own);
}

/** What the life of a plugin costs. */
export const benchPlugins: readonly Bench[] = [
  verifyUntouched,
  verifyChanged,
  installing(undefined),
  installing('bench-needed'),
  creating,
  productSize,
];
