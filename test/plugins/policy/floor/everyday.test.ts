import {execFileSync} from 'node:child_process';
import {mkdir, mkdtemp, readFile, realpath, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from '@jest/globals';
import {parse} from 'smol-toml';
import type {World} from '#plugins/policy/dist/engine/judge-part.js';
import type {Mode} from '#plugins/policy/dist/rule.js';
import {checkout} from '../../../helpers/plugin-root.js';
import {reader} from '../bash/judge.js';
import {Engine, makeLine} from '../engine/make.js';
import {product} from './rules.js';
import {systemDisk} from '#plugins/policy/dist/engine/open-disk.js';
import {sayWhy} from '#plugins/policy/dist/engine/say.js';

const lines = parse(await readFile(`${checkout}test/plugins/policy/floor/everyday.toml`, 'utf8')) as unknown as Record<
  'default' | 'yolo',
  readonly string[]
>;

const FILES = [
  'src/a.ts',
  'src/b.ts',
  'src/deep/c.ts',
  'test/a.test.ts',
  'a.txt',
  'b.txt',
  'README.md',
  'package.json',
  'tsconfig.json',
  'Makefile',
  'go.mod',
  'Cargo.toml',
  'pyproject.toml',
  'requirements.txt',
  '.gitignore',
  '.github/workflows/ci.yml',
  '.env.example',
  'dist.txt',
  'scripts/run.sh',
  'script.py',
  'old.log',
  '.venv/bin/activate',
];

let root = '';
let world: World;

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'everyday-')));
  for (const file of FILES) {
    await mkdir(dirname(join(root, file)), {recursive: true});
    await writeFile(join(root, file), 'foo\n');
  }
  const git = (...words: string[]): void =>
    void execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], {cwd: root, stdio: 'ignore'});
  git('init', '--initial-branch=main');
  git('add', '-A');
  git('commit', '-m', 'one');
  // Not tracked, as in most repositories: a line that would come by it would be asked.
  await writeFile(join(root, '.env'), 'secret\n');
  const realPaths = (paths: readonly string[]): Promise<readonly string[]> =>
    Promise.all(paths.map((path) => realpath(path).catch(() => path)));
  world = {
    platform: 'linux',
    home: '/home/me',
    openShellReader: () => Promise.resolve(reader),
    realPaths,
    disk: systemDisk,
    variables: {PATH: '/usr/bin'},
  };
});

afterAll(() => rm(root, {recursive: true, force: true}));

/** Why each line is asked about that is. */
async function asked(mode: Mode, all: readonly string[], sandboxed = false): Promise<Readonly<Record<string, string>>> {
  const engine = new Engine({rules: product}, world);
  const found: Record<string, string> = {};
  for (const line of all) {
    const circumstances = {mode, interactive: true, trusted: true, sandboxed, roots: [root]};
    const judgement = await engine.judge(makeLine(line, root), circumstances);
    if (judgement.decision !== 'allow') found[line] = sayWhy(judgement, true);
  }
  return found;
}

describe('lines of every working day', () => {
  test('are at least 150 for the mode default and 80 for the mode yolo, none twice', () => {
    const counts = [lines.default, lines.yolo].map((all) => [all.length, new Set(all).size] as const);
    expect(counts.map(([all, different], index) => all === different && all >= [150, 80][index]!)).toEqual([
      true,
      true,
    ]);
  });

  test('that only look need no question [policy.everyday]', async () => {
    expect(await asked('default', lines.default)).toEqual({});
  });

  test('that build and test need fewer questions in the sandbox [sandbox.rules]', async () => {
    const all = [...lines.yolo.slice(0, 50), ...lines.default.slice(0, 100)];
    const without = Object.keys(await asked('default', all));
    const within = Object.keys(await asked('default', all, true));
    expect([without.length, within.length]).toEqual([49, 32]);
    expect(within.filter((line) => !without.includes(line))).toEqual([]);
  });

  test('need none in the mode yolo [policy.everyday]', async () => {
    expect(await asked('yolo', lines.yolo)).toEqual({});
  });
});
