import {execFileSync} from 'node:child_process';
import {appendFile, chmod, mkdir, mkdtemp, readFile, realpath, rename, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {afterAll, beforeEach, describe, expect, test} from '@jest/globals';
import type {Mode} from '#plugins/policy/dist/rule.js';
import {Engine, makeCall, makeLine, world} from '../engine/make.js';
import {product} from './rules.js';
import {systemDisk} from '#plugins/policy/dist/engine/open-disk.js';
import {sayWhy} from '#plugins/policy/dist/engine/say.js';

const base = await realpath(await mkdtemp(join(tmpdir(), 'git-floor-')));
const root = join(base, 'work');
const realPaths = (paths: readonly string[]): Promise<readonly string[]> =>
  Promise.all(paths.map((path) => realpath(path).catch(() => path)));
const engine = new Engine({rules: product}, {...world, realPaths, disk: systemDisk});

function git(folder: string, ...words: string[]): string {
  const own = ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'protocol.file.allow=always'];
  const env = {PATH: process.env['PATH'] ?? '', GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null'};
  return execFileSync('git', [...own, ...words], {
    cwd: folder,
    encoding: 'utf8',
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

async function put(file: string, text = 'x\n'): Promise<void> {
  await mkdir(dirname(join(root, file)), {recursive: true});
  await writeFile(join(root, file), text);
}

async function decide(line: string, mode: Mode = 'default'): Promise<string> {
  const circumstances = {mode, interactive: true, trusted: true, roots: [root]} as const;
  const judgement = await engine.judge(makeLine(line, root), circumstances);
  return judgement.decision === 'allow' ? 'allow' : `${judgement.decision}: ${sayWhy(judgement, true)}`;
}

beforeEach(async () => {
  await rm(root, {recursive: true, force: true});
  for (const file of ['a.txt', 'src/a.ts', 'src/b.ts']) await put(file);
  git(root, 'init', '--initial-branch=main');
  git(root, 'add', '-A');
  git(root, 'commit', '-m', 'one');
});

afterAll(() => rm(base, {recursive: true, force: true}));

/** A repository whose files are ordinary files of another, and whose settings would run a program. */
async function plantBare(folder: string): Promise<void> {
  git(root, 'init', '--bare', folder);
  await appendFile(join(root, folder, 'config'), '[core]\n\tfsmonitor = touch ../ran\n');
}

describe('git in a repository that could make it run something', () => {
  test('which is a folder of ordinary files [policy.git]', async () => {
    await plantBare('sub');
    expect(await decide('cd sub && git status')).toMatch(
      /^ask: .*looks like the folder that git keeps a repository in/,
    );
    expect(await decide('cd sub; git log --oneline')).toMatch(/^ask/);
    expect(await decide('git status')).toBe('allow');
  });

  test.each([
    ['core.fsmonitor', './x'],
    ['core.pager', 'x'],
    ['diff.external', 'x'],
    ['diff.q.textconv', 'x'],
    ['diff.q.command', 'x'],
    ['filter.q.clean', 'x'],
    ['filter.q.process', 'x'],
    ['include.path', '../x'],
    ['includeIf.gitdir:/.path', 'x'],
    ['core.worktree', '/'],
    ['core.sshCommand', 'x'],
    ['gpg.program', 'x'],
    ['core.attributesFile', 'x'],
    ['blame.ignoreRevsFile', '.env'],
    ['core.excludesFile', 'x'],
    ['extensions.partialClone', 'origin'],
    ['remote.origin.promisor', 'true'],
    ['remote.origin.uploadpack', 'x'],
    ['mailmap.file', '.env'],
    ['diff.orderFile', '.env'],
    ['uploadpack.packObjectsHook', 'x'],
    ['log.showSignature', 'true'],
    ['unknown.key', 'x'],
  ])('by %s [policy.git]', async (key, value) => {
    git(root, 'config', key, value);
    expect(await decide('git status')).toMatch(/^ask/);
    expect(await decide('git status --short && ls')).toMatch(/^ask/);
  });

  test.each([
    ['user.name', 'a'],
    ['remote.origin.url', 'git@example.com:a/b.git'],
    ['branch.main.remote', 'origin'],
    ['core.autocrlf', 'input'],
    ['core.hooksPath', '.husky/_'],
    ['alias.st', '!x'],
    ['core.fsmonitor', 'false'],
    ['submodule.active', '.'],
    ['pull.rebase', 'true'],
  ])('not by %s, which changes nothing about looking [policy.git]', async (key, value) => {
    git(root, 'config', key, value);
    expect(await decide('git status')).toBe('allow');
  });

  test('by a hook that a look runs, wherever hooks are [policy.git]', async () => {
    await put('.git/hooks/pre-commit');
    expect(await decide('git status')).toBe('allow');
    await put('.husky/_/post-index-change');
    git(root, 'config', 'core.hooksPath', '.husky/_');
    expect(await decide('git status')).toMatch(/^ask: .*post-index-change/);
  });

  test('by a setting that is written in a way that is not read here [policy.git]', async () => {
    for (const text of [
      '[core]\n\tfsmonitor = \\\n x\n',
      '[core "x\n',
      'key = value\n',
      '[core] key = "a" "b"\n\t9 = x\n',
    ]) {
      await writeFile(join(root, '.git/config'), text);
      expect(await decide('git status')).toMatch(/^ask/);
    }
  });

  test('through a file that leads to it, a link, or a second tree of files [policy.git]', async () => {
    await rename(join(root, '.git'), join(root, 'elsewhere'));
    await put('.git', `gitdir: ${join(root, 'elsewhere')}\n`);
    expect(await decide('git status')).toBe('allow');
    await appendFile(join(root, 'elsewhere/config'), '[core]\n\tfsmonitor = x\n');
    expect(await decide('git status')).toMatch(/^ask: .*core\.fsmonitor/);
    await put('.git', 'gitdir: nowhere\n');
    expect(await decide('git status')).toMatch(/^ask/);
  });

  test('in a second tree of files, by the settings of that tree [policy.git]', async () => {
    git(root, 'worktree', 'add', 'tree');
    expect(await decide('cd tree && git status')).toBe('allow');
    git(root, 'config', 'extensions.worktreeConfig', 'true');
    await writeFile(join(root, '.git/worktrees/tree/config.worktree'), '[core]\n\tfsmonitor = x\n');
    expect(await decide('cd tree && git status')).toMatch(/^ask/);
  });

  test('by a repository in it, which git looks into as well [policy.git]', async () => {
    const other = join(base, 'other');
    await rm(other, {recursive: true, force: true});
    await mkdir(other);
    git(other, 'init', '--initial-branch=main');
    git(other, 'commit', '--allow-empty', '-m', 'one');
    git(root, 'submodule', 'add', other, 'module');
    await writeFile(
      join(root, '.git/config'),
      (await readFile(join(root, '.git/config'), 'utf8')).replace(/\[submodule[^[]*/, ''),
    );
    expect(await decide('git status')).toBe('allow');
    await appendFile(join(root, '.git/modules/module/config'), '[core]\n\tfsmonitor = x\n');
    expect(await decide('git status')).toMatch(/^ask: .*modules\/module/);
  });

  test('when the same line may have made it one [policy.git]', async () => {
    expect(await decide('touch x; git status')).toMatch(/^ask/);
    expect(await decide('git status > out.txt')).toMatch(/^ask/);
  });

  test('but not where there is none, nor by an empty .git [policy.git]', async () => {
    await rm(join(root, '.git'), {recursive: true});
    expect(await decide('git status')).toBe('allow');
    await mkdir(join(root, '.git'));
    expect(await decide('git status')).toBe('allow');
  });

  test('when only running the line would tell which it is [policy.git]', async () => {
    expect(await decide('cd "$d" && git status')).toMatch(/^ask/);
  });
});

describe('what git shows of files', () => {
  test('is judged by the names that a line gives [policy.git]', async () => {
    await put('.env');
    expect(await decide('git show HEAD:.env')).toMatch(/^deny/);
    expect(await decide('git diff HEAD~1 -- .env')).toMatch(/^deny/);
    expect(await decide('cd src && git show HEAD:./../.env', 'yolo')).toMatch(/^deny/);
    expect(await decide('git blame .env', 'yolo')).toMatch(/^deny/);
    expect(await decide('git show HEAD:src/a.ts')).toBe('allow');
    expect(await decide('git log -p -- src/a.ts')).toBe('allow');
  });

  test('is what the index lists, as long as nothing there is closed [policy.git]', async () => {
    expect(await decide('git diff')).toBe('allow');
    await put('server.key');
    expect(await decide('git diff')).toBe('allow');
    git(root, 'add', '-f', 'server.key');
    expect(await decide('git diff')).toMatch(/^ask: .*server\.key/);
    expect(await decide('git diff src')).toBe('allow');
    expect(await decide('git diff --stat')).toBe('allow');
  });

  test.each([2, 3, 4])('with an index of version %i [policy.git]', async (version) => {
    await put('server.key');
    git(root, 'add', '-f', 'server.key');
    if (version === 3) git(root, 'update-index', '--skip-worktree', 'a.txt');
    git(root, 'update-index', '--index-version', String(version));
    expect(await decide('git diff')).toMatch(/^ask: .*server\.key/);
    expect(await decide('git diff src')).toBe('allow');
  });

  test.each([
    'git show',
    'git log -p',
    'git diff HEAD~1',
    'git diff --cached',
    'git log -p -- src',
    'git show main',
    'git diff main -- src',
  ])('%j shows the history, which is asked [policy.git]', async (line) => {
    expect(await decide(line)).toMatch(/^ask: .*history/);
  });

  test.each([
    'git diff --no-index a b',
    'git blame -S.env a.txt',
    'git log -L1,1:.env',
    'git diff -Osrc',
    'git blame --contents .env a.txt',
    'git blame --ignore-revs-file=.env a.txt',
    'git blame --ignore-revs-f .env a.txt',
    'git ls-files -X .env',
    'git diff --outp=x',
    'git log -Gx',
    'git diff --ext-diff',
    'git show --textconv HEAD',
    'git log --pathspec-from-file=.env',
    'git status -v',
    'git diff ":(glob)**"',
    'git shortlog -F x',
    'git rev-parse --parseopt',
  ])('%j is asked: the option is on no list [policy.git]', async (line) => {
    expect(await decide(line)).toMatch(/^(?:ask|deny)/);
  });
});

describe('a folder that git would take for a repository', () => {
  test('counts as .git for every tool, from the call on that makes it one [policy.git]', async () => {
    const write = async (file: string): Promise<string> => {
      const call = makeCall('write_file', [join(root, file)]);
      const {decision} = await engine.judge(call, {mode: 'auto_edit', interactive: true, trusted: true, roots: [root]});
      if (decision === 'allow') await put(file);
      return decision;
    };
    expect(await write('sub/config')).toBe('allow');
    expect(await write('sub/HEAD')).toBe('allow');
    expect(await write('sub/objects/x')).toBe('allow');
    expect(await write('sub/refs/x')).toBe('deny');
    await put('sub/refs/x');
    expect(await write('sub/config')).toBe('deny');
    expect(await write('src/config')).toBe('allow');
  });

  test('in shell lines as well, also when one line makes all of it [policy.git]', async () => {
    await plantBare('sub');
    expect(await decide('echo x > sub/config', 'yolo')).toMatch(/^deny/);
    expect(await decide('mkdir -p n/objects n/refs; echo x > n/HEAD', 'yolo')).toMatch(/^deny/);
    expect(await decide('mkdir -p n/objects', 'yolo')).toBe('allow');
  });
});

test('where git would run something, it does so in a real run: the question is not for nothing [policy.git]', async () => {
  await plantBare('sub');
  const hook = join(root, 'fsmonitor.sh');
  await writeFile(hook, `#!/bin/sh\necho ran > ${join(base, 'ran')}\n`);
  await chmod(hook, 0o755);
  git(root, 'config', 'core.fsmonitor', hook);
  git(root, 'status');
  expect(await readFile(join(base, 'ran'), 'utf8')).toBe('ran\n');
  expect(await decide('git status')).toMatch(/^ask: .*core\.fsmonitor/);
});
