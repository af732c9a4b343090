import {createHash} from 'node:crypto';
import {mkdir, symlink, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {expect, test} from '@jest/globals';
import {dataFolder} from '../helpers/install-plugins.js';
import {makeFolder, type Folder} from '../helpers/make-plugin.js';
import {runGemini, type RunResult} from '../helpers/run-gemini.js';

interface Desk extends Folder {
  readonly bundles: string;
  gemini(...argv: readonly string[]): Promise<RunResult>;
}

const digest = (text: string): string => `sha256-${createHash('sha256').update(text).digest('hex')}`;
const ALLOW = '[[rule]]\ntoolName = "*"\ndecision = "allow"\npriority = 999\n';
const five = {
  name: 'mine',
  serial: 1,
  plugins: {product: []},
  policies: [{path: 'allow.toml', digest: digest(ALLOW)}],
  settings: {enforced: {security: {folderTrust: {enabled: false}}}},
};
const whole = {...five, bundleVersion: 1, description: 'Mine.', plugins: {product: [], installed: {}}};

async function sitDown(files: Readonly<Record<string, string>>): Promise<Desk> {
  const folder = await makeFolder();
  const [home, project] = [join(folder.path, 'home'), join(folder.path, 'project')];
  await mkdir(project);
  const bundles = join(dataFolder(home), 'bundles');
  for (const [name, text] of Object.entries({'mine/allow.toml': ALLOW, ...files})) {
    await mkdir(dirname(join(bundles, name)), {recursive: true});
    await writeFile(join(bundles, name), text);
  }
  return {
    ...folder,
    bundles,
    gemini: (...argv) => runGemini(argv, {cwd: project, home, variables: {GEMINI_CLI_TRUST_WORKSPACE: ''}}),
  };
}

const memory = (text: string, name = 'mine'): string =>
  JSON.stringify({
    applied: {[name]: {serial: 1, digest: digest(text), signers: ['me'], at: '2026-01-01T00:00:00Z'}},
    keys: {},
  });

test.each<[string, Readonly<Record<string, string>>, string]>([
  ['of five fields', {'mine/bundle.lock.json': JSON.stringify(five)}, 'its lock is not valid'],
  [
    'of five fields, that is remembered',
    {'mine/bundle.lock.json': JSON.stringify(five), 'memory.json': memory(JSON.stringify(five))},
    'its lock is not valid',
  ],
  [
    'without a signature',
    {'mine/bundle.lock.json': JSON.stringify(whole)},
    'nothing says who applied it, and it is not signed',
  ],
  [
    'signed by an unapproved key',
    {
      'mine/bundle.lock.json': JSON.stringify(whole),
      'mine/bundle.lock.json.sig': '[{"format": 1, "key": "me", "signature": "AAAA"}]',
    },
    'not among the known ones',
  ],
  [
    'whose signatures are damaged',
    {'mine/bundle.lock.json': JSON.stringify(whole), 'mine/bundle.lock.json.sig': '{'},
    'its signature cannot be read',
  ],
  [
    'that is not the one that was applied',
    {'mine/bundle.lock.json': JSON.stringify(whole), 'memory.json': memory('{}')},
    'its lock is not the one that was applied',
  ],
  [
    'under another name',
    {
      'mine/bundle.lock.json': JSON.stringify({...whole, name: 'other'}),
      'memory.json': memory(JSON.stringify({...whole, name: 'other'}), 'other'),
    },
    'it calls itself other',
  ],
  [
    'whose policy was changed',
    {
      'mine/bundle.lock.json': JSON.stringify(whole),
      'memory.json': memory(JSON.stringify(whole)),
      'mine/allow.toml': `${ALLOW}# changed\n`,
    },
    'its policy allow.toml was changed',
  ],
  [
    'beside a damaged memory',
    {'mine/bundle.lock.json': JSON.stringify(whole), 'memory.json': '{"applied": 5}'},
    'it is in no known form',
  ],
])(
  'a bundle %s is not obeyed, and the start and bundle status say the same [authority.bundle]',
  async (_, files, said) => {
    await using desk = await sitDown(files);
    const call = await desk.gemini('tools', 'call', 'run_shell_command', 'command=touch ran');
    expect({code: call.code, stderr: call.stderr}).toEqual({
      code: 52,
      stderr: expect.stringContaining('gemini bundle remove'),
    });
    expect(call.stderr.toLowerCase()).toContain(said);
    const {stdout, stderr} = await desk.gemini('bundle', 'status');
    expect(`${stdout}${stderr}`.toLowerCase()).toContain(said);
  },
);

test('a bundle that was applied counts, but turns nothing off that only a person can [authority.bundle]', async () => {
  await using desk = await sitDown({
    'mine/bundle.lock.json': JSON.stringify(whole),
    'memory.json': memory(JSON.stringify(whole)),
  });
  const {code, stderr} = await desk.gemini('tools', 'call', 'read_file', 'file_path=a.txt');
  expect({code, stderr}).toEqual({
    code: 55,
    stderr: expect.stringContaining(
      'The bundle mine says security.folderTrust.enabled, which only you can loosen: left out.',
    ),
  });
});

test('a policy of a bundle that is changed after the start looked at it is not used [authority.bundle]', async () => {
  await using desk = await sitDown({
    'mine/bundle.lock.json': JSON.stringify(whole),
    'memory.json': memory(JSON.stringify(whole)),
  });
  // What is known of the bundle is kept, and only its lock is looked at again.
  expect(await desk.gemini('directory', 'show')).toMatchObject({code: 0});
  await writeFile(join(desk.bundles, 'mine', 'allow.toml'), `${ALLOW}# changed\n`);
  expect(await desk.gemini('tools', 'call', 'read_file', 'file_path=a.txt', '--skip-trust')).toMatchObject({
    code: 52,
    stderr: expect.stringContaining('not the file that its bundle was signed with'),
  });
});

test('a lock that is a link is not followed [authority.bundle]', async () => {
  await using desk = await sitDown({
    'elsewhere.json': JSON.stringify(whole),
    'memory.json': memory(JSON.stringify(whole)),
  });
  await symlink('../elsewhere.json', join(desk.bundles, 'mine', 'bundle.lock.json'));
  expect((await desk.gemini('directory', 'show')).stderr).toContain('no regular file');
});
