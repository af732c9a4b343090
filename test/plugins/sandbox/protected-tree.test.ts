import {mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {afterEach, beforeEach, expect, test} from '@jest/globals';
import {ProtectedTree} from '#plugins/sandbox/dist/linux/protected-tree.js';

let root = '';
let tree = new ProtectedTree('/');
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-tree-')));
  tree = new ProtectedTree(root);
});
afterEach(() => {
  tree.close();
  rmSync(root, {recursive: true});
});

function write(path: string, text = ''): void {
  mkdirSync(dirname(join(root, path)), {recursive: true});
  writeFileSync(join(root, path), text);
}

/** What is protected, relative to the root. */
async function found(): Promise<Record<string, readonly string[]>> {
  const all = Object.entries(await tree.read()).map(([kind, paths]: [string, readonly string[]]) => [
    kind,
    paths.map((path) => path.slice(root.length + 1)).sort(),
  ]);
  return Object.fromEntries(all) as Record<string, readonly string[]>;
}

test('finds repositories, pointers to them and .env files at any depth [sandbox.tree]', async () => {
  write('.git/HEAD');
  write('.git/hooks/.env');
  write('a/b/c/.env.local');
  write('a/.envrc');
  write('tree/.git', 'gitdir: x');
  mkdirSync(join(root, 'venv', '.env'), {recursive: true});
  symlinkSync('a', join(root, 'link'));
  symlinkSync('a/.envrc', join(root, '.env'));
  expect(await found()).toEqual({
    repositories: ['.git'],
    pointers: ['tree/.git'],
    secrets: ['.env', 'a/.envrc', 'a/b/c/.env.local'],
  });
});

test('sees what is made, moved and removed afterwards [sandbox.tree]', async () => {
  write('a/file');
  expect((await found())['secrets']).toEqual([]);
  write('a/.env');
  write('new/deep/.env');
  expect((await found())['secrets']).toEqual(['a/.env', 'new/deep/.env']);
  renameSync(join(root, 'new'), join(root, 'moved'));
  expect((await found())['secrets']).toEqual(['a/.env', 'moved/deep/.env']);
  rmSync(join(root, 'a'), {recursive: true});
  expect((await found())['secrets']).toEqual(['moved/deep/.env']);
});

test('sees it in a tree with more folders than are looked at each time [sandbox.tree]', async () => {
  for (let one = 0; one < 1500; one += 1) write(`wide/${one}/file`);
  expect((await found())['secrets']).toEqual([]);
  for (const one of [3, 700, 1400]) write(`wide/${one}/.env`);
  write('wide/1499/deep/.git/HEAD');
  expect(await found()).toEqual({
    repositories: ['wide/1499/deep/.git'],
    pointers: [],
    secrets: ['wide/1400/.env', 'wide/3/.env', 'wide/700/.env'],
  });
});
