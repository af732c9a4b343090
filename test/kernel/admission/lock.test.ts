import {generateKeyPairSync} from 'node:crypto';
import {mkdir, readFile, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {findSignatureFault, readLock, signPackage, signText, storeName, verifyPackage} from '@gemini-kernel/admission';
import {makeFolder} from '../../helpers/make-plugin.js';
import {checkout} from '../../helpers/plugin-root.js';

const schema = JSON.parse(
  await readFile(join(checkout, 'manifests/schemas/plugins-lock.schema.json'), 'utf8'),
) as Record<string, unknown>;
const tree = `sha256-${'a'.repeat(64)}`;
const source = {type: 'registry', registry: 'https://npm.example/', wanted: 'latest'};

async function read(text: string): Promise<unknown> {
  await using folder = await makeFolder();
  await writeFile(join(folder.path, 'lock.json'), text);
  return await readLock(join(folder.path, 'lock.json'), schema);
}

describe('a lock', () => {
  test('that is not there locks nothing', async () => expect(await readLock('/no/such/lock', schema)).toBe(undefined));

  test('is read as it was written', async () => {
    const lock = {
      lockVersion: 1,
      serial: 3,
      plugins: {
        '@acme/hello': {version: '1.0.0', source, tree, capabilities: ['fs:read', 'net:*.example']},
        'mine': {version: '0.1.0', source: {type: 'link', location: '/mine'}, capabilities: []},
      },
    };
    expect(await read(JSON.stringify(lock))).toEqual(lock);
  });

  test.each<[string, unknown, string]>([
    ['is cut off', '{"lockVersion": 1, "plu', 'in JSON'],
    ['is empty', '', 'Unexpected end of JSON input'],
    ['is of a later form', {lockVersion: 2, serial: 1, plugins: {}}, 'lock.lockVersion must be 1, not 2.'],
    [
      'names a plugin that leads out',
      {lockVersion: 1, serial: 1, plugins: {'../evil': {version: '1.0.0', source, tree, capabilities: []}}},
      'lock.plugins',
    ],
    [
      'has a version that is a path',
      {lockVersion: 1, serial: 1, plugins: {a: {version: '../../1.0.0', source, tree, capabilities: []}}},
      'version',
    ],
    [
      'pins nothing by its content',
      {lockVersion: 1, serial: 1, plugins: {a: {version: '1.0.0', source, capabilities: []}}},
      'tree',
    ],
    [
      'has a digest of another kind',
      {lockVersion: 1, serial: 1, plugins: {a: {version: '1.0.0', source, tree: 'md5-x', capabilities: []}}},
      'tree',
    ],
    [
      'has a source of no known kind',
      {lockVersion: 1, serial: 1, plugins: {a: {version: '1.0.0', source: {type: 'pigeon'}, tree, capabilities: []}}},
      'source',
    ],
  ])('that %s is refused with the file and what is wrong', async (_, value, message) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    await expect(read(text)).rejects.toMatchObject({
      code: 'LOCK_UNREADABLE',
      message: expect.stringContaining(message),
    });
  });

  test('gives each version a folder of its own', () => {
    expect([
      storeName('@acme/hello', {version: '1.0.0', tree}),
      storeName('@acme/hello', {version: '1.0.0', tree: tree.replace('sha256-a', 'sha256-b')}),
    ]).toEqual(['@acme+hello@1.0.0-aaaaaaaaaaaaaaaa', '@acme+hello@1.0.0-baaaaaaaaaaaaaaa']);
  });
});

describe('a signature', () => {
  const pair = (type: 'ed25519' | 'ed448' = 'ed25519'): {privateKey: string; publicKey: string} => {
    const {privateKey, publicKey} = type === 'ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('ed448');
    return {
      privateKey: privateKey.export({type: 'pkcs8', format: 'pem'}).toString(),
      publicKey: publicKey.export({type: 'spki', format: 'der'}).toString('base64'),
    };
  };
  const [corp, other] = [pair(), pair()];

  test.each<[string, string, Readonly<Record<string, string>>, string | undefined]>([
    ['that fits', 'text', {corp: corp.publicKey}, undefined],
    ['over another text', 'Text', {corp: corp.publicKey}, 'its signature by corp does not fit its content'],
    [
      'by a key of that name which is another',
      'text',
      {corp: other.publicKey},
      'its signature by corp does not fit its content',
    ],
    [
      'by an unknown key',
      'text',
      {else: corp.publicKey},
      'it is signed with the key corp, which is not among the known ones (else)',
    ],
    ['where no key is known', 'text', {}, 'it is signed with the key corp, which is not among the known ones (none)'],
    [
      'by a key whose name is that of something every object has',
      'text',
      Object.create({corp: corp.publicKey}) as Record<string, string>,
      'it is signed with the key corp, which is not among the known ones (none)',
    ],
    ['by a key of another kind', 'text', {corp: pair('ed448').publicKey}, 'the key corp is no Ed25519 key'],
    [
      'by what is no key',
      'text',
      {corp: 'AAAA'},
      expect.stringMatching(/^its signature by corp cannot be checked: /) as unknown as string,
    ],
  ])('%s', (_, text, keys, fault) =>
    expect(findSignatureFault(text, signText('text', {name: 'corp', privateKey: corp.privateKey}), keys)).toEqual(
      fault,
    ),
  );

  test('is made with Ed25519 keys only', () => {
    expect(() => signText('text', {name: 'corp', privateKey: pair('ed448').privateKey})).toThrow(
      'the key corp is ed448, not ed25519',
    );
  });

  test('of a package vouches for its name, its version and every file', async () => {
    await using folder = await makeFolder();
    const root = folder.path;
    await mkdir(join(root, 'dist'));
    const write = (name: string, version: string): Promise<void> =>
      writeFile(join(root, 'package.json'), JSON.stringify({name, version}));
    await write('a', '1.0.0');
    await writeFile(join(root, 'dist', 'b.js'), 'b');
    signPackage(root, ['package.json', 'dist/b.js'], {name: 'corp', privateKey: corp.privateKey});
    const verify = (): string | undefined => {
      try {
        return verifyPackage(root, {corp: corp.publicKey});
      } catch (error) {
        return String(error);
      }
    };
    const broken = 'Error: its signature by corp does not fit its content';
    const seen = [verify()];
    await writeFile(join(root, 'dist', 'c.js'), '');
    seen.push(verify());
    await rm(join(root, 'dist', 'c.js'));
    await write('a', '1.0.1');
    seen.push(verify());
    await write('a', '1.0.0');
    await writeFile(join(root, 'gemini.signature.json'), '{"format": 2}');
    seen.push(verify());
    await rm(join(root, 'gemini.signature.json'));
    seen.push(verify());
    expect(seen).toEqual(['corp', broken, broken, 'Error: its signature is in no known form', undefined]);
  });
});
