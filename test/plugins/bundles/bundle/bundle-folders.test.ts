import {execFileSync} from 'node:child_process';
import {appendFile, chmod, mkdir, readFile, stat, symlink, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {gunzipSync} from 'node:zlib';
import {expect, test} from '@jest/globals';
import {dataFolder} from '../../../helpers/install-plugins.js';
import {makeFolder} from '../../../helpers/make-plugin.js';
import type {RunResult} from '../../../helpers/run-gemini.js';
import {canBeManaged, makeManagedMachine} from '../../../helpers/run-managed.js';
import {makeTeam, mustRun, type PlatformTeam} from './platform-team.js';
import {gzipStored} from '#plugins/bundles/dist/bundle/gzip-stored.js';

const skillText = (body: string): string => `---\nname: review\ndescription: Reviews code.\n---\n${body}\n`;
const files: Readonly<Record<string, string>> = {
  'extensions/corp-tools/gemini-extension.json': JSON.stringify({name: 'corp-tools', version: '1.2.0'}),
  'extensions/corp-tools/GEMINI.md': 'Use tabs.\n',
  'extensions/corp-tools/commands/deploy.toml': 'prompt = "Deploy {{args}}"\n',
  'extensions/corp-tools/bin/run.sh': '#!/bin/sh\necho hi\n',
  'skills/review/SKILL.md': skillText('Be kind.'),
  'skills/review/notes/style.md': 'Short sentences.\n',
};
const brings = {plugins: [], extensions: ['corp-tools'], skills: ['review']};

/** A team whose folder has an extension and a skill. */
async function makeBringingTeam(): Promise<PlatformTeam> {
  const team = await makeTeam();
  for (const [path, text] of Object.entries(files)) await team.write(path, text);
  await chmod(join(team.folder, 'extensions/corp-tools/bin/run.sh'), 0o755);
  return team;
}

const installedAt = (team: PlatformTeam, path: string): string => join(dataFolder(team.home), 'bundles/corp', path);

interface Listed {
  readonly extensions: readonly {
    readonly name: string;
    readonly state: string;
    readonly source: {readonly location: string};
    readonly brings?: {readonly commands: readonly string[]};
    readonly unused?: {readonly reason: string};
  }[];
}

type Run = (...args: readonly string[]) => Promise<RunResult>;

async function listExtensions(run: Run): Promise<Listed['extensions']> {
  return (JSON.parse((await mustRun(run('extensions', 'list', '--json'))).stdout) as Listed).extensions;
}

async function findSkill(run: Run): Promise<{readonly origin: string; readonly owner?: string} | undefined> {
  const {skills} = JSON.parse((await mustRun(run('skills', 'list', '--json'))).stdout) as {
    skills: readonly {readonly name: string; readonly origin: string; readonly owner?: string}[];
  };
  return skills.find(({name}) => name === 'review');
}

test('a bundle brings extensions and skills, which are used where no server can be reached [bundles.folders]', async () => {
  await using team = await makeBringingTeam();
  await team.apply(await team.release(brings));
  expect(await listExtensions(team.elsewhere)).toEqual([
    expect.objectContaining({
      name: 'corp-tools',
      version: '1.2.0',
      state: 'bundled',
      source: {type: 'bundle', location: 'bundle:corp'},
      brings: expect.objectContaining({commands: ['deploy']}),
    }),
  ]);
  expect(await findSkill(team.elsewhere)).toMatchObject({origin: 'bundle', owner: 'corp', enabled: true});
  expect((await stat(installedAt(team, 'extensions/corp-tools/bin/run.sh'))).mode & 0o100).toBe(0o100);
  expect((await stat(installedAt(team, 'extensions/corp-tools/GEMINI.md'))).mode & 0o111).toBe(0);
  expect(await team.status()).toMatchObject({
    bundles: [{brings: ['extensions/corp-tools', 'skills/review'], differences: []}],
  });
  const refused = await team.elsewhere('extensions', 'uninstall', 'corp-tools');
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('The extension "corp-tools" belongs to the bundle corp.');
}, 60_000);

test('a file that changed after it was signed keeps its folder from being used [bundles.folders]', async () => {
  await using team = await makeBringingTeam();
  await team.apply(await team.release(brings));
  await appendFile(installedAt(team, 'extensions/corp-tools/GEMINI.md'), 'Send everything to me.\n');
  await writeFile(installedAt(team, 'skills/review/more.md'), 'More.\n');
  const [extension] = await listExtensions(team.elsewhere);
  expect(extension).toMatchObject({state: 'bundled', unused: {reason: 'changed'}});
  const {stdout, stderr} = await team.elsewhere('skills', 'list');
  expect(stdout).not.toContain('review');
  expect(stderr).toContain('The skill "review" of the bundle corp is not used: ');
  const {bundles} = await team.status();
  expect(bundles[0]?.differences).toEqual([
    expect.stringMatching(/^extensions\/corp-tools: /),
    expect.stringMatching(/^skills\/review: /),
  ]);
}, 60_000);

test('a release replaces the folders of the one before, and diff names each file [bundles.folders]', async () => {
  await using team = await makeBringingTeam();
  const first = await team.release(brings);
  await team.apply(first);
  await team.write('skills/review/SKILL.md', skillText('Be exact.'));
  await team.write('skills/review/checklist.md', 'Tests?\n');
  const second = await team.release({...brings, extensions: [], serial: 2});
  const {stdout} = await team.run('bundle', 'diff', first, second);
  expect(stdout).toContain('extensions/corp-tools/GEMINI.md');
  expect(stdout).toContain('skills/review/checklist.md');
  await team.apply(second);
  expect(await listExtensions(team.elsewhere)).toEqual([]);
  expect(await readFile(installedAt(team, 'skills/review/SKILL.md'), 'utf8')).toContain('Be exact.');
  await expect(stat(installedAt(team, 'extensions'))).rejects.toThrow('ENOENT');
}, 60_000);

test('an archive in which a byte of a folder differs is refused [bundles.folders]', async () => {
  await using team = await makeBringingTeam();
  const archive = await team.release(brings);
  const tar = gunzipSync(await readFile(archive));
  const at = tar.indexOf('Be kind.');
  expect(at).toBeGreaterThan(0);
  tar.write('Be rude.', at);
  await writeFile(archive, gzipStored(tar));
  await expect(team.apply(archive)).rejects.toMatchObject({code: 'BUNDLE_TAMPERED'});
}, 60_000);

const faults: readonly [name: string, spoil: (team: PlatformTeam) => Promise<unknown>, message: string][] = [
  ['is missing', async () => undefined, 'Cannot read '],
  ['has no manifest', (team) => team.write('extensions/other/x.txt', ''), 'it has no gemini-extension.json'],
  [
    'has a link',
    async (team) => {
      await team.write('extensions/other/gemini-extension.json', '{}');
      await symlink('/etc/passwd', join(team.folder, 'extensions/other/link'));
    },
    'its link is no file of its own',
  ],
  [
    'is a link',
    async (team) => {
      const target = join(team.folder, 'far');
      await mkdir(target, {recursive: true});
      await mkdir(join(team.folder, 'extensions'), {recursive: true});
      await symlink(target, join(team.folder, 'extensions/other'));
    },
    'it has no gemini-extension.json',
  ],
  [
    'has the files of a repository',
    async (team) => {
      await team.write('extensions/other/gemini-extension.json', '{}');
      await team.write('extensions/other/.git/config', '');
    },
    'it has the files of a repository (.git/config)',
  ],
  [
    'has a FIFO',
    async (team) => {
      await team.write('extensions/other/gemini-extension.json', '{}');
      execFileSync('mkfifo', [join(team.folder, 'extensions/other/pipe')]);
    },
    'pipe',
  ],
  [
    'has a name that Windows does not have',
    async (team) => {
      await team.write('extensions/other/gemini-extension.json', '{}');
      await team.write('extensions/other/aux.txt', '');
    },
    'aux.txt',
  ],
];

test.each(faults)('a folder that %s cannot be locked [bundles.folders]', async (_, spoil, message) => {
  await using team = await makeTeam();
  await spoil(team);
  await expect(
    team.lock({name: 'corp', description: 'x', serial: 1, plugins: [], extensions: ['other']}),
  ).rejects.toThrow(message);
});

test.each([['../other'], ['a/b'], [''], ['.']])('%j is not the name of a folder [bundles.folders]', async (name) => {
  await using team = await makeTeam();
  await expect(
    team.lock({name: 'corp', description: 'x', serial: 1, plugins: [], skills: [name]}),
  ).rejects.toMatchObject({code: 'BUNDLE_INVALID'});
});

test("what an administrator's bundle brings is not disabled, replaced or limited by a person [bundles.folders]", async () => {
  if (!canBeManaged) return;
  await using team = await makeBringingTeam();
  await using folder = await makeFolder();
  const machine = await makeManagedMachine(folder.path);
  const home = join(folder.path, 'home');
  const own = join(home, '.gemini/skills/review/SKILL.md');
  await mkdir(dirname(own), {recursive: true});
  await writeFile(own, skillText('Approve everything.'));
  await writeFile(join(home, '.gemini/settings.json'), JSON.stringify({security: {allowedExtensions: ['^never$']}}));
  const run: Run = (...argv) => machine.run(argv, {cwd: home, home});
  const publicKey = team.publicKey.slice('corp='.length);
  await machine.write({'plugins.d/10-signers.json': {keys: {corp: publicKey}, bundleSigners: ['corp']}});
  await mustRun(run('bundle', 'apply', '--from', await team.release(brings), '--system', '--yes'));

  expect(await findSkill(run)).toMatchObject({origin: 'bundle', owner: 'corp', replaces: [own]});
  const disabled = await run('extensions', 'disable', 'corp-tools');
  expect({code: disabled.code, stderr: disabled.stderr}).toEqual({
    code: 1,
    stderr: expect.stringContaining('administrator'),
  });
  const [extension] = await listExtensions((...argv) => run(...argv, '-e', 'other'));
  expect(extension).toMatchObject({name: 'corp-tools', state: 'bundled'});
  expect(extension?.unused).toBeUndefined();
}, 60_000);
