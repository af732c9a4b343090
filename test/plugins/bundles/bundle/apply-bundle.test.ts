import {spawn, spawnSync} from 'node:child_process';
import {readdirSync, watch} from 'node:fs';
import {copyFile, mkdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {gunzipSync} from 'node:zlib';
import {expect, test} from '@jest/globals';
import {checkout} from '../../../helpers/plugin-root.js';
import {isolate, runGemini} from '../../../helpers/run-gemini.js';
import {makeTeam, mustRun, packPlugin, type PlatformTeam} from './platform-team.js';
import {writeTar, readTar} from '#plugins/bundles/dist/bundle/bundle-tar.js';
import type {BundleStatus} from '#plugins/bundles/dist/bundle/bundle-status.js';
import {gzipStored} from '#plugins/bundles/dist/bundle/gzip-stored.js';

const POLICY =
  '[[rule]]\nid = "no-shell"\ndescription = "No commands."\ntoolName = "run_shell_command"\ndecision = ' +
  '"deny"\npriority = 500\n';

/** Writes an archive again with its files changed. */
async function tamper(archive: string, change: (files: Map<string, Buffer>) => void): Promise<void> {
  const files = new Map(
    readTar(gunzipSync(await readFile(archive))).map(({path, bytes}) => [path, Buffer.from(bytes)]),
  );
  change(files);
  await writeFile(archive, gzipStored(writeTar([...files].map(([path, bytes]) => ({path, bytes})))));
}

const apply = (team: PlatformTeam, archive: string, ...flags: string[]): ReturnType<PlatformTeam['run']> =>
  team.elsewhere('bundle', 'apply', '--from', archive, '--yes', '--key', team.publicKey, ...flags);

const statusOf = async (team: PlatformTeam): Promise<BundleStatus> =>
  JSON.parse((await team.elsewhere('bundle', 'status', '--json')).stdout) as BundleStatus;

/** The code with which a step fails. */
const codeOf = (step: Promise<unknown>): Promise<string> =>
  step.then(
    () => 'none',
    (error: unknown) => (error as {code?: string}).code ?? String(error),
  );

/** What the plugin of the bundle answers, or why it is not there. */
async function callWords(team: PlatformTeam): Promise<string> {
  const {stdout, stderr} = await team.elsewhere('tools', 'call', 'corp_words_echo', '--approval-mode', 'yolo');
  return `${stdout}${stderr}`.trim();
}

test(
  'an exported bundle is applied where no registry can be reached: its plugin works, with its dependency, its ' +
    'policy and its settings',
  async () => {
    await using team = await makeTeam();
    await team.write('policies/shell.toml', POLICY);
    const archive = await team.releaseByCommands({
      policies: ['policies/shell.toml'],
      settings: {enforced: {general: {vimMode: true}}},
    });
    const done = await apply(team, archive);
    expect(done).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /wants to    read files[^]*policies\/shell\.toml[^]*general\.vimMode[^]*Applied corp, serial 1, for you\./,
      ),
    });
    expect(await callWords(team)).toContain('@corp/words 1.0.0');
    const store = join(team.home, '.local/share/gemini/store');
    const [tree = ''] = readdirSync(store).filter((name) => name.startsWith('@corp'));
    expect(await readFile(join(store, tree, 'node_modules/counter/index.js'), 'utf8')).toBe(
      'export const count = 3;\n',
    );
    expect(await statusOf(team)).toMatchObject({
      bundles: [
        {name: 'corp', serial: 1, policies: ['policies/shell.toml'], enforced: ['general.vimMode'], differences: []},
      ],
      faults: [],
    });
  },
  60_000,
);

test('a lock is applied from its folder, and its archives are taken from where they came', async () => {
  await using team = await makeTeam();
  await team.release({});
  await mustRun(
    runGemini(['bundle', 'apply', team.folder, '--yes', '--key', team.publicKey], {
      cwd: team.home,
      home: team.home,
      variables: {npm_config_registry: team.registry.url},
    }),
  );
  expect(await callWords(team)).toContain('@corp/words 1.0.0');
}, 60_000);

test('an exported bundle is applied by a process that has no network at all', async () => {
  await using team = await makeTeam();
  const archive = await team.release({});
  const line = [
    process.execPath,
    join(checkout, 'bin/gemini.cjs'),
    'bundle',
    'apply',
    '--from',
    archive,
    '--yes',
    '--key',
    team.publicKey,
  ];
  const apart =
    spawnSync('unshare', ['--net', '--map-root-user', 'true']).status === 0
      ? ['unshare', '--net', '--map-root-user']
      : [];
  const [program = '', ...args] = [...apart, ...line];
  expect(spawnSync(program, args, {cwd: team.home, env: isolate(team.home), encoding: 'utf8'})).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('Applied corp, serial 1, for you.'),
  });
}, 60_000);

test('a text of the bundle cannot pass for what the program says of it', async () => {
  await using team = await makeTeam();
  const archive = await team.release({plugins: [], description: 'Good.\n  ✓ signature signed by everybody'});
  const {stdout} = await apply(team, archive);
  expect(stdout.split('\n').filter((line) => line.includes('signature'))).toEqual([
    'corp, serial 1: Good. ✓ signature signed by everybody',
    '  ✓ signature signed by corp',
  ]);
}, 60_000);

test('two exports of the same lock are the same bytes, on a machine that has to fetch every archive too', async () => {
  await using team = await makeTeam();
  const archive = await team.release({});
  const again = join(team.home, 'again.gemini-bundle');
  const {requests} = team.registry;
  requests.length = 0;
  await mustRun(
    runGemini(['bundle', 'export', 'corp.bundle.lock.json', '--out', again], {
      cwd: team.folder,
      home: team.home,
      variables: {npm_config_registry: team.registry.url},
    }),
  );
  expect((await readFile(again)).equals(await readFile(archive))).toBe(true);
  expect(requests).toEqual(['/@corp/words', '/@corp/words/-/1.0.0.tgz', '/counter/-/2.0.0.tgz']);
}, 60_000);

const flip = (bytes: Buffer | undefined, at: number): void => void (bytes && (bytes[at] = (bytes[at] ?? 0) ^ 1));
const archiveIn = (files: Map<string, Buffer>): string =>
  [...files.keys()].find((path) => path.startsWith('archives/')) ?? '';

const CHANGES: Readonly<Record<string, readonly [code: string, change: (files: Map<string, Buffer>) => void]>> = {
  'one byte of an archive': ['BUNDLE_TAMPERED', (files) => flip(files.get(archiveIn(files)), 100)],
  'one byte of a policy': ['BUNDLE_TAMPERED', (files) => flip(files.get('policies/shell.toml'), 30)],
  'one letter of the lock': [
    'BUNDLE_UNTRUSTED',
    (files) =>
      void files.set(
        'bundle.lock.json',
        Buffer.from((files.get('bundle.lock.json')?.toString() ?? '').replace('For a test', 'For a rest')),
      ),
  ],
  'the serial in the lock': [
    'BUNDLE_UNTRUSTED',
    (files) =>
      void files.set(
        'bundle.lock.json',
        Buffer.from((files.get('bundle.lock.json')?.toString() ?? '').replace('"serial": 1', '"serial": 9')),
      ),
  ],
  'no signature': ['BUNDLE_UNTRUSTED', (files) => void files.delete('bundle.lock.json.sig')],
  'an empty list of signatures': [
    'BUNDLE_UNTRUSTED',
    (files) => void files.set('bundle.lock.json.sig', Buffer.from('[]')),
  ],
  'a missing archive': ['BUNDLE_ARCHIVE_MISSING', (files) => void files.delete(archiveIn(files))],
  'a missing policy': ['BUNDLE_TAMPERED', (files) => void files.delete('policies/shell.toml')],
  'a file more': ['BUNDLE_TAMPERED', (files) => void files.set('policies/more.toml', Buffer.from(''))],
  'an archive more': ['BUNDLE_TAMPERED', (files) => void files.set('archives/more.tgz', Buffer.from(''))],
};

test('a bundle in which anything was changed is refused, and nothing is left of it', async () => {
  await using team = await makeTeam();
  await team.write('policies/shell.toml', POLICY);
  const archive = await team.release({policies: ['policies/shell.toml']});
  const found: Record<string, string> = {};
  for (const [what, [, change]] of Object.entries(CHANGES)) {
    const changed = join(team.folder, 'changed.gemini-bundle');
    await copyFile(archive, changed);
    await tamper(changed, change);
    found[what] = await codeOf(team.apply(changed));
  }
  expect(found).toEqual(Object.fromEntries(Object.entries(CHANGES).map(([what, [code]]) => [what, code])));
  expect(await team.status()).toMatchObject({bundles: [], remembered: [], faults: []});
  expect(await callWords(team)).toContain('There is no tool corp_words_echo');
}, 60_000);

test(
  'a bundle is refused when it is damaged as a file, signed with another key, or carries the signature of another ' +
    'bundle',
  async () => {
    await using team = await makeTeam();
    const archive = await team.release({});
    const {code, stdout} = await team.elsewhere('bundle', 'apply', '--from', archive, '--yes', '--json');
    const unknown = (JSON.parse(stdout) as {error: {code: string; exit: number}}).error;
    expect([code, unknown.code, unknown.exit]).toEqual([52, 'BUNDLE_UNTRUSTED', 52]);
    await mustRun(team.run('bundle', 'key', 'other'));
    const other = (await readFile(join(team.folder, 'other.pub'), 'utf8')).trim().replace(/^other=/, 'corp=');
    const wrong = await codeOf(team.apply(archive, other));
    const signature = await readFile(join(team.folder, 'corp.bundle.lock.json.sig'));
    const second = await team.release({serial: 2});
    await tamper(second, (files) => void files.set('bundle.lock.json.sig', signature));
    const borrowed = await codeOf(team.apply(second));
    await writeFile(archive, (await readFile(archive)).subarray(0, -20));
    const {code: exit, stdout: cut} = await apply(team, archive, '--json');
    expect([wrong, borrowed, exit, (JSON.parse(cut) as {error: {code: string}}).error.code]).toEqual([
      'BUNDLE_UNTRUSTED',
      'BUNDLE_UNTRUSTED',
      52,
      'BUNDLE_TAMPERED',
    ]);
  },
  60_000,
);

test('the signature of a plugin does not stand in for that of a bundle', async () => {
  const {signText} = await import('@gemini-kernel/admission');
  const {judgeSignatures} = await import('#plugins/bundles/dist/bundle/bundle-signatures.js');
  const {createSigningKey} = await import('#plugins/bundles/dist/bundle/signing-key.js');
  const {privateKey, publicKey} = createSigningKey();
  expect(judgeSignatures('{}', [signText('{}', {name: 'corp', privateKey})], {corp: publicKey})).toEqual([
    {key: 'corp', fault: expect.stringContaining('does not fit')},
  ]);
});

test('what has expired, is for another kernel or was replayed is refused, and what is in force stays', async () => {
  await using team = await makeTeam();
  const yesterday = new Date(Date.now() - 86_400_000).toISOString();
  const [old, current] = [await team.release({serial: 3, plugins: []}), await team.release({serial: 4})];
  const expired = await team.release({serial: 5, expires: yesterday});
  const foreign = await team.release({serial: 6, kernel: '^9'});
  await team.apply(current);
  expect([await codeOf(team.apply(old)), await codeOf(team.apply(expired)), await codeOf(team.apply(foreign))]).toEqual(
    ['BUNDLE_REPLAYED', 'BUNDLE_EXPIRED', 'BUNDLE_UNFIT'],
  );
  const twin = await team.release({serial: 4, description: 'Another with the same serial.'});
  expect(await codeOf(team.apply(twin))).toBe('BUNDLE_REPLAYED');
  expect(await team.status()).toMatchObject({bundles: [{serial: 4, differences: []}]});
  await mustRun(team.elsewhere('bundle', 'remove', 'corp'));
  expect(await callWords(team)).toContain('There is no tool corp_words_echo');
  expect(await statusOf(team)).toMatchObject({bundles: [], remembered: [{name: 'corp', scope: 'user', serial: 4}]});
  expect(await codeOf(team.apply(old))).toBe('BUNDLE_REPLAYED');
}, 90_000);

test('without a terminal a bundle is not confirmed, and --yes does not trust a key', async () => {
  await using team = await makeTeam();
  const archive = await team.release({keys: {corp: team.publicKey.slice('corp='.length)}});
  const {code, stdout} = await team.elsewhere('bundle', 'apply', '--from', archive, '--json', '--key', team.publicKey);
  expect({code, error: JSON.parse(stdout)}).toMatchObject({code: 1, error: {error: {code: 'BUNDLE_UNCONFIRMED'}}});
  expect(await team.elsewhere('bundle', 'apply', '--from', archive, '--yes')).toMatchObject({
    code: 52,
    stderr: expect.stringContaining('not among the known ones'),
  });
  await mustRun(apply(team, archive));
  await mustRun(team.elsewhere('bundle', 'apply', '--from', archive, '--yes'));
}, 60_000);

test(
  'an archive whose files are not what the lock hashes, or declare other capabilities, is refused even when it is ' +
    'signed',
  async () => {
    await using team = await makeTeam();
    await team.write('words.tgz', packPlugin());
    await team.release({plugins: [{name: '@corp/words', from: './words.tgz'}]});
    const file = join(team.folder, 'corp.bundle.lock.json');
    const honest = await readFile(file, 'utf8');
    const codes: string[] = [];
    for (const lie of [
      honest.replace(/"tree": "sha256-.{4}/, '"tree": "sha256-0000'),
      honest.replace('"fs:read"', '"fs:write"'),
      honest.replace('"version": "1.0.0"', '"version": "1.0.1"'),
    ]) {
      await writeFile(file, lie);
      codes.push(await codeOf(team.apply(await team.signAndExport('lie'))));
    }
    expect(codes).toEqual(['BUNDLE_TAMPERED', 'BUNDLE_TAMPERED', 'BUNDLE_TAMPERED']);
  },
  60_000,
);

test('status names what was changed after a bundle was applied, and ends with 1', async () => {
  await using team = await makeTeam();
  await team.write('policies/shell.toml', POLICY);
  await team.apply(await team.release({policies: ['policies/shell.toml']}));
  const data = join(team.home, '.local/share/gemini');
  await writeFile(join(data, 'bundles/corp/policies/shell.toml'), '');
  const {code, stdout} = await team.elsewhere('bundle', 'status', '--json');
  expect({code, status: JSON.parse(stdout)}).toMatchObject({
    code: 1,
    status: {bundles: [{differences: ['Its policy policies/shell.toml was changed.']}]},
  });
}, 60_000);

/**
 * Applies, and kills the program at the given event below the folder of its data; says whether it was killed before it
 * ended.
 */
function applyAndKill(team: PlatformTeam, archive: string, event: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [join(checkout, 'bin/gemini.cjs'), 'bundle', 'apply', '--from', archive, '--yes', '--key', team.publicKey],
      {cwd: team.home, env: isolate(team.home), stdio: 'ignore'},
    );
    let seen = 0;
    const watcher = watch(join(team.home, '.local/share/gemini'), {recursive: true}, () => {
      seen += 1;
      if (seen === event) child.kill('SIGKILL');
    });
    child.on('error', reject);
    child.on('close', (code) => {
      watcher.close();
      resolve(code === null);
    });
  });
}

/** At which events below the data folder the program is killed; many more with --long. */
const KILLS = process.env['FUZZ_RUNS'] === undefined ? [1, 8, 16] : [1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 20];

test('a program that is killed anywhere while it applies leaves one of both releases whole, and the next one finishes', async () => {
  await using team = await makeTeam();
  team.registry.publish({name: '@corp/words', version: '1.1.0', manifest: {capabilities: ['fs:read']}});
  const first = await team.release({});
  await mkdir(join(team.home, '.local/share/gemini'), {recursive: true});
  await team.apply(first);
  let killed = 0;
  for (const [index, event] of KILLS.entries()) {
    const version = index % 2 === 0 ? '1.1.0' : '1.0.0';
    const archive = await team.release({serial: index + 2, plugins: [{name: '@corp/words', version}]});
    if (await applyAndKill(team, archive, event)) killed += 1;
    expect(await callWords(team)).toMatch(/@corp\/words 1\.[01]\.0/);
    expect((await team.status()).faults).toEqual([]);
    await team.apply(archive);
    expect(await callWords(team)).toContain(`@corp/words ${version}`);
    expect(await team.status()).toMatchObject({bundles: [{name: 'corp', serial: index + 2, differences: []}]});
  }
  expect(killed).toBeGreaterThan(0);
}, 120_000);
