import {execFile} from 'node:child_process';
import {mkdir, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {promisify} from 'node:util';
import {describe, expect, test} from '@jest/globals';
import {makeFolder} from '../helpers/make-plugin.js';
import {checkout} from '../helpers/plugin-root.js';

interface Failure {
  readonly sentence: string;
  readonly hint: string;
}
interface Package {
  readonly folder: string;
}
interface Row {
  readonly name: string;
  readonly version: string;
  readonly private: boolean;
  readonly files: number;
  readonly packedSize: number;
  readonly unpackedSize: number;
  readonly installsAlone: boolean | null;
}
interface Archive {
  readonly manifest: Readonly<Record<string, unknown>>;
  readonly plugin?: Readonly<Record<string, unknown>>;
  readonly files: readonly {readonly path: string; readonly size: number}[];
}
interface Checks {
  readonly root: string;
  readonly packages: readonly Package[];
  readonly chosen: readonly Package[];
  readonly folder: string;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

const load = async <M>(name: string): Promise<M> =>
  (await import(pathToFileURL(join(checkout, 'bin', 'release', `${name}.mjs`)).href)) as M;
const {checkArchive} = await load<{checkArchive: (archive: Archive) => readonly Failure[]}>('check-archive');
const {listPackages} = await load<{listPackages: (root: string) => readonly Package[]}>('list-packages');
const {printTable} = await load<{printTable: (rows: readonly Row[]) => string}>('print-table');
const {checkAll} = await load<{
  checkAll: (checks: Checks) => Promise<{
    readonly packages: readonly Row[];
    readonly failures: readonly (Failure & {readonly name: string})[];
  }>;
}>('check-all');

const sound = {
  manifest: {
    license: 'Apache-2.0',
    exports: {
      '.': {types: './dist/index.d.ts', default: './dist/index.js'},
      './contract': {types: './dist/contract.d.ts'},
      './schemas/*': './schemas/*',
    },
    oclif: {commands: './dist/commands'},
  },
  plugin: {tools: [{module: './dist/tools/dice.js'}], commands: [{module: './dist/commands/roll.js'}], hooks: []},
  files: [
    'LICENSE',
    'README.md',
    'dist/index.js',
    'dist/index.d.ts',
    'dist/contract.d.ts',
    'dist/tools/dice.js',
    'dist/commands/roll.js',
    'schemas/a.json',
  ].map((path) => ({path, size: 100})),
};
const without = (...paths: readonly string[]): Archive => ({
  ...sound,
  files: sound.files.filter(({path}) => !paths.includes(path)),
});
const sentences = (archive: Archive): readonly string[] => checkArchive(archive).map(({sentence}) => sentence);

describe('an archive', () => {
  test('that holds what its package names, a licence and a README is sound [release.archives]', () => {
    expect(checkArchive(sound)).toEqual([]);
  });

  test('without a licence or a README is refused, with what to do [release.archives]', () => {
    expect(
      checkArchive({...without('LICENSE', 'README.md'), manifest: {...sound.manifest, license: undefined}}),
    ).toEqual([
      {sentence: 'package.json has no `license`.', hint: 'Add `"license": "Apache-2.0"`.'},
      {
        sentence: 'The archive holds no licence.',
        hint: 'Run `npm run setup`, which copies LICENSE into each package.',
      },
      {sentence: 'The archive holds no README.md.', hint: 'Write what the package does and how to use it.'},
    ]);
  });

  test('without a file that exports, oclif or the manifest names is refused by its name [release.archives]', () => {
    const names = ['dist/contract.d.ts', 'schemas/a.json', 'dist/commands/roll.js', 'dist/tools/dice.js'];
    expect(sentences(without(...names))).toEqual([
      'exports["./contract"].types names dist/contract.d.ts, which is not in the archive.',
      'exports["./schemas/*"] names schemas/*, which is not in the archive.',
      'oclif.commands names dist/commands, which is not in the archive.',
      'gemini.plugin.json names dist/tools/dice.js, which is not in the archive.',
      'gemini.plugin.json names dist/commands/roll.js, which is not in the archive.',
    ]);
  });

  test('of a plugin whose commands oclif cannot find is refused [release.archives]', () => {
    expect(sentences({...sound, manifest: {...sound.manifest, oclif: {}}})).toEqual([
      'The plugin has commands, and package.json does not say where.',
    ]);
  });

  test('that holds tests, sources, maps, hidden files or a large file is refused [release.archives]', () => {
    const added = ['test/a.js', 'src/a.ts', 'dist/index.js.map', '.env'].map((path) => ({path, size: 10}));
    const files = [...sound.files, ...added, {path: 'dist/big.bin', size: 600_000}];
    expect(sentences({...sound, files})).toEqual([
      'The archive holds test/a.js, which belongs to the tests.',
      'The archive holds src/a.ts, which is a source file.',
      'The archive holds dist/index.js.map, which is a source map, and the archive does not hold its source.',
      'The archive holds .env, which is a hidden file.',
      'The archive holds dist/big.bin with 600000 bytes; 524288 are allowed.',
    ]);
  });
});

/** A checkout with three packages: `a` is sound, `b` is spoiled, and the program answers with another version. */
const spoiledCheckout = {
  'package.json': {
    name: 'dice',
    version: '1.2.3',
    private: true,
    license: 'MIT',
    bin: {dice: 'dice.cjs'},
    workspaces: ['packages/*'],
  },
  'packages/a/package.json': {
    name: '@dice/a',
    version: '1.2.3',
    license: 'MIT',
    type: 'module',
    exports: './a.js',
    files: ['a.js'],
  },
  'packages/b/package.json': {
    name: '@dice/b',
    version: '1.2.3',
    license: 'MIT',
    type: 'module',
    exports: {'.': './b.js', './lost': './lost.js'},
    files: ['b.js'],
    peerDependencies: {'@dice/a': '^1.0.0'},
  },
};
const texts = {
  '.gitignore': 'packages\n',
  LICENSE: 'MIT',
  'README.md': '# dice',
  'dice.cjs': "process.stdout.write('0.0.0\\n');",
  'packages/a/LICENSE': 'MIT',
  'packages/a/README.md': '# a',
  'packages/a/a.js': 'export const a = 1;',
  'packages/b/README.md': '# b',
  'packages/b/b.js': "import {a} from '@dice/a'; import 'dice-that-no-one-declares'; export const b = a;",
  'packages/b/lost.js': '',
};

test('a release is packed, installed and imported, and what is spoiled is named [release.archives]', async () => {
  await using folder = await makeFolder();
  const [root, out] = [join(folder.path, 'checkout'), join(folder.path, 'out')];
  await mkdir(out);
  for (const [path, value] of Object.entries({...spoiledCheckout, ...texts})) {
    await mkdir(dirname(join(root, path)), {recursive: true});
    await writeFile(join(root, path), typeof value === 'string' ? value : JSON.stringify(value));
  }
  const packages = listPackages(root);
  const said: string[] = [];
  const say = (line: string): void => void said.push(line.replace(/ \(.*/, ''));
  const signal = AbortSignal.timeout(60_000);
  const {packages: rows, failures} = await checkAll({root, packages, chosen: packages, folder: out, say, signal});
  expect(failures.map(({name, sentence}) => `${name}: ${sentence.split(/ imported from|\n/)[0]}`)).toEqual([
    '@dice/b: The archive holds no licence.',
    '@dice/b: exports["./lost"] names lost.js, which is not in the archive.',
    "@dice/b: @dice/b cannot be imported: Cannot find package 'dice-that-no-one-declares'",
    expect.stringContaining('@dice/b: @dice/b/lost cannot be imported: Cannot find module'),
    'dice: The installed program answers "0.0.0\\n" to --version, not 1.2.3.',
  ]);
  expect(rows.map(({name, installsAlone}) => [name, installsAlone])).toEqual([
    ['@dice/a', true],
    ['@dice/b', false],
    ['dice', false],
  ]);
  expect(said.sort()).toEqual(['… Packing 3 packages', '✓ @dice/a', '✗ @dice/b', '✗ dice'].sort());
}, 60_000);

const run = promisify(execFile);
const release = (...args: readonly string[]): Promise<{code: number; stdout: string; stderr: string}> =>
  run(process.execPath, [join(checkout, 'bin', 'release.mjs'), ...args]).then(
    (ended) => ({code: 0, ...ended}),
    (error: {code: number; stdout: string; stderr: string}) => error,
  );

test('a package of this checkout installs alone from its archive [release.archives]', async () => {
  const {code, stdout} = await release('--dry-run', '--json', '@gemini-kernel/files');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    packages: [
      {
        name: '@gemini-kernel/files',
        version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
        private: false,
        files: expect.any(Number),
        packedSize: expect.any(Number),
        unpackedSize: expect.any(Number),
        installsAlone: true,
      },
    ],
    failures: [],
  });
}, 60_000);

test('without --dry-run, and for a name that no package has, nothing is done [release.archives]', async () => {
  const refused = await release();
  expect({code: refused.code, stdout: refused.stdout}).toEqual({code: 1, stdout: ''});
  expect(refused.stderr).toContain('A checkout publishes nothing');
  const unknown = await release('--dry-run', 'dice');
  expect({code: unknown.code, stderr: unknown.stderr}).toEqual({
    code: 1,
    stderr: 'No package here is named dice.\nThe names are in the package.json files.\n',
  });
});

test('the table has numbers to the right, and marks what npm would not publish [release.archives]', () => {
  const row = {version: '1.2.3', private: false, files: 7, packedSize: 1234, unpackedSize: 56_789};
  expect(
    printTable([
      {...row, name: '@dice/a', installsAlone: true},
      {...row, name: 'dice', private: true, files: 120, installsAlone: false},
    ]),
  ).toBe(
    [
      'name            version  files  packed  unpacked  installs alone',
      '@dice/a         1.2.3        7  1.2 kB   56.8 kB  yes',
      'dice (private)  1.2.3      120  1.2 kB   56.8 kB  no',
    ].join('\n'),
  );
});
