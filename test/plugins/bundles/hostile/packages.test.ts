import {readFile, writeFile} from 'node:fs/promises';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import type {ManagedRules} from '@gemini-kernel/admission';
import {packTar, pluginFiles, type PackageParts} from '../../../helpers/registry.js';
import {installerUnder, makeInstallScene, yes, type InstallScene} from '../install/scene.js';
import {installPlugin} from '#plugins/bundles/dist/install/install-plugin.js';
import {parseSpec} from '#plugins/bundles/dist/install/source/parse-spec.js';

interface Answer {
  readonly name: string;
  readonly shown: readonly string[];
}

async function install(scene: InstallScene, spec: string, rules?: Partial<ManagedRules>): Promise<Answer> {
  const shown: string[] = [];
  const consent = {...yes, show: (lines: readonly string[]) => void shown.push(...lines)};
  const {name} = await installPlugin(await installerUnder(scene, rules), {
    wanted: parseSpec(spec, scene.project),
    consent,
    force: false,
  });
  return {name, shown};
}

test('what a registry or a package says of itself stands on one line, and cannot pass for what this program says', async () => {
  await using scene = await makeInstallScene();
  const forged = 'old\n  signed by   corp (verified)\u2028\u202e\u001b[8m';
  const command = {
    id: 'words:list',
    aliases: ['fix', 'words:all'],
    summary: 'Lists.',
    slash: false,
    module: './dist/commands/words/list.js',
  };
  const flag = {name: 'loud', char: 'l', type: 'boolean' as const, description: 'Loud.', setting: 'ui.loud'};
  scene.registry.publish({
    name: 'words',
    version: '1.0.0',
    pack: {deprecated: forged},
    manifest: {commands: [command], flags: [flag]},
  });
  const {shown} = await install(scene, 'words');
  expect(shown.filter((line) => /deprecated|signed|adds|wants/.test(line))).toEqual([
    '  wants to    nothing, by its own account',
    '  adds        tools words_echo; commands words list (also fix, words all); flags --loud (-l)',
    '  signed by   no one',
    '  deprecated  old signed by corp (verified) [8m',
  ]);
});

test('a long text is cut', async () => {
  await using scene = await makeInstallScene();
  scene.registry.publish({name: 'words', version: '1.0.0', pack: {deprecated: 'x'.repeat(5000)}});
  const {shown} = await install(scene, 'words');
  expect(shown.at(-1)).toBe(`  deprecated  ${'x'.repeat(300)}…`);
});

test('a plugin may have a name that every object has', async () => {
  await using scene = await makeInstallScene();
  scene.registry.publish({name: 'constructor', version: '1.0.0'});
  expect((await install(scene, 'constructor')).name).toBe('constructor');
  expect(await scene.installed()).toEqual({constructor: '1.0.0'});
  expect(await scene.gemini('tools', 'call', 'constructor_echo', '--approval-mode', 'yolo')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('constructor 1.0.0'),
  });
});

test.each([
  ['an address', 'http://HOST/dep.tgz'],
  ['a repository', 'git+http://HOST/dep.git'],
  ['a short form of one', 'github:acme/dep'],
  ['a folder', 'file:../dep'],
  ['another name', 'npm:other@git+http://HOST/dep.git'],
])('a dependency from %s is refused before npm asks for it', async (_, wanted) => {
  await using scene = await makeInstallScene();
  const {requests, host, close} = await listen();
  const spec = wanted.replace('HOST', host);
  scene.registry.publish({name: 'words', version: '1.0.0', pack: {dependencies: {dep: spec}}});
  await expect(install(scene, 'words')).rejects.toMatchObject({
    code: 'INSTALL_INCOMPLETE',
    message: `words 1.0.0 needs dep from ${spec}, which is not a version in a registry.`,
  });
  await close();
  expect(requests).toEqual([]);
});

test.each([
  ['a repository', 'git+http://HOST/far.git'],
  ['an address', 'http://HOST/far.tgz'],
])('%s that a dependency of a dependency names is never asked where rules speak of sources', async (_, wanted) => {
  await using scene = await makeInstallScene();
  const {requests, host, close} = await listen();
  scene.registry.publish({
    name: 'near',
    version: '1.0.0',
    manifest: null,
    pack: {dependencies: {far: wanted.replace('HOST', host.replace('127.0.0.1', 'localhost'))}},
  });
  scene.registry.publish({name: 'words', version: '1.0.0', pack: {dependencies: {near: '1'}}});
  await expect(install(scene, 'words', {sources: {blocked: [{type: 'git'}]}})).rejects.toMatchObject({
    code: 'INSTALL_INCOMPLETE',
  });
  await close();
  expect(requests).toEqual([]);
});

/** A host that no rule speaks of. */
async function listen(): Promise<{
  readonly requests: readonly string[];
  readonly host: string;
  close(): Promise<void>;
}> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    requests,
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

const words: PackageParts = {name: 'words', version: '1.0.0'};

test.each<[string, (manifest: string) => string, RegExp]>([
  [
    '20,000 levels deep',
    (text) =>
      text.replace(
        '"input":{"type":"object"}',
        () => `"input":${'{"type":"object","properties":{"a":'.repeat(20_000)}{"type":"object"}${'}}'.repeat(20_000)}`,
      ),
    /gemini\.plugin\.json is 40004 levels deep, more than 64\.$/,
  ],
  [
    'of more than a megabyte',
    (text) => text.replace('Made for a test.', 'x'.repeat(1_000_001)),
    /gemini\.plugin\.json has \d+ bytes, more than 1000000\.$/,
  ],
])('a manifest %s is refused', async (_, change, message) => {
  await using scene = await makeInstallScene();
  const files = pluginFiles(words);
  const changed = {...files, 'gemini.plugin.json': change(String(files['gemini.plugin.json']))};
  scene.registry.publish(words, {
    archive: packTar(Object.entries(changed).map(([path, content]) => ({path: `package/${path}`, content}))),
  });
  await expect(install(scene, 'words')).rejects.toMatchObject({
    code: 'PLUGIN_UNFIT',
    message: expect.stringMatching(message),
  });
  expect(await scene.lock()).toBeUndefined();
});

test('signs in a text of a manifest do not count as levels', async () => {
  await using scene = await makeInstallScene();
  scene.registry.publish({...words, manifest: {description: `${'{['.repeat(100)} \\" ${'{'.repeat(100)}`}});
  expect((await install(scene, 'words')).name).toBe('words');
});

test('a plugin in a folder that is not trusted is looked over without running it', async () => {
  await using scene = await makeInstallScene();
  const mark = join(scene.folder, 'ran');
  const code = `import {writeFileSync} from 'node:fs';\nwriteFileSync(${JSON.stringify(mark)}, 'ran');\n`;
  const files = pluginFiles({...words, pack: {description: 'Words.', gemini: {kernel: '^0.2.0'}}});
  await scene.write({...files, 'dist/tools/echo.js': `${code}${String(files['dist/tools/echo.js'])}`});
  const ran = (): Promise<boolean> =>
    readFile(mark).then(
      () => true,
      () => false,
    );
  const check = async (trust: string, ...args: readonly string[]): Promise<readonly string[]> => {
    const {stdout} = await scene.geminiWith(
      {variables: {GEMINI_CLI_TRUST_WORKSPACE: trust}},
      'plugins',
      'check',
      '--json',
      ...args,
    );
    return (
      JSON.parse(stdout) as {readonly findings: readonly {readonly code: string; readonly sentence: string}[]}
    ).findings.map(({code: of, sentence}) => `${of}: ${sentence}`);
  };
  expect(await check('')).toContain(
    'trust: Not imported, because the folder is not trusted: whether the manifests match the code, the import ' +
      'cost and the packed size are unknown. If you trust its code, run gemini trust add ' +
      `${scene.project}, or --yes.`,
  );
  expect(await ran()).toBe(false);
  await writeFile(join(scene.project, 'gemini.plugin.json'), '{');
  const unread = await scene.geminiWith({variables: {GEMINI_CLI_TRUST_WORKSPACE: ''}}, 'plugins', 'check');
  expect(unread).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is not built because the folder is not trusted'),
  });
  expect(await ran()).toBe(false);
  expect((await check('', '--yes')).some((finding) => finding.startsWith('trust'))).toBe(false);
  expect(await ran()).toBe(true);
});
