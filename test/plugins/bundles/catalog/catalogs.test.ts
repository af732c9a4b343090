import {execFileSync} from 'node:child_process';
import {readdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from '@jest/globals';
import {onPosix} from '../../../helpers/where.js';
import {catalogText, makeCatalogScene, privateKey, publicKey, signed, type CatalogScene} from './catalog-scene.js';

let scene: CatalogScene;
beforeEach(async () => (scene = await makeCatalogScene()));
afterEach(() => scene[Symbol.asyncDispose]());

const one = {name: 'one'};

/** What a list has of the only catalog. */
async function only(): Promise<Readonly<Record<string, unknown>>> {
  const [{name, entries, signedBy, fetched, fault = ''} = {name: '', entries: -1}] = await scene.list();
  return {name, entries, signedBy, isOld: fetched !== undefined, fault};
}

test('catalogs are searched in their order, before npm, and a file is one too [catalogs.order]', async () => {
  const {files, url} = scene.server;
  files.set('/a.json', catalogText([one, {name: 'ours', source: '@acme/ours'}]));
  const local = await scene.write(
    'local.json',
    catalogText([one, {name: 'local', source: 'gitlab:acme/local'}], {name: 'local'}),
  );
  const pack = {keywords: ['gemini-plugin'], description: 'From npm.'};
  scene.registry.publish({name: 'one-by-npm', version: '1.0.0', pack});
  await scene.name({location: `${url}a.json`}, {location: local});
  const {entries, sources, hasMore} = await scene.find();
  const host = new URL(scene.registry.url).host;
  expect([entries.map(({name, from}) => [name, from]), hasMore]).toEqual([
    [
      ['one', 'acme'],
      ['ours', 'acme'],
      ['local', 'local'],
      ['one-by-npm', host],
    ],
    false,
  ]);
  expect(sources.map(({name, type, entries: count}) => [name, type, count])).toEqual([
    ['acme', 'catalog', 2],
    ['local', 'catalog', 2],
    [host, 'registry', 1],
  ]);
  expect((await scene.find('ours', '--source', 'acme')).entries.map(({name}) => name)).toEqual(['ours']);
  const requests = scene.registry.requests.length;
  expect((await scene.find('--limit', '1', '--source', 'local')).hasMore).toBe(true);
  expect(scene.registry.requests).toHaveLength(requests);
}, 30_000);

test('two catalogs of one name have two names, and none takes that of a registry [catalogs.order]', async () => {
  const host = new URL(scene.registry.url).host.replace(':', '-');
  const paths = await Promise.all([
    scene.write('a.json', catalogText([one])),
    scene.write('b.json', catalogText([{name: 'two', source: 'two'}])),
    scene.write('c.json', catalogText([], {name: host})),
  ]);
  await scene.name(...paths.map((location) => ({location})));
  expect((await scene.list()).map(({name}) => name)).toEqual(['acme', 'acme-2', host]);
  expect((await scene.find('--source', 'acme-2')).entries.map(({name}) => name)).toEqual(['two']);
}, 30_000);

test('what a project says adds no catalog, and lifts no limit [catalogs.layers]', async () => {
  const file = await scene.write('a.json', catalogText([one]));
  const settings = {catalogs: {sources: [{location: file}], managedOnly: false}};
  await scene.write('work/.gemini/settings.json', JSON.stringify(settings));
  expect(await scene.list()).toEqual([]);
  await scene.write('home/.gemini/settings.json', JSON.stringify({catalogs: {managedOnly: true}}));
  expect(await scene.run('plugins', 'search')).toEqual({
    code: 0,
    stdout: 'There is nothing to search: npm is left out, and the setting catalogs.sources names no catalog.\n',
    stderr: '',
  });
}, 30_000);

describe('a signature', () => {
  const text = catalogText([one]);
  const place = (): string => `${scene.server.url}a.json`;

  test.each([
    ['is not needed, and its absence is shown', undefined, {}, {signedBy: undefined, entries: 1, fault: ''}],
    ['by an unknown key is as good as none', signed(text), {}, {signedBy: undefined, entries: 1, fault: ''}],
    [
      'by the key of the setting is shown',
      signed(text),
      {key: publicKey},
      {signedBy: 'acme-2026', entries: 1, fault: ''},
    ],
    [
      'of another text is refused',
      signed(`${text} `),
      {key: publicKey},
      {entries: 0, fault: expect.stringContaining('the key that the setting names did not sign it') as unknown},
    ],
    [
      'that is missing is named where a key is set',
      undefined,
      {key: publicKey},
      {entries: 0, fault: expect.stringContaining('it is not signed') as unknown},
    ],
    [
      'that cannot be read is named',
      '{',
      {},
      {entries: 0, fault: expect.stringContaining('its signatures cannot be read') as unknown},
    ],
  ])('%s [catalogs.signed]', async (_, beside, more, expected) => {
    scene.server.files.set('/a.json', text);
    if (beside !== undefined) scene.server.files.set('/a.json.sig', beside);
    await scene.name({location: place(), ...more});
    expect(await only()).toMatchObject(expected);
  });

  test('of an earlier catalog does not bring it back [catalogs.signed]', async () => {
    const serve = (serial: number): void => {
      const body = catalogText([one], {serial});
      scene.server.files.set('/a.json', body).set('/a.json.sig', signed(body));
    };
    await scene.name({location: place(), key: publicKey});
    serve(2);
    expect(await only()).toMatchObject({fault: '', isOld: false});
    serve(1);
    expect(await only()).toMatchObject({
      entries: 1,
      isOld: true,
      fault: expect.stringContaining('its serial 1 is lower than 2, which was seen before') as unknown,
    });
  }, 30_000);
});

test('a catalog is fetched once, and used with its age while its server is away [catalogs.offline]', async () => {
  const {files, url, answers} = scene.server;
  files.set('/a.json', catalogText([one]));
  await scene.name({location: `${url}a.json`});
  expect(await only()).toMatchObject({entries: 1, isOld: false});
  await only();
  expect(answers.filter(([path]) => path === '/a.json').map(([, status]) => status)).toEqual([200, 304]);
  const cache = join(scene.home, '.cache', 'gemini', 'catalogs');
  await scene.server.close();
  expect(await only()).toMatchObject({
    name: 'acme',
    entries: 1,
    isOld: true,
    fault: expect.stringContaining(new URL(url).host) as unknown,
  });
  const {stdout, stderr} = await scene.run('plugins', 'search', 'one');
  expect(stdout).toMatch(/^ {2}acme \(catalog, unsigned, as of \d{4}-\d\d-\d\d \d\d:\d\d UTC\)$/m);
  expect(stderr).toContain('Warning: ');
  for (const name of await readdir(cache)) await writeFile(join(cache, name), 'damaged');
  expect(await only()).toMatchObject({entries: 0, isOld: false});
}, 30_000);

test('what was kept counts only if it would count today [catalogs.offline]', async () => {
  const {files, url} = scene.server;
  files.set('/a.json', catalogText([one]));
  await scene.name({location: `${url}a.json`});
  await only();
  await scene.name({location: `${url}a.json`, key: publicKey});
  await scene.server.close();
  expect(await only()).toMatchObject({entries: 0, isOld: false});
}, 30_000);

describe('a server', () => {
  test.each<[string, string, RegExp]>([
    ['that leads elsewhere is not followed', '/away.json', /redirects to example\.com, which is not the server/],
    ['that leads in a circle is left', '/circle.json', /redirects more than 5 times/],
    ['that sends too much is stopped', '/huge.json', /is larger than 4096 KiB/],
    ['that fails is named', '/broken.json', /it answered 500/],
    ['without the catalog is named', '/missing.json', /it answered 404/],
    ['that sends bytes that are no text is named', '/binary.json', /is not UTF-8 text/],
    ['that sends another form is named', '/other.json', /is not JSON/],
    ['that breaks off is named', '/cut.json', /127\.0\.0\.1/],
    ['whose signatures cannot be had is named', '/half.json', /half|it answered 500/],
  ])('%s [catalogs.fetch]', async (_, path, message) => {
    scene.server.files
      .set('/away.json', (_request, response) => response.writeHead(302, {location: 'https://example.com/a'}).end())
      .set('/circle.json', (_request, response) => response.writeHead(302, {location: '/circle.json'}).end())
      .set('/huge.json', 'x'.repeat(5 * 1024 * 1024))
      .set('/broken.json', (_request, response) => response.writeHead(500).end())
      .set('/binary.json', (_request, response) => response.end(Buffer.from([0xff, 0xfe, 0x00])))
      .set('/other.json', '<html>')
      .set('/cut.json', (_request, response) => {
        response.writeHead(200, {'content-length': 1000});
        response.write('{', () => response.destroy());
      })
      .set('/half.json', catalogText([one]))
      .set('/half.json.sig', (_request, response) => response.writeHead(500).end());
    await scene.name({location: new URL(path, scene.server.url).href});
    expect(await only()).toMatchObject({entries: 0, fault: expect.stringMatching(message) as unknown});
  });

  test('on the same server a redirect is followed [catalogs.fetch]', async () => {
    scene.server.files
      .set('/old.json', (_request, response) => response.writeHead(301, {location: '/new.json'}).end())
      .set('/new.json', catalogText([one]));
    await scene.name({location: `${scene.server.url}old.json`});
    expect(await only()).toMatchObject({entries: 1, fault: ''});
  });

  test.each([
    ['http://example.com/a.json'],
    ['https://ann:secret@example.com/a.json'],
    ['file:///etc/passwd'],
    ['ftp://example.com/a'],
    ['a.json'],
    [''],
  ])('%j is no address of a catalog [catalogs.fetch]', async (location) => {
    await scene.name({location});
    const {entries, fault} = await only();
    expect([entries, fault]).not.toEqual([0, '']);
    expect(String(fault)).not.toContain('secret');
  });
});

describe('a file', () => {
  test.each([
    ['that is missing', 'none.json', /Cannot read the catalog .*none\.json/],
    ['that is a folder', 'work', /Cannot read the catalog/],
    ['of another version', 'two.json', /is invalid: .*catalogVersion/],
    ['with a folder as a source', 'folder.json', /is invalid: .*source/],
    ['with an option as a source', 'option.json', /is invalid: .*source/],
    ['with a command as a source', 'shell.json', /is invalid: .*source/],
    ['with another key', 'key.json', /is invalid/],
    ['that has expired', 'expired.json', /it expired on 2020-01-31/],
  ])('%s is named [catalogs.files]', async (_, path, message) => {
    await scene.write('two.json', catalogText([], {catalogVersion: 2}));
    await scene.write('folder.json', catalogText([{...one, source: '/tmp/evil'}]));
    await scene.write('option.json', catalogText([{...one, source: '--registry=http://x'}]));
    await scene.write('shell.json', catalogText([{...one, source: 'https://x.example/a;curl'}]));
    await scene.write('key.json', catalogText([{...one, trust: true}]));
    await scene.write('expired.json', catalogText([one], {expires: '2020-01-31'}));
    await scene.name({location: join(scene.home, '..', path)});
    expect(await only()).toMatchObject({entries: 0, fault: expect.stringMatching(message) as unknown});
  });

  onPosix('that is a FIFO does not hang [catalogs.files]', async () => {
    execFileSync('mkfifo', [join(scene.folder, 'pipe')]);
    await scene.name({location: join(scene.folder, 'pipe')});
    expect(await only()).toMatchObject({entries: 0, fault: expect.stringContaining('pipe') as unknown});
  });
});

test('texts of a catalog are on one line, bounded and without control characters [catalogs.texts]', async () => {
  const evil = `\u001b[2J\u202eAll\r\nis well.\u0007 ${'x'.repeat(900)}`;
  const location = await scene.write(
    'a.json',
    catalogText([{...one, description: evil, author: evil.slice(0, 200), does: ['a\nb']}]),
  );
  await scene.name({location});
  const {entries} = await scene.find();
  const bounded = `[2J All is well. ${'x'.repeat(183)}…`;
  expect(entries).toMatchObject([
    {description: bounded, author: expect.not.stringMatching(/\p{Cc}|\p{Cf}/u) as unknown, does: ['a b']},
  ]);
});

test('a catalog is checked and signed by commands [catalogs.commands]', async () => {
  const file = await scene.write('work/catalog.json', catalogText([one]));
  await scene.write('work/key.pem', privateKey);
  expect((await scene.run('catalogs', 'check', 'catalog.json')).stdout).toBe(
    'The catalog acme is valid: 1 entries, not signed.\n',
  );
  const sign = ['catalogs', 'sign', 'catalog.json', '--key', 'key.pem', '--name', 'acme-2026'];
  expect((await scene.run(...sign)).stdout).toBe('Signed by acme-2026: catalog.json.sig\n');
  await scene.run(...sign);
  expect(JSON.parse(await readFile(`${file}.sig`, 'utf8'))).toHaveLength(1);
  await scene.name({location: file, key: publicKey});
  expect(await only()).toMatchObject({signedBy: 'acme-2026', fault: ''});
  await writeFile(file, catalogText([one, {name: 'two'}]));
  expect(await only()).toMatchObject({entries: 0});
  const wrong = await scene.run('catalogs', 'sign', 'catalog.json', '--key', 'catalog.json', '--name', 'x', '--json');
  expect([wrong.code, JSON.parse(wrong.stdout)]).toMatchObject([42, {error: {code: 'BUNDLE_KEY_UNUSABLE'}}]);
  const gone = await scene.run('catalogs', 'check', 'none.json', '--json');
  expect([gone.code, JSON.parse(gone.stdout)]).toMatchObject([1, {error: {code: 'CATALOG_UNREACHABLE'}}]);
  await scene.write('work/bad.json', '{}');
  const bad = await scene.run('catalogs', 'check', 'bad.json', '--json');
  expect([bad.code, JSON.parse(bad.stdout)]).toMatchObject([1, {error: {code: 'CATALOG_INVALID'}}]);
}, 30_000);
