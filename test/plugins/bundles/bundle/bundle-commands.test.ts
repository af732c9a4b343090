import {mkdir, readFile, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import type {Form} from '@gemini-kernel/kernel';
import {makeFolder} from '../../../helpers/make-plugin.js';
import {runGemini, type RunResult} from '../../../helpers/run-gemini.js';
import {makeOpenBundle} from './open-bundle.js';
import {makeTeam, mustRun, packPlugin} from './platform-team.js';
import {settleKeys} from '#plugins/bundles/dist/bundle/settle-keys.js';
import {addSignature} from '#plugins/bundles/dist/bundle/bundle-signatures.js';
import {createSigningKey, fingerprint} from '#plugins/bundles/dist/bundle/signing-key.js';
import {archivesOf} from '#plugins/bundles/dist/bundle/locked-archives.js';

async function runIn(folder: string, ...args: readonly string[]): Promise<RunResult> {
  return runGemini(args, {cwd: folder, home: folder});
}

const errorOf = ({code, stdout}: RunResult): string =>
  `${(JSON.parse(stdout) as {error: {code: string}}).error.code} ${code}`;

test('a new bundle is locked as it is, and nothing that is there is written over', async () => {
  await using folder = await makeFolder();
  expect(await runIn(folder.path, 'bundle', 'create', 'corp')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Next: gemini bundle lock corp/corp.bundle.json'),
  });
  await mustRun(runIn(folder.path, 'bundle', 'lock', 'corp/corp.bundle.json'));
  expect(errorOf(await runIn(folder.path, 'bundle', 'create', 'corp', '--json'))).toBe('BUNDLE_EXISTS 1');
  expect(errorOf(await runIn(folder.path, 'bundle', 'create', 'Corp', '--json'))).toBe('BUNDLE_INVALID 42');
  await writeFile(join(folder.path, 'file'), '');
  expect(errorOf(await runIn(folder.path, 'bundle', 'create', 'other', '--directory', 'file/x', '--json'))).toBe(
    'BUNDLE_UNWRITABLE 1',
  );
}, 60_000);

test(
  'a bundle that begins with what is installed lists it with its version and its origin, and ' +
    'says what it leaves out',
  async () => {
    await using team = await makeTeam();
    const archive = join(team.folder, 'mine.tgz');
    await writeFile(archive, packPlugin({name: 'mine'}));
    await mustRun(team.run('plugins', 'install', archive, '--yes'));
    await mustRun(team.run('plugins', 'install', '@corp/words@^1.0.0', '--yes'));
    await mustRun(team.run('bundle', 'create', 'corp', '--from-installed'));
    const {plugins} = JSON.parse(await readFile(join(team.folder, 'corp/corp.bundle.json'), 'utf8')) as {
      plugins: unknown;
    };
    expect(plugins).toEqual([
      {name: '@corp/words', version: '1.0.0'},
      {name: 'mine', version: '1.0.0', from: archive},
    ]);
  },
  60_000,
);

test('a private key is for its owner only, and is never written over', async () => {
  await using folder = await makeFolder();
  const made = JSON.parse((await mustRun(runIn(folder.path, 'bundle', 'key', 'corp', '--json'))).stdout) as {
    privateFile: string;
    publicKey: string;
    fingerprint: string;
  };
  const text = await readFile(join(folder.path, 'corp.pub'), 'utf8');
  expect({mode: (await stat(made.privateFile)).mode & 0o777, text, fingerprint: made.fingerprint}).toEqual({
    mode: 0o600,
    text: `corp=${made.publicKey}\n`,
    fingerprint: fingerprint(made.publicKey),
  });
  expect(errorOf(await runIn(folder.path, 'bundle', 'key', 'corp', '--json'))).toBe('BUNDLE_EXISTS 1');
}, 60_000);

test('what is no key, no lock and no bundle is named', async () => {
  await using folder = await makeFolder();
  const {path} = folder;
  await mustRun(runIn(path, 'bundle', 'create', 'corp', '--directory', '.'));
  await mustRun(runIn(path, 'bundle', 'lock', 'corp.bundle.json'));
  await writeFile(join(path, 'none.pem'), 'no key');
  await mkdir(join(path, 'empty'));
  expect([
    errorOf(await runIn(path, 'bundle', 'sign', 'corp.bundle.lock.json', '--key', 'none.pem', '--name', 'x', '--json')),
    errorOf(await runIn(path, 'bundle', 'verify', 'corp.bundle.lock.json', '--key', 'corp', '--json')),
    errorOf(await runIn(path, 'bundle', 'verify', 'nothing', '--json')),
    errorOf(await runIn(path, 'bundle', 'verify', 'empty', '--json')),
    errorOf(await runIn(path, 'bundle', 'verify', 'corp.bundle.json', '--json')),
    errorOf(await runIn(path, 'bundle', 'apply', '--json')),
    errorOf(await runIn(path, 'bundle', 'remove', 'corp', '--json')),
    errorOf(await runIn(path, 'bundle', 'remove', '../x', '--json')),
  ]).toEqual([
    'BUNDLE_KEY_UNUSABLE 42',
    'BUNDLE_KEY_UNUSABLE 42',
    'BUNDLE_UNREADABLE 42',
    'BUNDLE_UNREADABLE 42',
    'BUNDLE_INVALID 42',
    'BUNDLE_UNREADABLE 42',
    'BUNDLE_UNKNOWN 42',
    'BUNDLE_UNKNOWN 42',
  ]);
}, 60_000);

test.each([
  ['a dependency without a digest', {'node_modules/x': {version: '1.0.0', resolved: 'https://r.example/x.tgz'}}],
  [
    'a dependency with a weak digest',
    {'node_modules/x': {version: '1.0.0', resolved: 'https://r.example/x.tgz', integrity: 'sha1-x'}},
  ],
  ['a place that leads out', {'node_modules/../../x': {version: '1.0.0', integrity: 'sha512-x'}}],
  ['the place of the plugin itself', {'node_modules/mine': {version: '1.0.0', integrity: 'sha512-x'}}],
])('a lock with %s is refused', (_, dependencies) => {
  let thrown: unknown;
  try {
    archivesOf('mine', {version: '1.0.0', integrity: 'sha512-y', dependencies});
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toMatchObject({code: 'BUNDLE_LOOSE'});
});

test(
  'a key that a bundle carries counts only when a person says so, and never where the administrator names the ' +
    'signers',
  async () => {
    const {privateKey, publicKey} = createSigningKey();
    const text = '{}';
    const signatures = addSignature(text, [], {name: 'corp', privateKey});
    const bundle = makeOpenBundle({keys: {corp: publicKey}}, {text, signatures});
    const asked: string[] = [];
    const ask =
      (answer: boolean) =>
      (form: Form): Promise<boolean> => {
        asked.push(form.text ?? '');
        return Promise.resolve(answer);
      };
    const parts = {managed: {kind: 'none'} as const, memory: {keys: {}}, given: {}};
    expect(await settleKeys(bundle, {...parts, ask: ask(true)})).toEqual({
      keys: {corp: publicKey},
      fresh: {corp: publicKey},
    });
    expect(await settleKeys(bundle, {...parts, ask: ask(false)})).toEqual({keys: {}, fresh: {}});
    expect(asked.map((text) => text.includes(fingerprint(publicKey)))).toEqual([true, true]);
    const rules = {plugins: {}, keys: {}, sources: {}, bundleSigners: ['other']};
    const closed = {kind: 'rules', rules, files: []} as const;
    const impostor = {memory: {keys: {corp: createSigningKey().publicKey}}};
    expect(await settleKeys(bundle, {...parts, managed: closed, ask: ask(true)})).toEqual({keys: {}, fresh: {}});
    expect(await settleKeys(bundle, {...parts, ...impostor, ask: ask(true)})).toEqual({
      keys: impostor.memory.keys,
      fresh: {},
    });
    expect(asked).toHaveLength(2);
  },
);
