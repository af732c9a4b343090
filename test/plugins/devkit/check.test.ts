import {execFile} from 'node:child_process';
import {randomBytes} from 'node:crypto';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import {expect, test} from '@jest/globals';
import {checkTravel} from '#plugins/devkit/dist/check/check-travel.js';
import {makeFolder} from '../../helpers/make-plugin.js';
import {pluginRoot} from '../../helpers/plugin-root.js';
import {runGemini} from '../../helpers/run-gemini.js';
import {build, examine, listProduct, type Finding} from './examine.js';
import {builtFiles, fitPlugin, makeScene, packageJson, toolCode, type Scene} from './scene.js';

interface Checked {
  readonly name: string;
  readonly findings: readonly Finding[];
  readonly report: {
    readonly start?: {readonly ms: number};
    readonly packed?: {readonly size: number; readonly files: number};
    readonly capabilities: object;
  };
}

/** With --long, every plugin and every case is seen through the program too. */
const isLong = process.env['FUZZ_RUNS'] !== undefined;
const product = await listProduct();
const built = await builtFiles();

const EXAMINE_ALL = `
const [module, ...roots] = process.argv.slice(1);
const {examine} = await import(module);
const found = [];
for (const root of roots) found.push(...(await examine(root)).filter(({level}) => level === 'error').map(({sentence}) => root + ': ' + sentence));
process.stdout.write('\\n' + JSON.stringify(found));
`;

test('every plugin of the product is fit to be packed', async () => {
  const module = join(dirname(fileURLToPath(import.meta.url)), 'examine.js');
  // In one process of its own: it imports all there is.
  const {stdout} = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '--eval',
    EXAMINE_ALL,
    '--',
    module,
    ...product.map(pluginRoot),
  ]);
  expect(JSON.parse(stdout.slice(stdout.lastIndexOf('\n')))).toEqual([]);
});

test.each(isLong ? product : ['bundles'])('%s passes the check of the program', async (name) => {
  await using home = await makeFolder();
  const {code, stdout, stderr} = await runGemini(['plugins', 'check', pluginRoot(name), '--json'], {
    cwd: home.path,
    home: home.path,
  });
  const {name: full, findings} = JSON.parse(stdout) as Checked;
  expect({code, stderr, name: full, errors: findings.filter(({level}) => level === 'error')}).toEqual({
    code: 0,
    stderr: '',
    name: `@gemini-kernel/plugin-${name}`,
    errors: [],
  });
});

const listener = (hook: string, filter: string): string =>
  `import {listen} from '@gemini-kernel/kernel';\nexport default listen('${hook}', {filter: ${filter}, run() {}});\n`;
/** A file that declares a text setting of each name. */
const settingsCode = (section: string, ...names: readonly string[]): Readonly<Record<string, string>> => {
  const specs = names.map((name) => `${name}: {schema: {type: 'string'}, description: 'Text.'}`);
  const code = `export default defineSettings('${section}', {${specs.join(', ')}});`;
  const head = "import {defineSettings} from '@gemini-kernel/kernel';";
  return {'src/settings/all.ts': '', 'dist/settings/all.js': `${head}\n${code}\n`};
};
const rebuilt = async (scene: Scene, files: Readonly<Record<string, string>>): Promise<void> => {
  await scene.write(files);
  await build(scene.root);
};

test.each<[string, (scene: Scene) => Promise<void>, readonly string[]]>([
  ['nothing', async () => undefined, []],
  ['a README', ({remove}) => remove('README.md'), ['There is no README.md.']],
  [
    'a manifest of this code',
    ({write}) => write({'dist/tools/echo.js': toolCode({description: 'Echoes loudly.'})}),
    ['The manifests do not match the compiled code. Run gemini plugins build.'],
  ],
  [
    'a manifest that is JSON',
    ({write}) => write({'gemini.plugin.json': '{'}),
    ['The manifests do not match the compiled code. Run gemini plugins build.'],
  ],
  [
    "oclif's manifest",
    ({remove}) => remove('oclif.manifest.json'),
    ['The manifests do not match the compiled code. Run gemini plugins build.'],
  ],
  [
    'files that are packed',
    (scene) => rebuilt(scene, {'package.json': packageJson({files: ['/dist/']})}),
    ['gemini.plugin.json', 'oclif.manifest.json'].map(
      (name) => `npm pack omits ${name}. Add it to "files" in package.json.`,
    ),
  ],
  [
    'the source of a tool',
    ({remove}) => remove('src/tools/echo.ts'),
    ['dist/tools/echo.js has no source in src. Remove the file, or all of dist, and compile again.'],
  ],
  [
    'a description',
    (scene) =>
      rebuilt(scene, {'dist/tools/echo.js': toolCode({input: {type: 'object', properties: {text: {type: 'string'}}}})}),
    ['The parameter text of fit_echo has no description; the model needs one.'],
  ],
  [
    'an owner of its moment',
    (scene) => rebuilt(scene, {'src/listeners/a.ts': '', 'dist/listeners/a.js': listener('moon:rise', '{}')}),
    ['The plugin would not load: it listens to moon:rise, which no plugin owns.'],
  ],
  [
    'a filter that its moment offers',
    (scene) =>
      rebuilt(scene, {'src/listeners/a.ts': '', 'dist/listeners/a.js': listener('session:open', "{tool: 'x'}")}),
    [
      'The plugin would not load: its listener to session:open has a bad filter: the hook does not offer "tool" to ' +
        'filters (it offers mode).',
    ],
  ],
  [
    'a name of its own',
    (scene) => rebuilt(scene, {'dist/tools/echo.js': toolCode({name: 'read_file'}), 'README.md': 'read_file, fs:read'}),
    ['The plugin would not load: its tool read_file is already provided by @gemini-kernel/plugin-filesystem.'],
  ],
  [
    'settings that nothing else has',
    (scene) =>
      rebuilt(scene, {
        ...settingsCode('tools.shell', 'timeout'),
        'README.md': 'fit_echo, fs:read, tools.shell.timeout',
      }),
    [
      'The plugin would not load: its setting tools.shell.timeout is already provided by @gemini-kernel/plugin-shell.',
      'The setting tools.shell.timeout would be ignored: tools is a section of the product. Choose another ' +
        'section.',
    ],
  ],
  [
    'a section of its own',
    (scene) =>
      rebuilt(scene, {...settingsCode('ui', 'theme', 'mine'), 'README.md': 'fit_echo, fs:read, ui.theme, ui.mine'}),
    [
      'The setting ui.theme would be ignored: the product has it already. Choose another section.',
      'The setting ui.mine would be ignored: ui is a section of the product. Choose another section.',
    ],
  ],
  [
    'a service that is there',
    (scene) =>
      rebuilt(scene, {
        'package.json': packageJson({
          gemini: {kernel: '^0.2.0', capabilities: ['fs:read'], requires: {services: {moon: '^1'}}},
        }),
      }),
    ['The plugin would not load: it needs the service moon ^1, which no plugin provides.'],
  ],
  [
    'codes of all its errors',
    (scene) =>
      rebuilt(scene, {
        'dist/a.js':
          "new ToolError('LUCK_LOST', 'x'); new KernelError(\n  'LUCK_ODD', 'x'); new ToolError('TOOL_UNKNOWN', 'x');",
        'dist/errors.js': "export default {LUCK_ODD: {when: 'Odd.'}};",
      }),
    ['dist/a.js throws LUCK_LOST, which src/errors.ts does not list.'],
  ],
])('a missing %s is reported', async (what, change, errors) => {
  await using scene = await makeScene(built);
  await change(scene);
  const findings = errors.map((sentence) => `error: ${sentence}`);
  expect((await examine(scene.root)).map(({level, sentence}) => `${level}: ${sentence}`)).toEqual(findings);
  if (!isLong && what !== 'files that are packed') return;
  const {code, stdout, stderr} = await scene.gemini('plugins', 'check', '--json');
  const checked = JSON.parse(stdout) as Checked;
  expect({
    code,
    stderr,
    name: checked.name,
    findings: checked.findings.map(({level, sentence}) => `${level}: ${sentence}`),
  }).toEqual({code: errors.length === 0 ? 0 : 1, stderr: '', name: 'fit', findings});
});

const capabilities = (...names: readonly string[]): string =>
  packageJson({gemini: {kernel: '^0.2.0', capabilities: names}});
const code = (text: string): Readonly<Record<string, string>> => ({'dist/work.js': text});

test.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
  [
    'an effect without its capability',
    {'package.json': capabilities()},
    [
      'warning capabilities: The tool fit_echo has the effect read, but fs:read is not declared. Add it to ' +
        '"gemini.capabilities" in package.json.',
    ],
  ],
  [
    'a capability that nothing uses',
    {'package.json': capabilities('fs:read', 'process')},
    [
      'warning capabilities: It declares process, but no visible code uses it.',
      'warning docs: README.md does not mention the capability process.',
    ],
  ],
  [
    'code that writes files',
    code("import {mkdir, readFile} from 'node:fs/promises';\n"),
    [
      'error capabilities: dist/work.js imports node:fs/promises, but fs:write is not declared. Add it to ' +
        '"gemini.capabilities" in package.json.',
    ],
  ],
  [
    'code that starts programs',
    code("const {spawn} = await import('node:child_process');\n"),
    [
      'error capabilities: dist/work.js imports child_process, but process is not declared. Add it to ' +
        '"gemini.capabilities" in package.json.',
    ],
  ],
  [
    'code that asks the network',
    code("export const ask = () => fetch('https://example.org');\n"),
    [
      'error capabilities: dist/work.js calls fetch, but net:<host> is not declared. Add it to ' +
        '"gemini.capabilities" in package.json.',
    ],
  ],
  [
    'code that reads a variable',
    code("export const key = () => process.env['LUCK_KEY'];\n"),
    [
      'error capabilities: dist/work.js reads the variable LUCK_KEY, but env:LUCK_KEY is not declared. Add it to ' +
        '"gemini.capabilities" in package.json.',
    ],
  ],
  ['a comment that only speaks of it', code("// import {spawn} from 'node:child_process';\n/* fetch('x') */\n"), []],
  [
    'a service that it does not require',
    code("const luck = await service('luck');\n"),
    ['warning services: dist/work.js uses the service luck. Add "luck" to gemini.requires.services in package.json.'],
  ],
  [
    'code of a hidden part of the kernel',
    code("import {boot} from '@gemini-kernel/kernel/dist/boot.js';\n"),
    [
      expect.stringMatching(
        /^error compatibility: dist\/work\.js imports @gemini-kernel\/kernel\/dist\/boot\.js, which is not public\. Public entries: @gemini-kernel\/kernel, /,
      ) as unknown as string,
    ],
  ],
  [
    'code of another plugin',
    code("import x from '@gemini-kernel/plugin-shell';\n"),
    [
      'error compatibility: dist/work.js imports code of @gemini-kernel/plugin-shell. Import only types from its ' +
        'contract, and use its service; for a library that the package exports, add the package to "dependencies".',
    ],
  ],
  [
    'a library of another plugin, as a dependency',
    {
      ...code("import x from '@gemini-kernel/plugin-fleet/queues';\n"),
      'package.json': packageJson({dependencies: {'@gemini-kernel/plugin-fleet': '0.2.0'}}),
    },
    [],
  ],
  [
    'any kernel',
    {'package.json': packageJson({gemini: {kernel: '>=0.1', capabilities: ['fs:read']}})},
    [
      'warning compatibility: "gemini.kernel" is >=0.1, which includes kernels that do not exist yet. Limit the ' +
        'range, for example ^0.2.0.',
    ],
  ],
  [
    'hooks of oclif',
    {'package.json': packageJson({oclif: {commands: './dist/commands', hooks: {init: './dist/a.js'}}})},
    ['warning compatibility: The oclif hook init does not run. Listen to a moment instead.'],
  ],
  [
    'a tool that models would not expect',
    {'dist/tools/echo.js': toolCode({name: 'fitEcho'}), 'README.md': 'fitEcho fs:read'},
    ['warning names: The name of the tool fitEcho is not in snake_case, as models expect.'],
  ],
  [
    'a tool that looks like one of the product',
    {'dist/tools/echo.js': toolCode({name: 'read_fi1e'}), 'README.md': 'read_fi1e fs:read'},
    ['error names: Its tool read_fi1e can be confused with read_file of the product. Choose another name.'],
  ],
  [
    'a name that looks like one of the product',
    {'package.json': packageJson({name: '@gemini-kernei/fit'})},
    [
      'error names: Its name @gemini-kernei/fit can be confused with @gemini-kernel/ of the product. Choose ' +
        'another name.',
    ],
  ],
  [
    'a name in a scope of the product',
    {'package.json': packageJson({name: '@gemini-kernel/fit'})},
    ['error names: The scope @gemini-kernel is reserved.'],
  ],
  [
    'a README that says nothing',
    {'README.md': '# fit\n'},
    [
      'warning docs: README.md does not mention the tool fit_echo.',
      'warning docs: README.md does not mention the capability fs:read.',
    ],
  ],
])('%s is found', async (_, files, findings) => {
  await using scene = await makeScene({...fitPlugin, ...files});
  await build(scene.root);
  expect(
    (await examine(scene.root)).map(({level, code: of, sentence}) => `${level} ${of}: ${sentence}`).sort(),
  ).toEqual([...findings].sort());
});

test('the cost for users is measured', async () => {
  const slow = `const until = performance.now() + 80;\nwhile (performance.now() < until);\n${toolCode({})}`;
  await using scene = await makeScene({
    ...built,
    'dist/noise.txt': randomBytes(1_500_000).toString('base64'),
    'dist/tools/echo.js': slow,
  });
  const {stdout} = await scene.gemini('plugins', 'check', '--json');
  expect((JSON.parse(stdout) as Checked).findings).toEqual([
    {
      level: 'warning',
      code: 'budget',
      sentence: expect.stringMatching(
        /^Importing all contributions takes \d+(\.\d)? ms, more than 50 \(\.\/dist\/tools\/echo\.js /,
      ),
    },
    {
      level: 'warning',
      code: 'budget',
      sentence: expect.stringMatching(
        /^The archive has 1\.\d\d MB, more than 1 MB\. The largest files: dist\/noise\.txt 2\.00 MB, /,
      ),
    },
  ]);
});

test('the report says what is declared, what was seen, and what it costs', async () => {
  await using scene = await makeScene(built);
  const {code: exit, stdout, stderr} = await scene.gemini('plugins', 'check', '--json');
  const {name, findings, report} = JSON.parse(stdout) as Checked;
  expect({exit, stderr, name, findings}).toEqual({exit: 0, stderr: '', name: 'fit', findings: []});
  expect(report).toEqual({
    start: {ms: expect.any(Number), modules: [{module: './dist/tools/echo.js', ms: expect.any(Number)}]},
    packed: {size: expect.any(Number), files: 5},
    capabilities: {
      declared: ['fs:read'],
      seen: [{capability: 'fs:read', by: ['The tool fit_echo has the effect read']}],
    },
  });
});

test('a warning counts only when it is asked to', async () => {
  await using scene = await makeScene({...built, 'README.md': 'fit_echo\n'});
  const warning = '! README.md does not mention the capability fs:read.\n';
  const report =
    /\n {2}importing everything takes [\d.]+ ms; the archive has [\d.]+ kB in 5 files; capabilities: fs:read\n$/;
  const runs = [await scene.gemini('plugins', 'check'), await scene.gemini('plugins', 'check', '--strict')];
  expect(runs.map(({code: exit, stdout, stderr}) => [exit, stdout.replace(report, ''), stderr])).toEqual([
    [0, `${warning}✓ fit is ready to be packed.`, ''],
    [1, warning.trimEnd(), ''],
  ]);
});

test('findings stand on a line each', async () => {
  await using scene = await makeScene(fitPlugin);
  await scene.remove('README.md');
  const {code: exit, stdout, stderr} = await scene.gemini('plugins', 'check', '.');
  expect([exit, stdout.split('\n').slice(0, 2), stderr]).toEqual([
    1,
    ['✗ The manifests do not match the compiled code. Run gemini plugins build.', '✗ There is no README.md.'],
    '',
  ]);
});

test('a size that npm cannot tell is no error', async () => {
  await using scene = await makeScene(built);
  const {findings} = JSON.parse(
    (await scene.geminiWith({PATH: scene.root}, 'plugins', 'check', '--json')).stdout,
  ) as Checked;
  expect(findings).toEqual([
    {
      level: 'warning',
      code: 'budget',
      sentence: 'The packed size is unknown: npm is not on the PATH.',
    },
  ]);
});

test.each<[string, string, readonly string[]]>([
  ['names its methods', "methods: ['draw']", []],
  ['is local', 'local: true', []],
  [
    'says neither',
    '',
    [
      'warning: The service luck cannot be called from another process: it lists no methods. Add methods: [...] ' +
        'to its file, or local: true if it works within one process only.',
    ],
  ],
  [
    'says both of a method',
    "methods: ['draw', 'watch'], local: ['watch']",
    ['error: luck.watch is listed both under methods and as local. Remove it from one of them.'],
  ],
])('of a service that %s check says whether it would travel [kernel.service-methods]', async (_, spec, found) => {
  await using scene = await makeScene(built);
  await rebuilt(scene, {
    'src/services/luck.ts': '',
    'dist/services/luck.js':
      "import {provide} from '@gemini-kernel/kernel';\nexport default provide('luck', {version: '1.0.0', " +
      `scope: 'place', ${spec}, create: () => ({})});\n`.replace(', ,', ','),
    'README.md': 'fit_echo, fs:read, luck',
  });
  expect((await examine(scene.root)).map(({level, sentence}) => `${level}: ${sentence}`)).toEqual(found);
});

test('check names what commands and services use that is not there in a process of its own [isolation.tested]', () => {
  const command = (id: string, more = {}): object => ({id, module: `./dist/commands/${id}.js`, ...more});
  const code = {
    'dist/commands/sing.js':
      'export default class { async run() { await this.host.run([]); process.stdin.resume(); } }',
    'dist/commands/hum.js': "import {stdin} from 'node:process';\nexport default class { run() { stdin.resume(); } }",
    'dist/services/luck.js':
      'export default provide("luck", {create: ({open, service}) => ({draw: () => open(service)})});',
  };
  const subject = {
    manifest: {
      requires: {services: {}},
      services: [{name: 'luck', methods: ['draw'], module: './dist/services/luck.js'}],
      commands: [command('sing'), command('hum', {terminal: true})],
    },
    ...{others: [], code: new Map(Object.entries(code)), isOfProduct: false},
  } as unknown as Parameters<typeof checkTravel>[0];
  expect(checkTravel(subject).map(({level, code: kind, sentence}) => `${level} ${kind}: ${sentence}`)).toEqual([
    'warning travel: The command sing uses this.host.run: where the plugin is isolated, it is not there.',
    'warning travel: The command sing reads standard input, which is empty where the plugin is isolated. Add static ' +
      'terminal = true.',
    'warning travel: The service luck uses open of its context: where the plugin is isolated, it is not there.',
  ]);
  expect(checkTravel({...subject, isOfProduct: true})).toEqual([]);
});
