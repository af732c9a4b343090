import {execFile} from 'node:child_process';
import {mkdir, mkdtemp, readFile, writeFile} from 'node:fs/promises';
import {createServer, type RequestListener} from 'node:http';
import type {AddressInfo} from 'node:net';
import {delimiter, join} from 'node:path';
import {promisify} from 'node:util';
import {beforeAll, expect, test} from '@jest/globals';
import type {ManagedRules} from '@gemini-kernel/admission';
import type {PackageParts} from '../../../../helpers/registry.js';
import {startVerdaccio} from '../../../../helpers/verdaccio.js';
import {installerUnder, makeInstallScene, type InstallScene} from '../scene.js';
import {installDependencies} from '#plugins/bundles/dist/install/dependencies/install-dependencies.js';
import {resolveSimply} from '#plugins/bundles/dist/install/dependencies/resolve-simply.js';

interface Wanted {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly before?: Date;
}

type Entries = Readonly<Record<string, object>>;

const plugin = {name: 'words', version: '1.0.0'};

/** `a@1.0.0 > b@^1 c@2`, and what else stands in its package.json. */
type Line =
  | string
  | readonly [
      line: string,
      pack: Readonly<Record<string, unknown>>,
      published?: {readonly at?: string; readonly tag?: string},
    ];

/** What is published, and what is requested of it. */
interface Graph {
  readonly lines: readonly Line[];
  readonly wanted: Wanted;
}

function readLine(line: string): PackageParts {
  const [own = '', needs = ''] = line.split(' > ');
  const [name, version] = splitSpec(own);
  return {name, version, manifest: null, pack: {dependencies: needsOf(needs)}};
}

function splitSpec(spec: string): [string, string] {
  const at = spec.indexOf('@', 1);
  return [spec.slice(0, at), spec.slice(at + 1)];
}

function needsOf(text: string): Record<string, string> {
  return Object.fromEntries(
    text
      .split(' ')
      .filter((one) => one !== '')
      .map(splitSpec),
  );
}

function publishAll({registry}: InstallScene, lines: readonly Line[]): void {
  for (const line of lines) {
    const [text, pack = {}, {at, tag} = {}] = typeof line === 'string' ? [line] : line;
    const parts = readLine(text);
    registry.publish(
      {...parts, pack: {...parts.pack, ...pack}},
      {...(at ? {at: new Date(at)} : {}), ...(tag ? {tag} : {})},
    );
  }
}

const want = (needs: string, optional = '', before?: string): Wanted => ({
  dependencies: needsOf(needs),
  optionalDependencies: needsOf(optional),
  ...(before ? {before: new Date(before)} : {}),
});

async function resolveIn(scene: InstallScene, wanted: Wanted, changes: object = {}): Promise<Entries | undefined> {
  return resolveSimply({...(await installerUnder(scene, undefined)), ...changes}, {plugin, ...wanted});
}

const KEPT = [
  'version',
  'resolved',
  'integrity',
  'dependencies',
  'optionalDependencies',
  'optional',
  'hasInstallScript',
];

/** What the npm of this machine says, in a folder of its own. */
async function askNpm(scene: InstallScene, {before, ...wanted}: Wanted): Promise<Entries> {
  const cwd = await mkdtemp(join(scene.folder, 'npm-'));
  await writeFile(join(cwd, 'package.json'), JSON.stringify({name: 'dependencies', version: '0.0.0', ...wanted}));
  const env = {PATH: process.env['PATH'], HOME: scene.home, ...scene.variables};
  const until = before ? [`--before=${before.toISOString()}`] : [];
  const [file, ...first] =
    process.platform === 'win32'
      ? [process.execPath, join(process.execPath, '..', 'node_modules', 'npm', 'bin', 'npm-cli.js')]
      : ['npm'];
  await promisify(execFile)(
    file,
    [...first, 'install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund', ...until],
    {cwd, env},
  );
  const {packages} = JSON.parse(await readFile(join(cwd, 'package-lock.json'), 'utf8')) as {packages: Entries};
  return Object.fromEntries(
    Object.entries(packages)
      .filter(([place]) => place !== '')
      .map(([place, entry]) => [
        place,
        Object.fromEntries(Object.entries(entry).filter(([key]) => KEPT.includes(key))),
      ]),
  );
}

/**
 * A graph whose names all begin with a word of its own, so that npm, which takes long to start, can be asked about
 * several at once.
 */
interface MarkedGraph extends Graph {
  readonly mark: string;
}

function markGraph(mark: string, {lines, wanted}: Graph): MarkedGraph {
  const rename = (name: string): string => (name.startsWith('@') ? `@${mark}-${name.slice(1)}` : `${mark}-${name}`);
  const renameAll = (needs: object): Record<string, string> =>
    Object.fromEntries(Object.entries(needs).map(([name, range]) => [rename(name), String(range)]));
  const renameIn = (pack: Readonly<Record<string, unknown>>): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(pack).map(([key, value]) => [
        key,
        /^(d|optionalD)ependencies$/.test(key) ? renameAll(value as object) : value,
      ]),
    );
  const marked = lines.map((line): Line => {
    const [text, pack = {}, published = {}] = typeof line === 'string' ? [line] : line;
    return [
      text
        .split(' ')
        .map((word) => (word === '' || word === '>' ? word : rename(word)))
        .join(' '),
      renameIn(pack),
      published,
    ];
  });
  return {
    mark,
    lines: marked,
    wanted: {
      ...wanted,
      dependencies: renameAll(wanted.dependencies),
      optionalDependencies: renameAll(wanted.optionalDependencies),
    },
  };
}

/** What npm says of each of them, by their marks; one npm for all that count until the same day. */
async function askNpmOfAll(scene: InstallScene, graphs: readonly MarkedGraph[]): Promise<ReadonlyMap<string, Entries>> {
  const days = [...new Set(graphs.map(({wanted: {before}}) => before?.getTime()))];
  const answers = await Promise.all(
    days.map((day) => {
      const wanted = graphs.map((graph) => graph.wanted).filter(({before}) => before?.getTime() === day);
      const merge = (key: 'dependencies' | 'optionalDependencies'): Record<string, string> =>
        Object.assign({}, ...wanted.map((one) => one[key])) as Record<string, string>;
      return askNpm(scene, {
        dependencies: merge('dependencies'),
        optionalDependencies: merge('optionalDependencies'),
        ...(day === undefined ? {} : {before: new Date(day)}),
      });
    }),
  );
  const entries = answers.flatMap((answer) => Object.entries(answer));
  return new Map(
    graphs.map(({mark}) => [
      mark,
      Object.fromEntries(entries.filter(([place]) => new RegExp(`^node_modules/@?${mark}-`).test(place))),
    ]),
  );
}

/** What is answered here and what npm answers, by the marks of the graphs that are answered here at all. */
async function compareWithNpm(
  graphs: readonly MarkedGraph[],
): Promise<{readonly ours: Readonly<Record<string, Entries>>; readonly npm: Readonly<Record<string, Entries>>}> {
  await using scene = await makeInstallScene();
  for (const {lines} of graphs) publishAll(scene, lines);
  const ours: Record<string, Entries> = {};
  for (const {mark, wanted} of graphs) {
    const answer = await resolveIn(scene, wanted);
    if (answer) ours[mark] = answer;
  }
  const npm = await askNpmOfAll(
    scene,
    graphs.filter(({mark}) => Object.hasOwn(ours, mark)),
  );
  return {ours, npm: Object.fromEntries(npm)};
}

const same: readonly (readonly [title: string, lines: readonly Line[], wanted: Wanted])[] = [
  ['a chain', ['a@1.0.0 > b@^1', 'b@1.2.0 > c@~1.0.0', 'c@1.0.5', 'c@1.1.0'], want('a@1')],
  [
    'a diamond whose ranges differ and choose the same',
    ['a@1.0.0 > b@^1 c@*', 'b@1.0.0 > d@>=1.0.0', 'c@2.0.0 > d@^1.1', 'd@1.0.0', 'd@1.1.0', 'd@1.9.9'],
    want('a@1 d@1.x'),
  ],
  ['a circle', ['a@1.0.0 > b@1', 'b@1.0.0 > a@^1.0.0'], want('a@*')],
  ['a scope', ['@one/a@1.0.0 > @two/b@latest', '@two/b@0.1.0'], want('@one/a@^1')],
  [
    'optional dependencies, and what only they need',
    [['a@1.0.0', {optionalDependencies: {b: '1'}}], 'b@1.0.0 > c@1', 'c@1.0.0', 'd@1.0.0 > e@1', 'e@1.0.0'],
    want('a@1', 'd@1 c@1'),
  ],
  [
    'an optional package that another one requires',
    [['a@1.0.0', {dependencies: {b: '1'}, optionalDependencies: {b: '1'}}], 'b@1.0.0', 'c@1.0.0 > b@1'],
    want('a@1 c@1'),
  ],
  ['a newest version that is deprecated', ['a@1.0.0', ['a@1.1.0', {deprecated: 'broken'}]], want('a@^1')],
  [
    'versions that are all deprecated',
    [
      ['a@1.0.0', {deprecated: 'old'}],
      ['a@1.1.0', {deprecated: 'old'}],
    ],
    want('a@^1'),
  ],
  [
    'a day after which nothing counts',
    [
      ['a@1.0.0 > b@^1', {}, {at: '2026-01-01'}],
      ['a@1.1.0', {}, {at: '2026-03-01'}],
      ['b@1.0.0', {}, {at: '2026-01-02'}],
      ['b@1.0.1', {}, {at: '2026-02-02'}],
    ],
    want('a@^1', '', '2026-02-01'),
  ],
  ['prereleases', ['a@1.0.0', 'a@2.0.0-beta.1', 'b@1.0.0-rc.1', 'b@1.0.0-rc.2'], want('a@>=1 b@^1.0.0-rc.1')],
  [
    'a tag latest below the highest version',
    ['a@2.0.0', ['a@1.0.0', {}, {tag: 'latest'}], ['a@1.5.0', {}, {tag: 'next'}], 'b@1.0.0 > a@>=1'],
    want('a@* b@1'),
  ],
  [
    'install scripts',
    [
      ['a@1.0.0', {scripts: {postinstall: 'node x'}}],
      ['b@1.0.0', {scripts: {test: 'node x'}}],
    ],
    want('a@1 b@1'),
  ],
  [
    'engines that this Node has',
    [
      ['a@1.0.0', {engines: {node: '>=18'}}],
      ['a@2.0.0', {engines: {}}],
    ],
    want('a@1'),
  ],
  [
    'empty lists of everything',
    [['a@1.0.0', {peerDependencies: {}, bundleDependencies: [], os: [], cpu: []}]],
    want('a@'),
  ],
];

let compared: Awaited<ReturnType<typeof compareWithNpm>>;

beforeAll(async () => {
  compared = await compareWithNpm(same.map(([, lines, wanted], index) => markGraph(`g${index}`, {lines, wanted})));
});

test.each(same.map(([title], index) => [title, `g${index}`] as const))('it answers as npm does for %s', (_, mark) => {
  expect(compared.ours[mark]).toEqual(compared.npm[mark]);
  expect(Object.keys(compared.ours[mark] ?? {}).length).toBeGreaterThan(0);
});

test('a registry that gives short answers is understood as npm understands it', async () => {
  await using scene = await makeInstallScene();
  await using registry = await startVerdaccio();
  const token = await registry.addUser('ann');
  await writeFile(join(scene.home, '.npmrc'), registry.npmrc(token));
  const packages = [
    {name: '@acme/a', dependencies: {b: '^1'}, scripts: {install: 'node x'}},
    {name: 'b', optionalDependencies: {c: '*'}, engines: {node: '>=18'}},
    {name: 'c'},
  ];
  await Promise.all(
    packages.map(async (pack) => {
      const folder = join(scene.folder, pack.name);
      await mkdir(folder, {recursive: true});
      await writeFile(join(folder, 'package.json'), JSON.stringify({version: '1.0.0', ...pack}));
      await registry.publish(folder, token);
    }),
  );
  const there: InstallScene = {...scene, variables: {npm_config_cache: join(scene.folder, 'other-cache')}};
  const ours = await resolveIn(there, want('@acme/a@1'));
  expect(ours).toEqual(await askNpm(there, want('@acme/a@1')));
  expect(Object.keys(ours ?? {})).toEqual(['node_modules/@acme/a', 'node_modules/b', 'node_modules/c']);
});

/** Numbers below one, the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed * 2_654_435_761;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}

function randomGraph(seed: number): Graph {
  const random = randomFrom(seed);
  const one = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const names = ['n0', 'n1', '@s/n2', 'n3', 'n4', '@s/n5'];
  const versions = ['0.1.0', '1.0.0', '1.0.1', '1.2.0', '2.0.0-beta.1', '2.0.0'];
  const ranges = ['*', '^1', '~1.0.0', '>=1', '1.x', 'latest', '1.0.0', '>=0.1', '^1 || ^2', '^2.0.0-beta.0', '<2'];
  const need = (): string => `${one(names)}@${one(ranges)}`.replaceAll(' ', '');
  const lines = names.flatMap((name) =>
    versions
      .filter((version) => version === '1.0.0' || random() < 0.45)
      .map((version): Line => {
        const needs = Array.from({length: Math.floor(random() * 3)}, need).filter(
          (spec) => splitSpec(spec)[0] !== name,
        );
        const optional = random() < 0.2 ? needsOf(need()) : {};
        const pack = {
          ...(random() < 0.15 ? {deprecated: 'old'} : {}),
          ...(Object.hasOwn(optional, name) ? {} : {optionalDependencies: optional}),
        };
        return [`${name}@${version} > ${needs.join(' ')}`, pack, {at: one(['2026-01-01', '2026-02-01', '2026-03-01'])}];
      }),
  );
  return {
    lines,
    wanted: want(`${need()} ${need()}`, random() < 0.3 ? need() : '', random() < 0.3 ? '2026-02-15' : undefined),
  };
}

/** The long form is for `FUZZ_RUNS`, as in the policy plugin's. */
const GRAPHS = Number(process.env['FUZZ_RUNS'] ?? 15);

const AT_ONCE = 30;

test(
  'for graphs made by chance it answers as npm does, or not at all',
  async () => {
    let count = 0;
    for (let seed = 1; count < GRAPHS && seed < GRAPHS * 20; seed += AT_ONCE) {
      const {ours, npm} = await compareWithNpm(
        Array.from({length: AT_ONCE}, (_, index) => markGraph(`seed${seed + index}`, randomGraph(seed + index))),
      );
      expect(ours).toEqual(npm);
      count += Object.keys(ours).length;
    }
    expect(count).toBeGreaterThanOrEqual(GRAPHS);
  },
  30_000 + GRAPHS * 4_000,
);

/** A folder for the front of PATH whose npm notes that it was run, and finds that nothing is needed. */
async function recordingNpm(scene: InstallScene): Promise<{readonly path: string; runs(): Promise<number>}> {
  const folder = join(scene.folder, 'recording');
  const log = join(folder, 'runs.txt');
  const script = join(folder, 'node_modules', 'npm', 'bin', 'npm-cli.js');
  await mkdir(join(script, '..'), {recursive: true});
  await writeFile(log, '');
  await writeFile(
    script,
    `const {appendFileSync, writeFileSync} = require('node:fs');\nappendFileSync(${JSON.stringify(log)}, ` +
      `'x');\nwriteFileSync('package-lock.json', '{"packages": {}}');\n`,
  );
  await writeFile(join(folder, 'npm'), `#!/usr/bin/env node\nrequire(${JSON.stringify(script)});\n`, {mode: 0o755});
  await writeFile(join(folder, 'npm.cmd'), '', {mode: 0o755});
  return {
    path: `${folder}${delimiter}${process.env['PATH'] ?? ''}`,
    runs: async () => (await readFile(log, 'utf8')).length,
  };
}

async function countRuns(
  scene: InstallScene,
  wanted: Wanted,
  variables: Readonly<Record<string, string>> = {},
): Promise<number> {
  const npm = await recordingNpm(scene);
  const installer = await installerUnder(
    {...scene, variables: {...scene.variables, ...variables, PATH: npm.path}},
    undefined,
  );
  await installDependencies(installer, {
    package: {...plugin, ...wanted},
    folder: join(scene.folder, 'tree'),
    work: join(scene.folder, 'work'),
  });
  return npm.runs();
}

test('npm is not run for what is simple', async () => {
  await using scene = await makeInstallScene();
  publishAll(scene, ['a@1.0.0 > b@1', 'b@1.0.0']);
  expect(await countRuns(scene, want('a@1'))).toBe(0);
  expect(
    JSON.parse(await readFile(join(scene.folder, 'tree', 'node_modules', 'b', 'package.json'), 'utf8')),
  ).toMatchObject({name: 'b', version: '1.0.0'});
});

const left: readonly (readonly [
  title: string,
  lines: readonly Line[],
  wanted: Wanted,
  variables?: Readonly<Record<string, string>>,
])[] = [
  ['two versions of one package', ['a@1.0.0 > b@1', 'b@1.0.0', 'b@2.0.0'], want('a@1 b@2')],
  [
    'ranges of which one would take an older version than the other',
    ['a@1.0.0 > b@~1.0.0', 'b@1.0.0', 'b@1.1.0'],
    want('a@1 b@^1'),
  ],
  ['peers', [['a@1.0.0', {peerDependencies: {b: '1'}}], 'b@1.0.0'], want('a@1 b@1')],
  ['optional peers', [['a@1.0.0', {peerDependenciesMeta: {b: {optional: true}}}]], want('a@1')],
  ['a package that brings others along', [['a@1.0.0', {bundleDependencies: ['b']}]], want('a@1')],
  ['a package that brings others along, spelled otherwise', [['a@1.0.0', {bundledDependencies: ['b']}]], want('a@1')],
  ['a package with a shrinkwrap', [['a@1.0.0', {_hasShrinkwrap: true}]], want('a@1')],
  ['another name', ['a@1.0.0 > b@npm:c@1', 'c@1.0.0'], want('a@1')],
  ['a tag', [['a@1.0.0', {}, {tag: 'next'}]], want('a@next')],
  ['a repository', ['a@1.0.0 > b@git+https://example.com/b.git'], want('a@1')],
  ['an address', ['a@1.0.0 > b@https://example.com/b.tgz'], want('a@1')],
  ['a folder', ['a@1.0.0 > b@file:../b'], want('a@1')],
  ['an operating system', [['a@1.0.0', {os: ['linux']}]], want('', 'a@1')],
  ['a processor', [['a@1.0.0', {cpu: ['x64']}]], want('a@1')],
  ['a version of npm', [['a@1.0.0', {engines: {npm: '>=6'}}]], want('a@1')],
  [
    'another Node',
    [
      ['a@1.0.0', {engines: {node: '>=900'}}],
      ['a@0.9.0', {}, {tag: 'old'}],
    ],
    want('a@>=0'),
  ],
  ['capital letters', ['A@1.0.0'], want('A@1')],
  ['a package that needs itself', ['a@1.0.0 > a@1'], want('a@1')],
  ['the name of the plugin', ['a@1.0.0 > words@1', 'words@1.0.0'], want('a@1')],
  ['the name that npm is given for the root', ['dependencies@1.0.0'], want('dependencies@1')],
  ['something that is not there', [], want('a@1')],
  ['a version that is not there', ['a@1.0.0'], want('a@2')],
  ['something optional that is not there', ['a@1.0.0'], want('a@1', 'b@1')],
  ['a person who wants old versions', ['a@1.0.0'], want('a@1'), {npm_config_before: '2026-05-05'}],
  ['a person who wants a setting that is not known here', ['a@1.0.0'], want('a@1'), {NPM_CONFIG_min_release_age: '3'}],
  ['more packages than are looked up', [], want(Array.from({length: 201}, (_, index) => `p${index}@1`).join(' '))],
];

test.each(left.map(([title, lines, wanted, variables = {}]) => ({title, lines, wanted, variables})))(
  'npm is run for $title',
  async ({lines, wanted, variables}) => {
    await using scene = await makeInstallScene();
    publishAll(scene, lines);
    expect(await countRuns(scene, wanted, variables)).toBe(1);
  },
);

test('npm is run for a person whose .npmrc has a say in versions, and not for one whose has none', async () => {
  await using scene = await makeInstallScene();
  publishAll(scene, ['a@1.0.0']);
  await writeFile(join(scene.home, '.npmrc'), 'omit=optional\n');
  expect(await countRuns(scene, want('a@1'))).toBe(1);
  await writeFile(
    join(scene.home, '.npmrc'),
    'fund=false\n//registry.example/:_authToken=secret\n@acme:registry=https://registry.example/\n',
  );
  expect(await countRuns(scene, want('a@1'))).toBe(0);
});

test('npm is run when it has another Node and a package asks for one', async () => {
  await using scene = await makeInstallScene();
  publishAll(scene, [['a@1.0.0', {engines: {node: '>=18'}}]]);
  const folder = join(scene.folder, 'other-node');
  await mkdir(folder);
  await writeFile(join(folder, 'node'), '', {mode: 0o755});
  const path = `${folder}${delimiter}${process.env['PATH'] ?? ''}`;
  const ours = await resolveIn({...scene, variables: {...scene.variables, PATH: path}}, want('a@1'));
  expect(ours === undefined).toBe(process.platform !== 'win32');
});

test('npm has the word when a registry wants to know who asks', async () => {
  await using scene = await makeInstallScene();
  publishAll(scene, ['a@1.0.0']);
  scene.registry.misbehave(/a/, 401);
  expect(await countRuns(scene, want('a@1'))).toBe(1);
});

async function serve(
  answer: RequestListener,
): Promise<{readonly url: string; readonly requests: readonly string[]; [Symbol.asyncDispose](): Promise<void>}> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const dist = {tarball: 'https://registry.example/a.tgz', integrity: `sha512-${'A'.repeat(86)}==`};
const version = {name: 'a', version: '1.0.0', dist};
const garbage: readonly (readonly [string, unknown])[] = [
  ['no JSON', '<html>'],
  ['nothing', null],
  ['a list', []],
  ['another package', {name: 'b', versions: {'1.0.0': version}}],
  ['no versions', {name: 'a'}],
  ['invalid versions', {name: 'a', versions: {'1.0.0': 7}}],
  ['versions in a list', {name: 'a', versions: [version]}],
  ['a version that calls itself otherwise', {name: 'a', versions: {'1.0.0': {...version, version: '1.0.1'}}}],
  ['no digest', {name: 'a', versions: {'1.0.0': {...version, dist: {tarball: dist.tarball}}}}],
  [
    'an old digest',
    {name: 'a', versions: {'1.0.0': {...version, dist: {...dist, integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk='}}}},
  ],
  ['no archive', {name: 'a', versions: {'1.0.0': {...version, dist: {integrity: dist.integrity}}}}],
  ['an archive in a file', {name: 'a', versions: {'1.0.0': {...version, dist: {...dist, tarball: 'file:///a.tgz'}}}}],
  ['invalid dependencies', {name: 'a', versions: {'1.0.0': {...version, dependencies: {b: {}}}}}],
  ['dependencies with invalid names', {name: 'a', versions: {'1.0.0': {...version, dependencies: {'../b': '1'}}}}],
];

test.each(garbage)('a registry that answers with %s leaves it to npm', async (_, content) => {
  await using scene = await makeInstallScene();
  await using server = await serve(
    (__, response) => void response.end(typeof content === 'string' ? content : JSON.stringify(content)),
  );
  const there: InstallScene = {...scene, variables: {...scene.variables, npm_config_registry: server.url}};
  expect(await resolveIn(there, want('a@1'))).toBeUndefined();
  expect(server.requests).toEqual(['/a']);
});

test('the same registry with all of it is understood', async () => {
  await using scene = await makeInstallScene();
  await using server = await serve(
    (_, response) => void response.end(JSON.stringify({name: 'a', versions: {'1.0.0': version}})),
  );
  const there: InstallScene = {...scene, variables: {...scene.variables, npm_config_registry: server.url}};
  expect(await resolveIn(there, want('a@1'))).toEqual({
    'node_modules/a': {version: '1.0.0', resolved: dist.tarball, integrity: dist.integrity},
  });
});

test("versions without times are npm's to judge by time", async () => {
  await using scene = await makeInstallScene();
  await using server = await serve(
    (_, response) => void response.end(JSON.stringify({name: 'a', versions: {'1.0.0': version}})),
  );
  const there: InstallScene = {...scene, variables: {...scene.variables, npm_config_registry: server.url}};
  expect(await resolveIn(there, want('a@1', '', '2026-02-01'))).toBeUndefined();
});

test('an abort ends it with its reason', async () => {
  await using scene = await makeInstallScene();
  publishAll(scene, ['a@1.0.0 > b@1 c@1', 'b@1.0.0', 'c@1.0.0']);
  scene.registry.misbehave(/^\/[bc]/, 'hang');
  const stop = new AbortController();
  const reason = new Error('enough');
  scene.registry.onRequest((path) => void (path === '/c' && stop.abort(reason)));
  await expect(resolveIn(scene, want('a@1'), {signal: stop.signal})).rejects.toBe(reason);
});

test('one that fails is not kept waiting by one that hangs', async () => {
  await using scene = await makeInstallScene();
  publishAll(scene, ['a@1.0.0']);
  scene.registry.misbehave(/^\/a/, 'hang');
  expect(await resolveIn(scene, want('a@1 nowhere@1'))).toBeUndefined();
});

async function resolveUnder(
  scene: InstallScene,
  rules: Partial<ManagedRules>,
  url: string,
): Promise<Entries | undefined> {
  return resolveSimply(
    await installerUnder({...scene, variables: {...scene.variables, npm_config_registry: url}}, rules),
    {plugin, ...want('a@1')},
  );
}

test('a registry that an administrator does not let in is not asked', async () => {
  await using scene = await makeInstallScene();
  await using server = await serve((_, response) => void response.end('{}'));
  const {host} = new URL(server.url);
  expect(await resolveUnder(scene, {sources: {blocked: [{type: 'registry', host}]}}, server.url)).toBeUndefined();
  expect(
    await resolveUnder(scene, {sources: {allowed: [{type: 'registry', host: 'registry.example'}]}}, server.url),
  ).toBeUndefined();
  expect(server.requests).toEqual([]);
});

test('a registry cannot send on to where an administrator does not let it', async () => {
  await using scene = await makeInstallScene();
  await using end = await serve(
    (_, response) => void response.end(JSON.stringify({name: 'a', versions: {'1.0.0': version}})),
  );
  await using way = await serve((_, response) => void response.writeHead(302, {location: `${end.url}a`}).end());
  expect(Object.keys((await resolveUnder(scene, {}, way.url)) ?? {})).toEqual(['node_modules/a']);
  await expect(
    resolveUnder(scene, {sources: {blocked: [{type: '*', host: new URL(end.url).host}]}}, way.url),
  ).rejects.toMatchObject({code: 'INSTALL_FORBIDDEN'});
  expect(end.requests).toEqual(['/a']);
});
