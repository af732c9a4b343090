import {execFileSync} from 'node:child_process';
import {createServer, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import {arch} from 'node:process';
import {rm} from 'node:fs/promises';
import {afterEach, beforeEach, describe, expect, test} from '@jest/globals';
import {judgeSource} from '#plugins/extensions/dist/installed/judge-extensions.js';
import {chooseAsset} from '#plugins/extensions/dist/store/choose-asset.js';
import {ExtensionLock} from '#plugins/extensions/dist/store/extension-lock.js';
import {installExtension, type Installed} from '#plugins/extensions/dist/store/install-extension.js';
import {installLocked} from '#plugins/extensions/dist/store/install-locked.js';
import {parseSource} from '#plugins/extensions/dist/store/parse-source.js';
import {repositoryOf} from '#plugins/extensions/dist/store/fetch-release.js';
import type {ExtensionSource} from '@gemini-kernel/plugin-extensions/contract';
import {packTar} from '../../helpers/registry.js';
import {runGemini} from '../../helpers/run-gemini.js';
import {makeFolder, type Folder} from './scene.js';

type Answer = (response: ServerResponse) => unknown;

/** The API of GitHub, as far as releases go. */
class GitHub {
  readonly requests: string[] = [];
  readonly answers = new Map<string, Answer>();
  readonly #server = createServer((request, response) => {
    const path = request.url ?? '';
    this.requests.push(path);
    const {authorization, cookie} = request.headers;
    expect([authorization, cookie]).toEqual([undefined, undefined]);
    const answer = this.answers.get(path);
    if (answer) answer(response);
    else response.writeHead(404).end('{}');
  });

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  get api(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  json(path: string, value: unknown): void {
    this.answers.set(`/repos/acme/one/${path}`, (response) => response.end(JSON.stringify(value)));
  }

  /** A release with assets; without any, its source code. */
  release(tag: string, assets: readonly string[], version = tag): object {
    const listed = assets.map((name, index) => ({
      id: this.answers.size * 100 + index,
      name,
      url: 'http://evil.example/',
    }));
    for (const {id, name} of listed)
      // As GitHub does: its API leads to where the file is.
      this.answers
        .set(`/repos/acme/one/releases/assets/${id}`, (response) =>
          response.writeHead(302, {location: `/stored/${id}`}).end(),
        )
        .set(`/stored/${id}`, (response) => response.end(archive(version, name)));
    this.answers.set(`/repos/acme/one/tarball/${tag}`, (response) => response.end(archive(version, 'source')));
    const release = {tag_name: tag, assets: listed, tarball_url: 'http://evil.example/'};
    this.json(`releases/tags/${tag}`, release);
    return release;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

const archive = (version: string, content: string): Buffer =>
  packTar([
    {path: 'one/gemini-extension.json', content: JSON.stringify({name: 'one', version})},
    {path: 'one/from.txt', content},
  ]);

let place: Folder;
let lock: ExtensionLock;
let github: GitHub;
let told: string[];
beforeEach(async () => {
  place = await makeFolder();
  lock = new ExtensionLock(join(place.path, 'data'));
  github = new GitHub();
  told = [];
  await github.listen();
});
afterEach(async () => {
  await github.close();
  await place[Symbol.asyncDispose]();
});

const network = {
  fetch: (input: string | URL | Request, init?: RequestInit) => fetch(input, init),
  explain: (url: string, error: unknown) =>
    Promise.resolve({message: `Cannot reach ${url}: ${String(error)}.`, hint: ''}),
};

const parts = () => ({
  lock,
  environment: {
    platform: 'linux' as const,
    // Git finds acme/one in the folder of the test.
    variables: {
      ...process.env,
      HOME: place.path,
      GIT_CONFIG_GLOBAL: join(place.path, 'gitconfig'),
    },
  },
  signal: new AbortController().signal,
  releases: {network, api: github.api, isFirst: true, tell: (sentence: string) => void told.push(sentence)},
  judge: () => Promise.resolve(),
});

async function install(source: ExtensionSource | string): Promise<Installed> {
  return installExtension({
    ...parts(),
    source: typeof source === 'string' ? await parseSource(source, undefined, place.path) : source,
    means: {isAgreed: true, ask: () => Promise.resolve({outcome: 'nobody'}), show: () => undefined},
  });
}

/** Makes github.com/acme/one a repository of the test. */
function makeRepository(): void {
  const folder = join(place.path, 'acme', 'one');
  const git = (...args: readonly string[]): unknown =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', '-C', folder, ...args]);
  execFileSync('mkdir', ['-p', folder]);
  execFileSync('sh', ['-c', `echo '{"name": "one", "version": "0.1.0"}' > ${folder}/gemini-extension.json`]);
  git('init', '--quiet', '--initial-branch=main');
  git('add', '.');
  git('commit', '--quiet', '-m', 'first');
  const file = join(place.path, 'gitconfig');
  execFileSync('git', ['config', '--file', file, `url.file://${place.path}/.insteadOf`, 'https://github.com/']);
}

describe('a repository of GitHub', () => {
  test('gives the newest release, and its asset for the platform [extensions.releases]', async () => {
    github.json(
      'releases/latest',
      github.release('v1.0.0', ['darwin.one.zip', 'linux.one.tar.gz', 'notes.txt'], '1.0.0'),
    );
    const {version, source} = await install('github:acme/one');
    expect([version, source]).toEqual([
      '1.0.0',
      {
        type: 'github-release',
        location: 'https://github.com/acme/one',
        tag: 'v1.0.0',
        asset: 'linux.one.tar.gz',
        integrity: expect.stringMatching(/^sha512-/) as unknown,
      },
    ]);
    expect((await lock.read())['one']?.source).toEqual(source);
    expect(github.requests).toEqual([
      '/repos/acme/one/releases/latest',
      expect.stringMatching(/^\/repos\/acme\/one\/releases\/assets\/\d+$/) as unknown,
      expect.stringMatching(/^\/stored\/\d+$/) as unknown,
    ]);
  });

  test('gives the source code of a release without a fitting asset, and a tag that is named [extensions.releases]', async () => {
    github.release('v0.9.0', ['win32.one.zip', 'darwin.one.zip'], '0.9.0');
    const source = await parseSource('https://github.com/acme/one.git', 'v0.9.0', place.path);
    const installed = await install(source);
    expect([installed.version, installed.source.asset, installed.source.ref]).toEqual(['0.9.0', undefined, 'v0.9.0']);
  });

  test('is updated, and installed with --frozen as the lock names it [extensions.releases]', async () => {
    github.json('releases/latest', github.release('v1', ['one.zip'], '1.0.0'));
    const first = await install('github:acme/one');
    github.json('releases/latest', github.release('v2', ['one.zip'], '2.0.0'));
    await rm(lock.folderOf('one', first), {recursive: true});
    expect(await installLocked(parts())).toEqual([{name: 'one', version: '1.0.0', isSame: false}]);
    expect(await install(first.source)).toMatchObject({version: '2.0.0', before: '1.0.0', source: {tag: 'v2'}});
  });

  test('gives a pre-release only when it is asked for [extensions.releases]', async () => {
    github.json('releases/latest', github.release('v1', ['one.zip'], '1.0.0'));
    github.json('releases?per_page=1', [github.release('v2-rc', ['one.zip'], '2.0.0-rc')]);
    const location = 'https://github.com/acme/one';
    expect((await install('github:acme/one')).version).toBe('1.0.0');
    expect((await install({type: 'github-release', location, preRelease: true})).version).toBe('2.0.0-rc');
    github.json('releases?per_page=1', []);
    await expect(install({type: 'github-release', location, preRelease: true})).rejects.toMatchObject({
      code: 'EXTENSION_UNREACHABLE',
      message: expect.stringContaining('it has no such release') as unknown,
    });
  });

  test.each<[string, Answer | undefined, string]>([
    ['without a release', undefined, ''],
    ['that has used up its requests', (response) => response.writeHead(403).end(), 'it answered 403'],
    ['whose answer is no JSON', (response) => response.end('<html>'), 'its answer is not JSON'],
    ['whose tag is an option', (response) => response.end('{"tag_name": "--x", "assets": []}'), 'does not describe'],
    [
      'that leads elsewhere',
      (response) => response.writeHead(302, {location: 'https://evil.example/'}).end(),
      'it redirects to evil.example, which is not a server of GitHub',
    ],
    ['whose answer has no end', (response) => response.end('x'.repeat(5_000_000)), 'its answer is larger than 4 MiB'],
    ['that breaks off', (response) => response.destroy(), 'Cannot reach'],
  ])('%s is fetched by git, and a sentence says why [extensions.releases]', async (_, answer, reason) => {
    makeRepository();
    if (answer) github.answers.set('/repos/acme/one/releases/latest', answer);
    const {version, source} = await install('github:acme/one');
    expect([version, source]).toEqual([
      '0.1.0',
      {type: 'git', location: 'https://github.com/acme/one', commit: expect.stringMatching(/^[0-9a-f]{40}/) as unknown},
    ]);
    expect(told).toEqual(reason === '' ? [] : [expect.stringContaining(reason)]);
  });

  test('that is a release already never becomes something else [extensions.releases]', async () => {
    makeRepository();
    await expect(
      install({type: 'github-release', location: 'https://github.com/acme/one', tag: 'v1'}),
    ).rejects.toMatchObject({code: 'EXTENSION_UNREACHABLE'});
    github.json('releases/latest', {tag_name: 'v1', assets: [{id: 7, name: 'one.zip'}]});
    github.answers.set('/repos/acme/one/releases/assets/7', (response) => response.end('no archive'));
    await expect(install('github:acme/one')).rejects.toMatchObject({code: 'EXTENSION_INVALID'});
    expect(await lock.read()).toEqual({});
  });
});

test.each<[readonly string[], string | undefined]>([
  [[`linux.${arch}.one.zip`, 'linux.one.zip'], `linux.${arch}.one.zip`],
  [['one.zip', 'LINUX.one.tgz'], 'LINUX.one.tgz'],
  [['one.zip', 'one.zip.sha256', 'README.md'], 'one.zip'],
  [['one.zip', 'two.zip'], undefined],
  [['one-win32.zip'], undefined],
  [['one.exe'], undefined],
  [[], undefined],
])('of %j, the asset for this platform is %s [extensions.releases]', (names, expected) => {
  const assets = names.map((name, id) => ({id, name}));
  expect(chooseAsset(assets, 'linux', arch)?.name).toBe(expected);
});

test.each([
  ['https://github.com/acme/one', 'acme/one'],
  ['https://www.github.com/acme/one.git', 'acme/one'],
  ['https://github.com.evil.example/acme/one', undefined],
  ['https://github.com/acme/one/../../evil', undefined],
  ['https://github.com@evil.example/acme/one', undefined],
  ['git@github.com:acme/one', undefined],
  ['https://gitlab.com/acme/one', undefined],
])('%s is the repository %s of GitHub [extensions.releases]', (location, expected) => {
  expect(repositoryOf(location)).toBe(expected);
});

test('rules about git are rules about releases, and --pre-release needs GitHub [extensions.releases]', async () => {
  const rules = {isOn: true, allowed: [], blockGit: true};
  const source = {type: 'github-release', location: 'https://github.com/acme/one'} as const;
  expect(judgeSource({name: 'one', source}, rules)?.reason).toBe('admin');
  const run = async (...words: readonly string[]): Promise<unknown> => {
    const {stdout} = await runGemini(['extensions', 'install', ...words, '--pre-release', '--json'], {
      cwd: place.path,
      home: join(place.path, 'home'),
    });
    return (JSON.parse(stdout) as {error: {code: string}}).error.code;
  };
  expect(await run('npm:one')).toBe('EXTENSION_INVALID');
  expect(await run('github:acme/one', '--ref', 'v1')).toBe('EXTENSION_INVALID');
});
