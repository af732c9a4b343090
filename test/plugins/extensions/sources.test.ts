import {execFileSync} from 'node:child_process';
import {readdir, readFile, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {gunzipSync} from 'node:zlib';
import {afterEach, beforeEach, describe, expect, test} from '@jest/globals';
import {judgeSource} from '#plugins/extensions/dist/installed/judge-extensions.js';
import {ExtensionLock} from '#plugins/extensions/dist/store/extension-lock.js';
import {installExtension, type Installed} from '#plugins/extensions/dist/store/install-extension.js';
import {parseSource} from '#plugins/extensions/dist/store/parse-source.js';
import {writeZip} from '#plugins/skills/dist/archive/write-zip.js';
import {packTar, serveRegistry, type TarEntry} from '../../helpers/registry.js';
import {onPosix} from '../../helpers/where.js';
import {extension, makeFolder, writeFiles, type Folder} from './scene.js';

let place: Folder;
let lock: ExtensionLock;
beforeEach(async () => {
  place = await makeFolder();
  lock = new ExtensionLock(join(place.path, 'data'));
});
afterEach(() => place[Symbol.asyncDispose]());

async function install(source: string, variables: NodeJS.ProcessEnv = {}): Promise<Installed> {
  return installExtension({
    lock,
    source: await parseSource(source, undefined, place.path),
    environment: {platform: process.platform, variables: {...process.env, HOME: place.path, ...variables}},
    signal: new AbortController().signal,
    means: {isAgreed: true, ask: () => Promise.resolve({outcome: 'nobody'}), show: () => undefined},
    judge: () => Promise.resolve(),
  });
}

const MANIFEST = JSON.stringify({name: 'one', version: '1.0.0'});
const filesOf = async ({name, tree}: Installed): Promise<readonly string[]> =>
  (await readdir(lock.folderOf(name, {tree}), {recursive: true})).sort();
const zip = (files: Readonly<Record<string, string>>): Buffer =>
  writeZip(Object.entries(files).map(([path, text]) => ({path, bytes: Buffer.from(text), isExecutable: false})));

describe('an archive', () => {
  const tar = (top: string): Buffer =>
    packTar([
      {path: `${top}gemini-extension.json`, content: MANIFEST},
      {path: `${top}run.sh`, content: 'true', mode: 0o755},
      {path: `${top}.env`, content: 'A=b'},
    ]);

  test.each([
    ['one.tar', gunzipSync(tar(''))],
    ['one.tgz', tar('one-1.0.0/')],
    ['one.tar.gz', tar('./')],
    ['one.ZIP', zip({'one/gemini-extension.json': MANIFEST, 'one/run.sh': 'true', 'one/.env': 'A=b'})],
  ])('%s is installed, with its top folder or without [extensions.sources]', async (name, bytes) => {
    await writeFile(join(place.path, name), bytes);
    const installed = await install(name);
    expect(await filesOf(installed)).toEqual(['gemini-extension.json', 'run.sh']);
    expect((await lock.read())['one']?.source).toEqual({
      type: 'archive',
      location: join(place.path, name),
      integrity: expect.stringMatching(/^sha512-.{88}$/) as unknown,
    });
  });

  test.each<[string, TarEntry, RegExp]>([
    ['a path that leads outside', {path: '../x'}, /"..\/x" leads outside/],
    ['an absolute path', {path: '/tmp/x'}, /is an absolute path/],
    ['a symbolic link', {path: 'x', type: '2', link: '/etc/passwd'}, /"x" is not a file/],
    ['a hard link', {path: 'x', type: '1', link: '/etc/passwd'}, /"x" is not a file/],
    ['a device', {path: 'x', type: '3'}, /"x" is not a file/],
    ['a twin by case', {path: 'GEMINI-extension.json', content: 'x'}, /is there twice/],
    ['a name written in two ways', {path: 'a/./b'}, /has an empty part in its name/],
    ['a size that is not true', {path: 'x', content: 'x', size: 9_999_999}, /"x" is damaged/],
  ])('with %s is refused, and nothing is written [extensions.sources]', async (_, entry, message) => {
    await writeFile(join(place.path, 'bad.tar'), packTar([{path: 'gemini-extension.json', content: MANIFEST}, entry]));
    await expect(install('bad.tar')).rejects.toMatchObject({
      code: 'EXTENSION_INVALID',
      message: expect.stringMatching(message) as unknown,
    });
    expect(await readdir(join(lock.folder, 'extensions'))).toEqual([]);
  });

  test.each([
    ['empty.zip', Buffer.alloc(0), 'EXTENSION_INVALID'],
    ['text.tgz', Buffer.from('hello '.repeat(500)), 'EXTENSION_INVALID'],
    ['zip.zip', zip({'a/b': 'x', 'c/d': 'y'}), 'EXTENSION_INVALID'],
    ['a.txt', Buffer.from('x'), 'EXTENSION_UNREACHABLE'],
  ])('%s is named as what it is not [extensions.sources]', async (name, bytes, code) => {
    await writeFile(join(place.path, name), bytes);
    await expect(install(name)).rejects.toMatchObject({code});
  });

  onPosix('a FIFO with the name of an archive does not hang [extensions.sources]', async () => {
    execFileSync('mkfifo', [join(place.path, 'pipe.zip')]);
    await expect(install('pipe.zip')).rejects.toMatchObject({code: 'EXTENSION_UNREACHABLE'});
  });
});

describe('a package of npm', () => {
  test('comes from the registry of the person, without its scripts [extensions.sources]', async () => {
    await using registry = await serveRegistry();
    const ran = join(place.path, 'ran');
    const scripts = {prepack: `touch ${ran}`, install: `touch ${ran}`, prepare: `touch ${ran}`};
    for (const version of ['1.0.0', '1.1.0'])
      registry.publish({
        name: '@some/one',
        version,
        pack: {scripts},
        manifest: null,
        files: extension({name: 'one', version}),
      });
    await writeFile(join(place.path, '.npmrc'), `@some:registry=${registry.url}\n`);
    const variables = {npm_config_userconfig: join(place.path, '.npmrc')};
    const pinned = await install('npm:@some/one@1.0.0', variables);
    expect(pinned).toMatchObject({version: '1.0.0', source: {type: 'npm', location: 'npm:@some/one@1.0.0'}});
    expect(await install('npm:@some/one', variables)).toMatchObject({version: '1.1.0', before: '1.0.0'});
    expect((await lock.read())['one']?.source.integrity).toMatch(/^sha512-/);
    await expect(readFile(ran)).rejects.toMatchObject({code: 'ENOENT'});
  }, 30_000);

  test('that was swapped on its way, is missing or is no name is refused [extensions.sources]', async () => {
    await using registry = await serveRegistry();
    registry.publish({name: 'one', version: '1.0.0', manifest: null, files: extension({name: 'one'})});
    registry.misbehave(/\.tgz$/, 'swap');
    const variables = {npm_config_registry: registry.url};
    for (const [source, reason] of [
      ['npm:one', /integrity|EINTEGRITY/i],
      ['npm:two', /Not Found|404/i],
      ['npm:--version', /is not the name of a package/],
      ['npm:./one', /is not the name of a package/],
      ['npm:git+ssh://example.com/one', /is not the name of a package/],
      ['npm:owner/repository', /is not the name of a package/],
    ] as const)
      await expect(install(source, variables)).rejects.toMatchObject({
        code: 'EXTENSION_UNREACHABLE',
        message: expect.stringMatching(reason) as unknown,
      });
    expect(await lock.read()).toEqual({});
  }, 30_000);

  test('takes no --ref, and is refused where extensions from git are [extensions.sources]', async () => {
    await expect(parseSource('npm:one', 'v1', place.path)).rejects.toMatchObject({code: 'EXTENSION_INVALID'});
    const rules = {isOn: true, allowed: [], blockGit: true};
    const judged = (type: 'archive' | 'git' | 'npm'): string | undefined =>
      judgeSource({name: 'one', source: {type, location: 'x'}}, rules)?.reason;
    expect([judged('git'), judged('npm'), judged('archive')]).toEqual(['admin', 'admin', undefined]);
  });

  test('without npm, the program that is missing is named [extensions.sources]', async () => {
    await expect(install('npm:one', {PATH: place.path})).rejects.toMatchObject({
      code: 'EXTENSION_UNREACHABLE',
      message: 'npm is not installed, or not on PATH.',
    });
  });
});

onPosix('git: a link that stays inside is kept, one that leads out is refused [extensions.sources]', async () => {
  const folder = join(place.path, 'one');
  const git = (...args: readonly string[]): Buffer =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {cwd: folder});
  await writeFiles(folder, extension({name: 'one'}, {'AGENTS.md': 'Be kind.'}));
  await symlink('AGENTS.md', join(folder, 'GEMINI.md'));
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '-m', 'first');
  const {name, tree} = await install(`file://${folder}`);
  expect(await readFile(join(lock.folderOf(name, {tree}), 'GEMINI.md'), 'utf8')).toBe('Be kind.');
  await symlink('../../secret', join(folder, 'out'));
  git('add', '.');
  git('commit', '--quiet', '-m', 'second');
  await expect(install(`file://${folder}`)).rejects.toMatchObject({code: 'EXTENSION_INVALID'});
});
