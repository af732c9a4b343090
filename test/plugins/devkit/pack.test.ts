import {createPublicKey, generateKeyPairSync} from 'node:crypto';
import {mkdir, writeFile} from 'node:fs/promises';
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {execFileSync} from 'node:child_process';
import {expect, test} from '@jest/globals';
import {verifyPackage} from '@gemini-kernel/admission';
import {fitPlugin, makeScene, packageJson} from './scene.js';

const signable = {
  ...fitPlugin,
  'package.json': packageJson({
    files: ['dist', 'gemini.plugin.json', 'oclif.manifest.json', 'gemini.signature.json'],
    scripts: {prepack: 'node -e "process.exit(1)"'},
  }),
};

test('a plugin is built, looked over and packed, without its scripts', async () => {
  await using scene = await makeScene(signable);
  const {code, stdout, stderr} = await scene.gemini('plugins', 'pack', '--out', 'packed', '--json');
  expect([code, stderr, JSON.parse(stdout)]).toEqual([
    0,
    '',
    {
      name: 'fit',
      version: '1.0.0',
      archive: join(scene.root, 'packed', 'fit-1.0.0.tgz'),
      size: expect.any(Number),
      integrity: expect.stringMatching(/^sha512-/),
      files: ['README.md', 'dist/tools/echo.js', 'gemini.plugin.json', 'oclif.manifest.json', 'package.json'],
      warnings: [],
    },
  ]);
});

test('an archive that is signed says who vouches for it, and holds as it is unpacked', async () => {
  await using scene = await makeScene(signable);
  const {privateKey} = generateKeyPairSync('ed25519');
  await scene.write({'keys/release.pem': privateKey.export({type: 'pkcs8', format: 'pem'}) as string});
  const {code, stdout, stderr} = await scene.gemini('plugins', 'pack', '--sign', 'keys/release.pem');
  expect([code, stderr, stdout.split('\n').slice(0, 2)]).toEqual([
    0,
    '',
    [
      `Packed fit 1.0.0: ${join(scene.root, 'fit-1.0.0.tgz')}`,
      expect.stringMatching(/^ {2}[\d.]+ kB, 6 files, signed with the key release$/),
    ],
  ]);
  const unpacked = join(scene.root, 'unpacked');
  await mkdir(unpacked);
  execFileSync('tar', ['xzf', join(scene.root, 'fit-1.0.0.tgz'), '-C', unpacked]);
  const keys = {release: createPublicKey(privateKey).export({type: 'spki', format: 'pem'}) as string};
  expect(verifyPackage(join(unpacked, 'package'), keys)).toBe('release');
  await writeFile(join(unpacked, 'package', 'dist', 'tools', 'echo.js'), 'changed');
  expect(() => verifyPackage(join(unpacked, 'package'), keys)).toThrow(
    'its signature by release does not fit its content',
  );
});

test.each<[string, Readonly<Record<string, string>>, readonly string[], string]>([
  [
    'a plugin with an error',
    {'dist/b.js': "new ToolError('LUCK_LOST', 'x');"},
    [],
    '✗ dist/b.js throws LUCK_LOST, which src/errors.ts does not list.\nError: Did not pack fit: gemini plugins ' +
      'check finds 1 error.\nFix the errors shown above.\n',
  ],
  ['an invalid key', {'key.pem': 'no key'}, ['--sign', 'key.pem'], 'Error: Cannot sign <root> with <root>/key.pem: '],
  [
    'a signature that would be left out',
    {
      'package.json': packageJson({}),
      'key.pem': generateKeyPairSync('ed25519').privateKey.export({type: 'pkcs8', format: 'pem'}) as string,
    },
    ['--sign', 'key.pem'],
    'Error: Cannot sign <root> with <root>/key.pem: npm pack would omit gemini.signature.json.\n',
  ],
])('PACK_REFUSED: %s', async (_, files, words, message) => {
  await using scene = await makeScene({...signable, ...files});
  const {code, stdout, stderr} = await scene.gemini('plugins', 'pack', ...words);
  expect([code, stdout, stderr.replaceAll(scene.root, '<root>').replaceAll('\\', '/')]).toEqual([
    1,
    '',
    expect.stringContaining(message),
  ]);
  expect(existsSync(join(scene.root, 'gemini.signature.json'))).toBe(false);
});

test('NPM_MISSING: without npm nothing is packed', async () => {
  await using scene = await makeScene(signable);
  const {code, stderr} = await scene.geminiWith({PATH: scene.root}, 'plugins', 'pack');
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining(
      'Error: npm is not on the PATH.\nInstall npm, which comes with Node, and run the command again.\n',
    ),
  ]);
});
