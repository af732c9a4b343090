import {readFile, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {makeTeam, packPlugin, type PlatformTeam} from './platform-team.js';

const words = {name: '@corp/words', version: '^1.0.0'};
const base = {name: 'corp', description: 'For a test.', serial: 1};

async function lock(
  team: PlatformTeam,
  parts: object,
  ...flags: string[]
): Promise<{readonly code: number | null; readonly stderr: string; readonly error?: {readonly code: string}}> {
  await team.write('corp.bundle.json', JSON.stringify({...base, ...parts}));
  const {code, stdout, stderr} = await team.run('bundle', 'lock', 'corp.bundle.json', '--json', ...flags);
  const {error} = JSON.parse(stdout || '{}') as {error?: {code: string}};
  return {code, stderr, ...(error ? {error} : {})};
}

async function locks(...args: Parameters<typeof lock>): Promise<void> {
  expect(await lock(...args)).toMatchObject({code: 0});
}

const readLock = async (team: PlatformTeam): Promise<string> =>
  readFile(join(team.folder, 'corp.bundle.lock.json'), 'utf8');

test(
  'a lock names the version, the bytes, the files and the dependencies of each plugin, and is the same when it is ' +
    'made again',
  async () => {
    await using team = await makeTeam();
    await team.write('policies/a.toml', 'x = 1\n');
    await locks(team, {plugins: [words], policies: ['./policies/a.toml']});
    const text = await readLock(team);
    const {plugins, policies} = JSON.parse(text) as {plugins: {installed: Record<string, object>}; policies: unknown};
    expect({plugins, policies}).toEqual({
      plugins: {
        product: [],
        installed: {
          '@corp/words': {
            version: '1.0.0',
            source: {type: 'registry', registry: team.registry.url, wanted: '^1.0.0'},
            integrity: expect.stringMatching(/^sha512-/),
            tree: expect.stringMatching(/^sha256-/),
            capabilities: ['fs:read'],
            dependencies: {
              'node_modules/counter': {
                version: '2.0.0',
                resolved: `${team.registry.url}counter/-/2.0.0.tgz`,
                integrity: expect.stringMatching(/^sha512-/),
              },
            },
          },
        },
      },
      policies: [{path: 'policies/a.toml', digest: expect.stringMatching(/^sha256-[0-9a-f]{64}$/)}],
    });
    await rm(join(team.folder, 'corp.bundle.lock.json'));
    await locks(team, {plugins: [words], policies: ['./policies/a.toml']});
    expect(await readLock(team)).toBe(text);
  },
  60_000,
);

test('what is locked stays until --update, and --check says when a lock is behind its bundle', async () => {
  await using team = await makeTeam();
  await locks(team, {plugins: [words]});
  const first = await readLock(team);
  team.registry.publish({name: '@corp/words', version: '1.1.0'});
  await locks(team, {plugins: [words]});
  expect(await readLock(team)).toBe(first);
  expect((await lock(team, {plugins: [words]}, '--check')).code).toBe(0);
  await locks(team, {plugins: [words]}, '--update');
  expect(await readLock(team)).toContain('"version": "1.1.0"');
  expect(await lock(team, {plugins: [words], serial: 2}, '--check')).toMatchObject({
    code: 1,
    error: {code: 'BUNDLE_STALE'},
  });
  expect(await lock(team, {plugins: [{...words, version: '2.0.0'}]}, '--check')).toMatchObject({
    code: 1,
    error: {code: 'BUNDLE_STALE'},
  });
}, 60_000);

test('a new lock takes the signatures of the old one away', async () => {
  await using team = await makeTeam();
  await team.release({plugins: []});
  await team.lock({...base, plugins: [], serial: 2});
  await expect(readFile(join(team.folder, 'corp.bundle.lock.json.sig'))).rejects.toThrow('ENOENT');
}, 60_000);

test('an archive beside the bundle is locked by its path from there', async () => {
  await using team = await makeTeam();
  await team.write('plugins/words.tgz', packPlugin());
  await team.lock({...base, plugins: [{name: '@corp/words', from: './plugins/words.tgz'}]});
  expect(JSON.parse(await readLock(team))).toMatchObject({
    plugins: {installed: {'@corp/words': {source: {type: 'tarball', location: 'plugins/words.tgz'}}}},
  });
}, 60_000);

test.each([
  ['a field that no bundle has', {plugins: [], polices: []}, /must NOT have additional properties|polices/],
  ['a policy that is no TOML', {plugins: [], policies: ['broken.toml']}, /broken\.toml is not valid TOML/],
  [
    'an unknown setting',
    {plugins: [], settings: {enforced: {general: {vimmode: true}}}},
    /settings\.enforced\.general sets vimmode, which is not a known setting/,
  ],
  [
    'a setting of another type',
    {plugins: [], settings: {defaults: {general: {vimMode: 'yes'}}}},
    /vimMode must be boolean/,
  ],
  [
    'a rule against its own plugin',
    {plugins: [words], rules: {'@corp/*': {mode: 'blocked'}, '@corp/words': {mode: 'blocked'}}},
    /refuse its own plugins.*@corp\/words/,
  ],
  [
    'a signer who did not sign its plugin',
    {plugins: [words], rules: {'@corp/*': {signers: ['corp']}}},
    /has no signature of corp/,
  ],
  ['a plugin twice', {plugins: [words, {...words, mode: 'required'}]}, /lists @corp\/words twice/],
  [
    'a plugin of the product that there is not',
    {plugins: ['@gemini-kernel/plugin-bundles', '@gemini-kernel/plugin-nothing']},
    /The product has no plugin @gemini-kernel\/plugin-nothing/,
  ],
  [
    'a product that cannot be renewed',
    {plugins: ['@gemini-kernel/plugin-settings']},
    /leaves out @gemini-kernel\/plugin-bundles/,
  ],
  ['no time to expire at', {plugins: [], expires: '2026-13-45T00:00:00Z'}, /which is not a valid time/],
])(
  'a bundle with %s is not locked',
  async (what, parts, message) => {
    await using team = await makeTeam();
    await team.write('broken.toml', '[[rule\n');
    const error = {code: 'BUNDLE_INVALID', message: expect.stringMatching(message)};
    // Which plugins the product has, the program knows.
    if (what.includes('product')) expect(await lock(team, parts)).toMatchObject({code: 42, error});
    else await expect(team.lock({...base, ...parts})).rejects.toMatchObject(error);
  },
  60_000,
);

test('capabilities that a bundle blocks are those of other plugins', async () => {
  await using team = await makeTeam();
  await team.lock({
    ...base,
    plugins: [words],
    blockedCapabilities: ['fs:*'],
    rules: {'*': {mode: 'blocked'}},
    sources: {allowed: []},
  });
  expect(Object.keys((JSON.parse(await readLock(team)) as {plugins: {installed: object}}).plugins.installed)).toEqual([
    '@corp/words',
  ]);
}, 60_000);
