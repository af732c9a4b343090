import {execFileSync} from 'node:child_process';
import {readFile, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from '@jest/globals';
import {serveRegistry} from '../../helpers/registry.js';
import {runGemini, type RunResult} from '../../helpers/run-gemini.js';
import {extension, makeFolder, writeFiles, type Folder} from './scene.js';

let place: Folder;
beforeEach(async () => {
  place = await makeFolder();
});
afterEach(() => place[Symbol.asyncDispose]());

const run = (...words: readonly string[]): Promise<RunResult> =>
  runGemini(['extensions', ...words], {cwd: place.path, home: join(place.path, 'home')});

const write = (version: string, context: string): Promise<void> =>
  writeFiles(join(place.path, 'one'), extension({name: 'one', version}, {'GEMINI.md': context}));

interface Listed {
  readonly version: string;
  readonly folder: string;
  readonly source: object;
  readonly unused?: unknown;
}

async function listed(): Promise<Listed> {
  const {extensions} = JSON.parse((await run('list', '--json')).stdout) as {extensions: [Listed]};
  return extensions[0];
}

const errorOf = ({stdout}: RunResult): {readonly code: string; readonly message: string} =>
  (JSON.parse(stdout) as {error: {code: string; message: string}}).error;

const settings = (value: object): Promise<void> =>
  writeFiles(join(place.path, 'home'), {'.gemini/settings.json': JSON.stringify(value)});

describe('rollback', () => {
  test('returns to the version before, and back again [extensions.rollback]', async () => {
    await write('1.0.0', 'first');
    await run('install', 'one', '--consent');
    await write('2.0.0', 'second');
    await run('update', 'one');
    const back = await run('rollback', 'one');
    expect([back.code, back.stdout]).toEqual([0, 'one 2.0.0 is now 1.0.0.\n']);
    const {folder, version, unused} = await listed();
    expect([version, unused, await readFile(join(folder, 'GEMINI.md'), 'utf8')]).toEqual(['1.0.0', undefined, 'first']);
    const forth = await run('rollback', 'one', '--json');
    expect(JSON.parse(forth.stdout)).toEqual({name: 'one', version: '2.0.0', before: '1.0.0'});
    expect((await listed()).version).toBe('2.0.0');
  }, 30_000);

  test('never uses files that were changed, or a source that is refused now [extensions.rollback]', async () => {
    await write('1.0.0', 'first');
    await run('install', 'one', '--consent');
    const {folder} = await listed();
    expect(errorOf(await run('rollback', 'one', '--json')).code).toBe('EXTENSION_UNKNOWN');
    await write('2.0.0', 'second');
    await run('update', 'one');
    await settings({security: {allowedExtensions: ['^https://example.com/']}});
    expect(errorOf(await run('rollback', 'one', '--json')).code).toBe('EXTENSION_REFUSED');
    await settings({});
    await writeFile(join(folder, 'GEMINI.md'), 'Do evil.');
    expect(errorOf(await run('rollback', 'one', '--json'))).toMatchObject({
      code: 'EXTENSION_INVALID',
      message: `The files of one 1.0.0 in ${folder} were changed.`,
    });
    expect((await listed()).version).toBe('2.0.0');
  }, 30_000);
});

describe('--frozen', () => {
  test('installs the commit that the lock names, not what the branch has now [extensions.rollback]', async () => {
    const git = (...args: readonly string[]): Buffer =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {cwd: join(place.path, 'one')});
    await write('1.0.0', 'first');
    git('init', '--quiet', '--initial-branch=main');
    git('add', '.');
    git('commit', '--quiet', '-m', 'first');
    await run('install', `file://${join(place.path, 'one')}`, '--ref', 'main', '--consent');
    await write('2.0.0', 'second');
    git('commit', '--quiet', '-am', 'second');
    const {folder} = await listed();
    await rm(folder, {recursive: true});
    const fresh = await run('install', '--frozen');
    expect([fresh.code, fresh.stdout]).toEqual([0, 'one 1.0.0 is installed.\n']);
    expect(await readFile(join(folder, 'GEMINI.md'), 'utf8')).toBe('first');
    expect((await run('install', '--frozen')).stdout).toBe('one 1.0.0 is installed already.\n');
  }, 30_000);

  test('installs the version of a package that the lock names, not the newest [extensions.rollback]', async () => {
    await using registry = await serveRegistry();
    const publish = (version: string): void =>
      registry.publish({
        ...{name: '@some/one', version, manifest: null},
        files: extension({name: 'one', version}, {'GEMINI.md': version}),
      });
    publish('1.0.0');
    await writeFiles(join(place.path, 'home'), {'.npmrc': `@some:registry=${registry.url}\n`});
    await run('install', 'npm:@some/one', '--consent');
    publish('1.1.0');
    const {folder, source} = await listed();
    expect(source).toMatchObject({type: 'npm', location: 'npm:@some/one', version: '1.0.0'});
    await rm(folder, {recursive: true});
    const fresh = await run('install', '--frozen');
    expect([fresh.code, fresh.stdout]).toEqual([0, 'one 1.0.0 is installed.\n']);
    expect(await readFile(join(folder, 'GEMINI.md'), 'utf8')).toBe('1.0.0');
    expect((await run('update', 'one', '--consent')).stdout).toBe('one 1.0.0 is now 1.1.0.\n');
    expect((await listed()).source).toMatchObject({version: '1.1.0'});
  }, 30_000);

  test('fails where the source has other files now, and changes nothing [extensions.rollback]', async () => {
    expect((await run('install', '--frozen')).stdout).toBe('The lock names no extension.\n');
    await write('1.0.0', 'first');
    await run('install', 'one', '--consent');
    const {folder} = await listed();
    await rm(folder, {recursive: true});
    await write('1.0.0', 'other');
    expect(errorOf(await run('install', '--frozen', '--json'))).toMatchObject({
      code: 'EXTENSION_INVALID',
      message: `${join(place.path, 'one')} does not have the files of one 1.0.0 that the lock names.`,
    });
    await expect(readFile(join(folder, 'GEMINI.md'))).rejects.toMatchObject({code: 'ENOENT'});
    for (const words of [['install'], ['install', 'one', '--frozen']])
      expect(errorOf(await run(...words, '--json')).code).toBe('EXTENSION_INVALID');
  }, 30_000);
});
