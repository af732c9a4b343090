import {execFileSync} from 'node:child_process';
import {mkdir, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from '@jest/globals';
import {provide} from '@gemini-kernel/kernel';
import {autoUpdate} from '#plugins/extensions/dist/store/auto-update.js';
import {ExtensionLock} from '#plugins/extensions/dist/store/extension-lock.js';
import {installExtension} from '#plugins/extensions/dist/store/install-extension.js';
import {rollBack} from '#plugins/extensions/dist/store/roll-back.js';
import {placesBelow} from '../../helpers/host-services.js';
import {runGemini, type RunResult} from '../../helpers/run-gemini.js';
import {extension, makeFolder, shared, startWith, writeFiles, type Folder} from './scene.js';

let place: Folder;
let home: string;
beforeEach(async () => {
  place = await makeFolder();
  home = join(place.path, 'home');
  await mkdir(home, {mode: 0o700});
});
afterEach(() => place[Symbol.asyncDispose]());

const run = (...words: readonly string[]): Promise<RunResult> => runGemini(words, {cwd: place.path, home});
const codeOf = ({stdout}: RunResult): unknown => (JSON.parse(stdout) as {error: {code: string}}).error.code;

/** A repository with an extension. */
class Repository {
  readonly folder = join(place.path, 'repository');
  readonly address = `file://${this.folder}`;

  async release(version: string, manifest: object = {}): Promise<void> {
    await writeFiles(this.folder, extension({name: 'one', version, ...manifest}));
    this.#git('init', '--quiet');
    this.#git('add', '.');
    this.#git('commit', '--quiet', '-m', version);
  }

  #git(...args: readonly string[]): void {
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {cwd: this.folder});
  }
}

test('with --frozen what nothing pins is not used, and nothing is installed [extensions.frozen]', async () => {
  await writeFiles(join(place.path, 'one'), extension({name: 'one'}));
  await writeFiles(join(place.path, 'two'), extension({name: 'two'}));
  await writeFiles(home, shared('theirs', extension({name: 'theirs'})));
  await run('extensions', 'install', 'one', '--consent');
  await run('extensions', 'link', 'two', '--consent');
  const {stdout} = await run('--list-extensions', '--frozen', '--json');
  const {extensions} = JSON.parse(stdout) as {
    extensions: readonly {readonly name: string; readonly unused?: {readonly reason: string}}[];
  };
  expect(extensions.map(({name, unused}) => [name, unused?.reason])).toEqual([
    ['one', undefined],
    ['theirs', 'frozen'],
    ['two', 'frozen'],
  ]);
  expect(codeOf(await run('extensions', 'update', 'one', '--frozen', '--json'))).toBe('EXTENSION_REFUSED');
  expect(codeOf(await run('extensions', 'install', 'two', '--frozen', '--json'))).toBe('EXTENSION_INVALID');
}, 60_000);

/** A store of its own with `one`, which has automatic updates, and the repository that it came from. */
async function installUpdating(): Promise<{readonly lock: ExtensionLock; readonly repository: Repository}> {
  const repository = new Repository();
  await repository.release('1.0.0', {excludeTools: ['a']});
  const lock = new ExtensionLock(join(place.path, 'data'));
  await installExtension({
    lock,
    source: {type: 'git', location: repository.address},
    environment: {platform: process.platform, variables: process.env},
    signal: new AbortController().signal,
    means: {isAgreed: true, ask: () => Promise.resolve({outcome: 'nobody'}), show: () => undefined},
    autoUpdate: true,
    judge: () => Promise.resolve(),
  });
  return {lock, repository};
}

const versionIn = async (lock: ExtensionLock): Promise<unknown> => (await lock.read())['one']?.version;

/** Looks for updates at a time; gives what is said. */
async function look(lock: ExtensionLock, at: string, cancelled?: AbortSignal): Promise<readonly string[]> {
  const said: string[] = [];
  await autoUpdate({
    lock,
    environment: {home, platform: process.platform, variables: process.env},
    signal: cancelled ?? new AbortController().signal,
    record: join(place.path, 'looked'),
    now: new Date(at),
    tell: ({code, sentence}) => said.push(`${code} ${sentence}`),
    judge: () => Promise.resolve(),
  });
  return said;
}

test('an update that brings nothing new is installed, another one is only named [extensions.updates]', async () => {
  const {lock, repository} = await installUpdating();
  expect(await look(lock, '2026-01-01T00:00:00Z')).toEqual([]);
  await repository.release('1.1.0', {excludeTools: ['a']});
  expect(await look(lock, '2026-01-01T23:00:00Z')).toEqual([]);
  expect(await look(lock, '2026-01-02T01:00:00Z')).toEqual([
    'EXTENSION_UPDATED The extension "one" was updated from 1.0.0 to 1.1.0, from the next start on.',
  ]);
  expect(await versionIn(lock)).toBe('1.1.0');
  await repository.release('1.2.0', {mcpServers: {far: {command: 'x'}}});
  expect(await look(lock, '2026-01-04T00:00:00Z')).toEqual([
    'EXTENSION_NOT_UPDATED A new version of the extension "one" needs your consent. See it with ' +
      '`gemini extensions update one`.',
  ]);
  expect(await versionIn(lock)).toBe('1.1.0');
  await rollBack('one', {lock, signal: new AbortController().signal, judge: () => Promise.resolve()});
  expect(await look(lock, '2026-01-06T00:00:00Z')).toEqual([]);
  expect(await versionIn(lock)).toBe('1.0.0');
});

test('what cannot be reached is not named, and one that is stopped leaves the lock [extensions.updates]', async () => {
  const {lock, repository} = await installUpdating();
  await repository.release('1.1.0', {excludeTools: ['a']});
  await expect(look(lock, '2026-01-01T00:00:00Z', AbortSignal.abort())).rejects.toThrow('abort');
  expect(await versionIn(lock)).toBe('1.0.0');
  await rm(repository.folder, {recursive: true});
  expect(await look(lock, '2026-01-03T00:00:00Z')).toEqual([]);
});

test.each([
  ['a conversation', true, {}, '1.1.0'],
  ['a conversation, with general.enableAutoUpdate false', true, {general: {enableAutoUpdate: false}}, '1.0.0'],
  ['a conversation, frozen', true, {plugins: {frozen: true}}, '1.0.0'],
  ['a script', false, {}, '1.0.0'],
] as const)(
  '%s looks for updates when it begins, or not [extensions.updates]',
  async (_, hasPerson, settings, version) => {
    const {lock, repository} = await installUpdating();
    await repository.release('1.1.0', {excludeTools: ['a']});
    const installs = provide('installs', {
      version: '1.0.0',
      scope: 'place',
      create: () => ({places: async () => placesBelow(place.path, place.path)}),
    });
    await using kernel = await startWith(
      {'.gemini/settings.json': JSON.stringify(settings)},
      {live: true, services: [installs], variables: {PATH: process.env['PATH'], HOME: home}, isScript: !hasPerson},
    );
    await (await kernel.service('extension-updates')).settled();
    expect(await versionIn(lock)).toBe(version);
  },
);
