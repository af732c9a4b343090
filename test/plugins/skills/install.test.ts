import {execFileSync, spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, symlink, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {gzipSync} from 'node:zlib';
import {describe, expect, test} from '@jest/globals';
import {readArchive} from '@gemini-kernel/files/sources';
import type {Environment} from '@gemini-kernel/kernel';
import {readFolder} from '#plugins/skills/dist/archive/read-folder.js';
import {skillLimits} from '#plugins/skills/dist/archive/skill-limits.js';
import {writeZip} from '#plugins/skills/dist/archive/write-zip.js';
import {SkillReader} from '#plugins/skills/dist/find/read-skill.js';
import {findSkillFiles} from '#plugins/skills/dist/find/skill-files.js';
import {installSkills, type InstalledSkill} from '#plugins/skills/dist/write/install-skills.js';
import {readSkillsLock} from '#plugins/skills/dist/write/skills-lock.js';
import {linkSkill, removeSkill, storeOf, withStore} from '#plugins/skills/dist/write/skill-store.js';
import {checkout} from '../../helpers/plugin-root.js';
import {until} from '../mcp/scene.js';
import {skill} from './scene.js';

interface Place extends AsyncDisposable {
  readonly folder: string;
  readonly root: string;
  readonly environment: Environment;
  write(files: Readonly<Record<string, string>>): Promise<void>;
  install(
    source: string,
    more?: {readonly path?: string; readonly only?: string; readonly isRefused?: boolean},
  ): Promise<readonly InstalledSkill[]>;
  /** Files of the installed skills, without the lock. */
  files(): Promise<readonly string[]>;
}

async function makePlace(): Promise<Place> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'gemini-skills-')));
  const environment: Environment = {
    cwd: folder,
    home: join(folder, 'home'),
    temporary: folder,
    cacheDir: folder,
    platform: process.platform,
    variables: {PATH: process.env['PATH']},
    flags: {},
    interactive: false,
    newId: () => 'id',
  };
  const root = storeOf('user', environment);
  return {
    folder,
    root,
    environment,
    async write(files) {
      for (const [path, text] of Object.entries(files)) {
        await mkdir(dirname(join(folder, path)), {recursive: true});
        await writeFile(join(folder, path), text);
      }
    },
    install: (source, {isRefused = false, ...more} = {}) =>
      installSkills({
        source,
        ...more,
        scope: 'user',
        environment,
        signal: new AbortController().signal,
        agree: async () => {
          if (isRefused) throw new Error('no');
        },
      }),
    async files() {
      const names = await readdir(root, {recursive: true}).catch(() => []);
      return names.filter((name) => name !== 'skills.lock.json').sort();
    },
    [Symbol.asyncDispose]: () => rm(folder, {recursive: true, force: true}),
  };
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const zipOf = (files: Readonly<Record<string, string>>): Buffer =>
  writeZip(Object.entries(files).map(([path, text]) => ({path, bytes: bytesOf(text), isExecutable: false})));

/** A tar archive with one header per entry. */
function tarOf(entries: readonly {readonly path: string; readonly text?: string; readonly type?: string}[]): Buffer {
  const blocks = entries.map(({path, text = '', type = '0'}) => {
    const header = Buffer.alloc(512);
    header.write(path, 0, 100);
    header.write('0000755\0', 100);
    header.write(`${text.length.toString(8).padStart(11, '0')}\0`, 124);
    header.write('        ', 148);
    header.write(type, 156);
    header.write('ustar\0', 257);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    return Buffer.concat([header, Buffer.from(text), Buffer.alloc((512 - (text.length % 512)) % 512)]);
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

describe('installing', () => {
  test('a folder is copied under the name in its head, with a lock [skills.install]', async () => {
    await using place = await makePlace();
    await place.write({
      'some folder/SKILL.md': skill('notes'),
      'some folder/scripts/run.sh': '#!/bin/sh\n',
      'some folder/.git/x': '',
    });
    const [done] = await place.install('some folder');
    expect(done).toMatchObject({name: 'notes', folder: join(place.root, 'notes'), replaced: false, files: 2});
    expect(await place.files()).toEqual(['notes', 'notes/SKILL.md', 'notes/scripts', 'notes/scripts/run.sh']);
    expect(await readSkillsLock(place.root)).toEqual({
      notes: {source: join(place.folder, 'some folder'), type: 'folder', tree: done?.tree},
    });
  });

  test('every skill of a source is installed; a path chooses one [skills.install]', async () => {
    await using place = await makePlace();
    await place.write({'s/skills/a/SKILL.md': skill('a'), 's/skills/b/SKILL.md': skill('b'), 's/README.md': ''});
    expect((await place.install('s', {path: 'skills/b/'})).map(({name}) => name)).toEqual(['b']);
    expect((await place.install('s')).map(({name, replaced}) => [name, replaced])).toEqual([
      ['a', false],
      ['b', true],
    ]);
    await expect(place.install('s', {path: 'other'})).rejects.toMatchObject({code: 'SKILL_INVALID'});
  });

  test('without agreement nothing is written [skills.install]', async () => {
    await using place = await makePlace();
    await place.write({'s/SKILL.md': skill('a')});
    await expect(place.install('s', {isRefused: true})).rejects.toThrow('no');
    expect(await place.files()).toEqual([]);
  });

  test('a repository is pinned to its commit, and none of its hooks runs [skills.install]', async () => {
    await using place = await makePlace();
    await place.write({'r/SKILL.md': skill('a'), 'r/.githooks/post-checkout': '#!/bin/sh\ntouch ../ran\n'});
    const git = (...args: readonly string[]): string =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
        cwd: join(place.folder, 'r'),
        env: {PATH: process.env['PATH'], HOME: place.folder},
      })
        .toString()
        .trim();
    git('init', '--quiet');
    git('add', '.');
    git('commit', '--quiet', '-m', 'one');
    const commit = git('rev-parse', 'HEAD');
    git('tag', 'v1');
    await place.write({'r/SKILL.md': skill('a', 'Another.')});
    git('commit', '--quiet', '-a', '-m', 'two');
    const source = `file://${join(place.folder, 'r')}#v1`;
    expect(await place.install(source)).toMatchObject([{name: 'a', commit}]);
    expect(await readSkillsLock(place.root)).toMatchObject({a: {source, type: 'git', commit}});
    await expect(place.install(`file://${place.folder}/none.git`)).rejects.toMatchObject({
      code: 'SKILL_INSTALL_FAILED',
    });
  });

  test.each([
    ['a.skill', zipOf({'n/SKILL.md': skill('n'), 'n/references/a.md': 'x'})],
    ['a.zip', zipOf({'SKILL.md': skill('n'), 'references/a.md': 'x'})],
    [
      'a.tgz',
      gzipSync(
        tarOf([
          {path: 'package/SKILL.md', text: skill('n')},
          {path: 'package/references/a.md', text: 'x'},
        ]),
      ),
    ],
    [
      'a.tar',
      tarOf([
        {path: 'n/', type: '5'},
        {path: 'n/SKILL.md', text: skill('n')},
        {path: 'n/references/a.md', text: 'x'},
      ]),
    ],
  ])('an archive %s is unpacked [skills.install]', async (name, bytes) => {
    await using place = await makePlace();
    await writeFile(join(place.folder, name), bytes);
    await place.install(name);
    expect(await place.files()).toEqual(['n', 'n/SKILL.md', 'n/references', 'n/references/a.md']);
    expect(await readSkillsLock(place.root)).toMatchObject({n: {integrity: expect.stringMatching(/^sha512-/)}});
  });

  test('an update installs only what has changed at its source [skills.install]', async () => {
    await using place = await makePlace();
    await place.write({'s/a/SKILL.md': skill('a'), 's/b/SKILL.md': skill('b')});
    await place.install('s');
    await place.write({'s/b/SKILL.md': skill('b', 'New.')});
    expect(await place.install('s', {only: 'a'})).toEqual([]);
    expect(await place.install('s', {only: 'b'})).toMatchObject([{name: 'b', replaced: true}]);
    await rm(join(place.folder, 's', 'b'), {recursive: true});
    await expect(place.install('s', {only: 'b'})).rejects.toMatchObject({code: 'SKILL_UNKNOWN'});
  });

  test('what was stopped in the middle leaves the old skill, and is tidied up [skills.install]', async () => {
    await using place = await makePlace();
    await place.write({'s/SKILL.md': skill('a', 'Old.')});
    await place.install('s');
    // As a process leaves it that is killed while it writes, and between the two names.
    await mkdir(join(place.root, '.staging-a'));
    await writeFile(join(place.root, '.staging-a', 'SKILL.md'), 'half');
    await rename(join(place.root, 'a'), join(place.root, '.replaced-a'));
    const {files} = findSkillFiles(place.root);
    expect(files).toHaveLength(1);
    expect(await new SkillReader().read(files[0] ?? '')).toMatchObject({head: {description: 'Old.'}});
    await withStore(place.root, async () => undefined);
    expect(await place.files()).toEqual(['a', 'a/SKILL.md']);
    await place.write({'s/SKILL.md': skill('a', 'New.')});
    await place.install('s');
    expect(await readFile(join(place.root, 'a', 'SKILL.md'), 'utf8')).toContain('New.');
    expect(await place.files()).toEqual(['a', 'a/SKILL.md']);
  });

  test('a process that is killed while it installs leaves the old skill [skills.install]', async () => {
    await using place = await makePlace();
    await place.write({'s/SKILL.md': skill('a', 'Old.')});
    await place.install('s');
    const module = join(checkout, 'plugins', 'skills', 'dist', 'write', 'skill-store.js');
    const code = `import {putSkill, withStore} from ${JSON.stringify(module)};
      const [root, text] = process.argv.slice(1);
      const bytes = Buffer.from(text);
      const more = Array.from({length: 1900}, (_, n) => ({path: 'f' + n, bytes, isExecutable: false}));
      const files = [{path: 'SKILL.md', bytes, isExecutable: false}, ...more];
      await withStore(root, () => putSkill(root, {head: {name: 'a', description: 'New.'}, files}, {source: 's', type: 'folder'}));`;
    const words = ['--input-type=module', '-e', code, place.root, skill('a', 'New.')];
    const child = spawn(process.execPath, words, {stdio: 'ignore'});
    const ended = once(child, 'exit');
    await until(async () => (await place.files()).some((name) => name.startsWith('.staging-a/')));
    child.kill('SIGKILL');
    expect(await ended).toEqual([null, 'SIGKILL']);
    expect(await readFile(join(place.root, 'a', 'SKILL.md'), 'utf8')).toContain('Old.');
    await withStore(place.root, async () => undefined);
    expect(await place.files()).toEqual(['a', 'a/SKILL.md']);
  });

  test('a linked folder is replaced and removed as a link [skills.install]', async () => {
    await using place = await makePlace();
    await place.write({'s/SKILL.md': skill('a')});
    await withStore(place.root, () => linkSkill(place.root, 'a', join(place.folder, 's')));
    expect(findSkillFiles(place.root).files).toEqual([join(place.root, 'a', 'SKILL.md')]);
    await withStore(place.root, () => removeSkill(place.root, 'a'));
    expect(await place.files()).toEqual([]);
    expect(await readdir(join(place.folder, 's'))).toEqual(['SKILL.md']);
  });
});

describe('what is refused', () => {
  test.each([
    '../evil/SKILL.md',
    '/etc/SKILL.md',
    'a/../../SKILL.md',
    'a\\..\\b',
    'CON',
    'a/nul.txt',
    'a\u202eb',
    'a.',
    'C:x',
  ])('an entry %j, in every kind of archive [skills.archives]', async (path) => {
    await using place = await makePlace();
    await writeFile(join(place.folder, 'z.skill'), zipOf({'SKILL.md': skill('a'), [path]: 'x'}));
    await writeFile(
      join(place.folder, 't.tar'),
      tarOf([
        {path: 'SKILL.md', text: skill('a')},
        {path, text: 'x'},
      ]),
    );
    for (const name of ['z.skill', 't.tar'])
      await expect(place.install(name)).rejects.toMatchObject({
        code: 'SKILL_INVALID',
        message: expect.stringContaining(JSON.stringify(path)),
      });
    expect(await place.files()).toEqual([]);
  });

  test('two names that some systems treat as the same [skills.archives]', () => {
    expect(() => readArchive(zipOf({'SKILL.md': 'a', 'skill.MD': 'b'}), skillLimits('it'))).toThrow('is there twice');
    expect(() => readArchive(zipOf({'A/x': 'a', 'a/y': 'b'}), skillLimits('it'))).toThrow('some systems treat');
  });

  test.each(['1', '2', '3', '4', '6'])('an entry of type %s in a tar archive [skills.archives]', (type) => {
    expect(() => readArchive(tarOf([{path: 'a', type}]), skillLimits('it'))).toThrow('"a" is not a file');
  });

  test('damage, and more than a skill needs [skills.archives]', () => {
    const zip = zipOf({'SKILL.md': skill('a')});
    expect(() => readArchive(zip.subarray(0, 40), skillLimits('it'))).toThrow('not that of a zip archive');
    const lying = Buffer.from(zip);
    lying.writeUInt32LE(5, lying.indexOf('PK\x01\x02', 0, 'latin1') + 24);
    expect(() => readArchive(lying, skillLimits('it'))).toThrow('damaged');
    const huge = Buffer.from(zip);
    huge.writeUInt32LE(0x7fffffff, huge.indexOf('PK\x01\x02', 0, 'latin1') + 24);
    expect(() => readArchive(huge, skillLimits('it'))).toThrow('larger than 50 MiB');
    const many = Object.fromEntries(Array.from({length: 2001}, (_, index) => [`f${index}`, '']));
    expect(() => readArchive(zipOf(many), skillLimits('it'))).toThrow('one of more than 2000 files');
    expect(() => readArchive(Buffer.from('hello '.repeat(200)), skillLimits('it'))).toThrow('damaged');
    expect(() => readArchive(gzipSync(Buffer.alloc(64 * 1024 * 1024)), skillLimits('it'))).toThrow('too large');
  });

  test('a folder with a link or a pipe, and a broken skill [skills.archives]', async () => {
    await using place = await makePlace();
    await place.write({
      's/SKILL.md': skill('a'),
      'broken/SKILL.md': '# none',
      'twins/a/SKILL.md': skill('x'),
      'twins/b/SKILL.md': skill('X'),
    });
    await symlink('/etc/passwd', join(place.folder, 's', 'link'));
    await expect(readFolder(join(place.folder, 's'))).rejects.toMatchObject({
      message: expect.stringContaining('is a link'),
    });
    await rm(join(place.folder, 's', 'link'));
    execFileSync('mkfifo', [join(place.folder, 's', 'pipe')]);
    await expect(place.install('s')).rejects.toMatchObject({message: expect.stringContaining('"pipe" is not a file')});
    for (const source of ['broken', 'twins', 'missing'])
      await expect(place.install(source)).rejects.toMatchObject({code: 'SKILL_INVALID'});
    expect(await place.files()).toEqual([]);
  });
});
