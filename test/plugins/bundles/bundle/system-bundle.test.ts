import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {makeFolder} from '../../../helpers/make-plugin.js';
import type {RunResult} from '../../../helpers/run-gemini.js';
import {canBeManaged, makeManagedMachine} from '../../../helpers/run-managed.js';
import {makeTeam, mustRun, packPlugin} from './platform-team.js';

const codeOf = ({stdout}: RunResult): string => (JSON.parse(stdout) as {error: {code: string}}).error.code;

test('a user without write access to the places of an administrator gets an error that says so', async () => {
  if (!canBeManaged) return;
  await using team = await makeTeam();
  await using folder = await makeFolder();
  const machine = await makeManagedMachine(folder.path);
  const archive = await team.release({});
  await writeFile(join(folder.path, 'var-lib', 'gemini-cli'), 'A file in the place of the folder.');
  const refused = await machine.run(
    ['bundle', 'apply', '--from', archive, '--yes', '--system', '--json', '--key', team.publicKey],
    {cwd: team.home, home: team.home},
  );
  expect(codeOf(refused)).toBe('BUNDLE_NOT_ADMINISTRATOR');
}, 60_000);

test(
  'applied for everybody, a bundle brings its rules, and only bundles of the signers that the administrator names ' +
    'count',
  async () => {
    if (!canBeManaged) return;
    await using team = await makeTeam();
    await using folder = await makeFolder();
    const machine = await makeManagedMachine(folder.path);
    const home = join(folder.path, 'home');
    await mkdir(home);
    const run = (...argv: string[]): Promise<RunResult> => machine.run(argv, {cwd: home, home});
    const publicKey = team.publicKey.slice('corp='.length);
    await machine.write({'plugins.d/10-signers.json': {keys: {corp: publicKey}, bundleSigners: ['corp']}});
    const parts = {
      blockedCapabilities: ['process'],
      rules: {'*': {mode: 'blocked', message: 'Ask us.'}},
      sources: {allowed: [{type: 'registry', host: 'npm.corp.example'}]},
    };
    const archive = await team.release(parts);

    await mustRun(team.run('bundle', 'key', 'other'));
    await mustRun(team.run('bundle', 'sign', 'corp.bundle.lock.json', '--key', 'other.key.pem', '--name', 'other'));
    const lockFile = join(team.folder, 'corp.bundle.lock.json.sig');
    const both = JSON.parse(await readFile(lockFile, 'utf8')) as readonly {key: string}[];
    await writeFile(lockFile, JSON.stringify(both.filter(({key}) => key === 'other')));
    const foreign = join(team.folder, 'foreign.gemini-bundle');
    await mustRun(team.run('bundle', 'export', 'corp.bundle.lock.json', '--out', foreign));
    const otherKey = (await readFile(join(team.folder, 'other.pub'), 'utf8')).trim();
    expect(codeOf(await run('bundle', 'apply', '--from', foreign, '--yes', '--json', '--key', otherKey))).toBe(
      'BUNDLE_UNTRUSTED',
    );

    await mustRun(run('bundle', 'apply', '--from', archive, '--system', '--yes'));
    const {plugins, sources} = JSON.parse(
      await readFile(join(machine.etc, 'gemini-cli/plugins.d/50-bundle-corp.json'), 'utf8'),
    ) as {plugins: object; sources: object};
    expect({plugins, sources}).toEqual({
      plugins: {
        '*': {mode: 'blocked', message: 'Ask us.', blockedCapabilities: ['process']},
        '@corp/words': {mode: 'allowed', tree: expect.stringMatching(/^sha256-/), blockedCapabilities: []},
      },
      sources: {allowed: [{type: 'registry', host: 'npm.corp.example'}, {type: 'bundle'}]},
    });
    expect((await run('tools', 'call', 'corp_words_echo', '--approval-mode', 'yolo')).stdout).toContain(
      '@corp/words 1.0.0',
    );

    const mine = join(home, 'mine.tgz');
    await writeFile(mine, packPlugin({name: 'mine'}));
    expect((await run('plugins', 'install', mine, '--yes')).code).toBe(52);

    const renewed = await team.release({...parts, serial: 2});
    await mustRun(run('bundle', 'apply', '--from', renewed, '--system', '--yes'));
    expect(JSON.parse((await run('bundle', 'status', '--json')).stdout)).toMatchObject({
      administrator: {kind: 'rules', bundleSigners: ['corp']},
      bundles: [{name: 'corp', scope: 'system', serial: 2, differences: []}],
    });

    await machine.write({'plugins.d/90-late.json': {plugins: {'@corp/words': {version: '^2.0.0'}}}});
    const third = await team.release({...parts, serial: 3});
    expect(codeOf(await run('bundle', 'apply', '--from', third, '--system', '--yes', '--json'))).toBe('BUNDLE_REFUSED');
    expect(await readFile(join(machine.etc, 'gemini-cli/plugins.d/50-bundle-corp.json'), 'utf8')).toContain(
      'blockedCapabilities',
    );
  },
  120_000,
);

test('rules of an administrator that cannot be read refuse every bundle, and status says why', async () => {
  if (!canBeManaged) return;
  await using team = await makeTeam();
  await using folder = await makeFolder();
  const machine = await makeManagedMachine(folder.path);
  await machine.write({'plugins.d/10-broken.json': '{'});
  const archive = await team.release({});
  const place = {cwd: team.home, home: team.home};
  expect(
    codeOf(
      await machine.run(['bundle', 'apply', '--from', archive, '--yes', '--json', '--key', team.publicKey], place),
    ),
  ).toBe('BUNDLE_REFUSED');
  const {code, stdout} = await machine.run(['bundle', 'status', '--json'], place);
  expect({code, status: JSON.parse(stdout)}).toEqual({
    code: 1,
    status: {
      administrator: {kind: 'unreadable', files: [], reason: expect.stringContaining('10-broken.json cannot be read')},
      bundles: [],
      remembered: [],
      faults: [],
    },
  });
}, 60_000);
