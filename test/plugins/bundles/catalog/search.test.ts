import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from '@jest/globals';
import type {CatalogFinding} from '@gemini-kernel/plugin-bundles/contract';
import {serveRegistry} from '../../../helpers/registry.js';
import {runGemini, type RunResult} from '../../../helpers/run-gemini.js';
import {canBeManaged, makeManagedMachine} from '../../../helpers/run-managed.js';
import {mustRun} from '../bundle/platform-team.js';
import {catalogText, makeCatalogScene, publicKey, signed, type CatalogScene} from './catalog-scene.js';

let scene: CatalogScene;
beforeEach(async () => (scene = await makeCatalogScene()));
afterEach(() => scene[Symbol.asyncDispose]());

const keywords = ['gemini-plugin'];
const attestations = {answer: '{}'};
const audit = {
  name: '@acme/plugin-audit',
  version: '1.2.0',
  pack: {keywords: [...keywords, 'log'], description: 'Records calls.', gemini: {capabilities: ['fs:read', 'process']}},
};
const names = ({entries}: CatalogFinding): readonly string[] => entries.map(({name}) => name);

test('a result says what it is, who made it, when, how it was built and what it may do [catalogs.search]', async () => {
  scene.registry.publish(audit, {attestations});
  scene.registry.publish({name: 'no-plugin', version: '1.0.0', pack: {description: 'Records calls too.'}});
  const host = new URL(scene.registry.url).host;
  expect(await scene.find('log', 'RECORDS')).toEqual({
    entries: [
      {
        ...{kind: 'plugin', name: '@acme/plugin-audit', version: '1.2.0', description: 'Records calls.'},
        ...{author: 'ann', published: '2026-01-01T00:00:00.000Z', from: host, install: '@acme/plugin-audit'},
        ...{built: {attested: true}, does: ['fs:read', 'process'], verdict: {allowed: true}},
      },
    ],
    sources: [{name: host, type: 'registry', location: scene.registry.url, entries: 1}],
    hasMore: false,
  });
  expect(scene.registry.requests.filter((path) => path.endsWith('.tgz'))).toEqual([]);
  const {stdout} = await scene.run('plugins', 'search', 'log');
  expect(stdout.split('\n')).toEqual([
    '@acme/plugin-audit 1.2.0  Records calls.',
    expect.stringMatching(/^ {2}127\.0\.0\.1:\d+ \(npm\), by ann, \d+ .*ago, attested; verified when it is installed$/),
    '  may read files, run programs',
    '  gemini plugins install @acme/plugin-audit',
    '',
  ]);
  expect((await scene.run('plugins', 'search', 'nothing')).stdout).toBe(
    `Nothing was found in ${host}. Try fewer or other words.\n`,
  );
}, 30_000);

test('a scope is searched in its own registry, with its token, and all are searched else [catalogs.search]', async () => {
  await using other = await serveRegistry();
  other.protect('secret-token');
  other.publish(audit);
  other.publish({name: 'unscoped', version: '1.0.0', pack: {keywords}});
  scene.registry.publish({name: 'common', version: '1.0.0', pack: {keywords}});
  const npmrc = `@acme:registry=${other.url}\n${other.url.replace('http:', '')}:_authToken=secret-token\n`;
  await scene.write('home/.npmrc', npmrc);
  expect(names(await scene.find('@acme'))).toEqual(['@acme/plugin-audit']);
  expect(scene.registry.requests).toEqual([]);
  expect(names(await scene.find())).toEqual(['common', '@acme/plugin-audit', 'unscoped']);
  other.protect('another');
  const found = await scene.find();
  expect([names(found), found.sources.map(({fault}) => fault)]).toEqual([
    ['common'],
    [undefined, expect.stringContaining('it refuses this user (401)')],
  ]);
}, 30_000);

test('while npm does not answer, catalogs do; without any answer the command fails [catalogs.search]', async () => {
  const location = await scene.write('a.json', catalogText([{name: 'one'}]));
  await scene.name({location});
  for (const [fault, reason] of [
    [500, 'it answered 500'],
    [404, 'it has no search'],
  ] as const) {
    scene.registry.misbehave(/search/, fault);
    const {code, stdout, stderr} = await scene.run('plugins', 'search');
    expect([code, stdout, stderr]).toEqual([
      0,
      expect.stringContaining('gemini plugins install github:acme/one'),
      expect.stringContaining(reason),
    ]);
  }
  await scene.name();
  const {code, stdout} = await scene.run('plugins', 'search', '--json');
  expect([code, JSON.parse(stdout)]).toMatchObject([1, {error: {code: 'CATALOG_UNREACHABLE'}}]);
  const unknown = await scene.run('plugins', 'search', '--source', 'none', '--json');
  expect([unknown.code, JSON.parse(unknown.stdout)]).toMatchObject([42, {error: {code: 'CATALOG_UNKNOWN'}}]);
}, 30_000);

test('what a registry says is checked like anything from elsewhere [catalogs.texts]', async () => {
  const packages = [
    {name: '../x', version: '1.0.0', keywords},
    {name: 'a b', version: '1.0.0', keywords},
    {name: 'fine', version: '1\u001b[2J', keywords},
    {name: 'named', version: '1.0.0', keywords: 'gemini-plugin'},
    {name: 'shown', version: '1.0.0', keywords, description: '\u001b]0;title\u0007a\nb', publisher: {username: 7}},
    null,
  ];
  const objects = [...packages.map((one) => ({package: one})), null, 3];
  const {files, url} = scene.server;
  const search = '/-/v1/search?text=keywords%3Agemini-plugin&size=60';
  await scene.write('home/.npmrc', `registry=${url}\n`);
  const {npm_config_registry: _, ...variables} = scene.variables;
  const run = (): Promise<RunResult> =>
    runGemini(['plugins', 'search', '--json'], {cwd: scene.folder, home: scene.home, variables});
  files.set(search, JSON.stringify({objects}));
  const {entries} = JSON.parse((await run()).stdout) as CatalogFinding;
  expect(entries.map(({name, description, author}) => [name, description, author])).toEqual([
    ['shown', ']0;title a b', undefined],
  ]);
  for (const answer of ['[]', 'null', '{"objects": {}}', '<html>']) {
    files.set(search, answer);
    expect((await run()).stdout).toContain('its answer is not that of a search');
  }
}, 30_000);

(canBeManaged ? test : test.skip)(
  "the administrator's catalogs come first or alone, and the rules judge before anything is fetched [catalogs.rules]",
  async () => {
    const text = catalogText([
      {name: 'one', does: ['process']},
      {name: '@corp/audit', source: '@corp/audit', version: '2.0.0'},
      {name: '@corp/false', source: 'evil'},
      {name: '@corp/proven', source: '@corp/proven'},
      {name: 'far', source: 'https://elsewhere.example/far.tgz'},
    ]);
    scene.server.files.set('/a.json', text).set('/a.json.sig', signed(text));
    scene.registry.publish({name: '@corp/audit', version: '3.0.0', pack: {keywords}});
    const machine = await makeManagedMachine(join(scene.home, '..'));
    const sources = [{location: `${scene.server.url}a.json`, key: publicKey}];
    await machine.write({
      'settings.json': {catalogs: {sources}},
      'plugins.d/rules.json': {
        plugins: {
          '@corp/*': {version: '<3'},
          '@corp/proven': {signers: ['corp']},
          one: {blockedCapabilities: ['process']},
        },
        sources: {blocked: [{type: 'tarball', host: 'elsewhere.example'}]},
      },
    });
    const own = await scene.write('own.json', catalogText([{name: 'own', source: 'own'}], {name: 'own'}));
    // Without its key, and in another order.
    await scene.name({location: own}, {location: sources[0]?.location});
    const search = async (): Promise<CatalogFinding> => {
      const {home, folder: cwd, variables} = scene;
      const {stdout} = await machine.run(['plugins', 'search', '--json'], {cwd, home, variables});
      return JSON.parse(stdout) as CatalogFinding;
    };
    const found = await search();
    expect(found.sources).toMatchObject([
      {name: 'acme', isManaged: true, signedBy: 'acme-2026'},
      {name: 'own'},
      {type: 'registry'},
    ]);
    expect(found.entries.map(({name, verdict}) => [name, verdict?.reason ?? verdict?.later ?? 'allowed'])).toEqual([
      ['one', 'one may not be installed: the administrator blocks process.'],
      ['@corp/audit', 'allowed'],
      ['@corp/false', 'It is listed as @corp/false, but its source is evil.'],
      ['@corp/proven', ['a signature by corp']],
      ['far', expect.stringContaining('far may not be installed: ')],
      ['own', 'allowed'],
    ]);
    await machine.write({'settings.json': {catalogs: {sources, managedOnly: true}}});
    scene.registry.requests.length = 0;
    expect((await search()).sources.map(({name}) => name)).toEqual(['acme']);
    expect(scene.registry.requests).toEqual([]);
  },
  30_000,
);

test('a bundle brings a catalog by its settings [catalogs.rules]', async () => {
  const location = await scene.write('a.json', catalogText([{name: 'one'}]));
  const catalogs = {sources: [{location}], managedOnly: true};
  const bundle = {
    name: 'corp',
    description: 'Ours.',
    serial: 1,
    kernel: '^0.2.0',
    plugins: [],
    settings: {enforced: {catalogs}},
  };
  await scene.write('work/corp.bundle.json', JSON.stringify(bundle));
  await mustRun(scene.run('bundle', 'key', 'corp'));
  await mustRun(scene.run('bundle', 'lock', 'corp.bundle.json'));
  await mustRun(scene.run('bundle', 'lock', 'corp.bundle.json', '--check'));
  await mustRun(scene.run('bundle', 'sign', 'corp.bundle.lock.json', '--key', 'corp.key.pem', '--name', 'corp'));
  await mustRun(scene.run('bundle', 'export', 'corp.bundle.lock.json'));
  const key = (await readFile(join(scene.folder, 'corp.pub'), 'utf8')).trim();
  await mustRun(scene.run('bundle', 'apply', 'corp-1.gemini-bundle', '--key', key, '--yes'));
  const {entries, sources} = await scene.find();
  expect([entries.map(({name}) => name), sources.map(({name}) => name)]).toEqual([['one'], ['acme']]);
  await scene.write('work/bad.bundle.json', JSON.stringify({...bundle, settings: {enforced: {catalogs: {sorces: 1}}}}));
  expect((await scene.run('bundle', 'lock', 'bad.bundle.json')).stderr).toContain(
    'settings.enforced.catalogs sets sorces, which is not a known setting.',
  );
}, 30_000);
