import {mkdir, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from '@jest/globals';
import {createTestKernel, type TestKernel, type TestKernelOptions} from '@gemini-kernel/kernel/testing';
import type {FindOptions} from '@gemini-kernel/plugin-search/contract';
import {pluginRoot} from '../../helpers/plugin-root.js';

function searchKernel(options: Omit<TestKernelOptions, 'plugins'> = {}): Promise<TestKernel> {
  return createTestKernel({plugins: ['settings', 'workspace', 'search'].map(pluginRoot), ...options});
}

const settings = (fileFiltering: object): Readonly<Record<string, string>> => ({
  '.gemini/settings.json': JSON.stringify({context: {fileFiltering}}),
});

async function find(kernel: TestKernel, text: string, options?: FindOptions): Promise<readonly string[]> {
  const found = await (await kernel.service('files')).find(text, options);
  return found.map(({path, isDirectory}) => path.replace(`${kernel.project}/`, '') + (isDirectory ? '/' : ''));
}

describe('files of a project [files.find]', () => {
  const files = {
    '.gitignore': 'dist/\n*.log\n',
    '.git/HEAD': 'ref: refs/heads/main\n',
    'dist/app.js': '',
    'app.log': '',
    '.github/app.yml': '',
    'node_modules/app/app.js': '',
    'src/app.ts': '',
    'src/deep/apple.ts': '',
  };

  test('are found without those that are ignored or never entered, hidden ones included', async () => {
    await using kernel = await searchKernel({files});
    expect(await find(kernel, 'app')).toEqual(['src/app.ts', '.github/app.yml', 'src/deep/apple.ts']);
    expect(await find(kernel, 'head')).toEqual([]);
    expect(await find(kernel, 'deep', {kind: 'directory'})).toEqual(['src/deep/']);
    expect(await find(kernel, 'deep', {most: 1})).toEqual(['src/deep/']);
  });

  test('are found although ignore files name them, where the settings say so', async () => {
    await using kernel = await searchKernel({files, homeFiles: settings({respectGitIgnore: false})});
    expect(await find(kernel, 'app', {kind: 'file'})).toEqual([
      'app.log',
      'src/app.ts',
      'dist/app.js',
      '.github/app.yml',
      'src/deep/apple.ts',
    ]);
  });

  test('need their letters together where the settings say so', async () => {
    await using kernel = await searchKernel({files, homeFiles: settings({enableFuzzySearch: false})});
    expect(await find(kernel, 'srcapp')).toEqual([]);
    expect(await find(kernel, 'src/app')).toEqual(['src/app.ts']);
  });

  test('with spaces, other scripts and line breaks in their names come back as they are', async () => {
    await using kernel = await searchKernel({files: {'a b/c d.txt': '', 'Привет.md': '', 'two\nlines.txt': ''}});
    expect([await find(kernel, 'c d'), await find(kernel, 'прив'), await find(kernel, 'lines')]).toEqual([
      ['a b/c d.txt'],
      ['Привет.md'],
      ['two\nlines.txt'],
    ]);
  });

  test('are found in directories that are added meanwhile, each under its own', async () => {
    await using kernel = await searchKernel({files: {'here.ts': ''}});
    const other = join(dirname(kernel.project), 'other');
    await mkdir(other);
    await writeFile(join(other, 'there.ts'), '');
    expect(await find(kernel, 'there')).toEqual([]);
    await (await kernel.service('workspace')).add([other], {scope: 'session'});
    expect(await (await kernel.service('files')).find('there')).toEqual([
      {path: join(other, 'there.ts'), root: other, isDirectory: false},
    ]);
    expect(await find(kernel, 'here.ts')).toEqual(['here.ts', join(other, 'there.ts')]);
  });

  test('are found without ripgrep, too', async () => {
    await using kernel = await searchKernel({
      homeFiles: {'.gemini/settings.json': JSON.stringify({tools: {useRipgrep: false}})},
      files: {'a.ts': ''},
    });
    expect(await find(kernel, 'a')).toEqual(['a.ts']);
  });
});

describe('50,000 files [files.find]', () => {
  let kernel: TestKernel;
  beforeAll(async () => {
    kernel = await searchKernel();
    for (let folder = 0; folder < 500; folder += 1) {
      const path = join(kernel.project, `folder${folder}`);
      await mkdir(path);
      await Promise.all(
        Array.from({length: 100}, (_, index) => writeFile(join(path, `file${folder * 100 + index}.ts`), '')),
      );
    }
  }, 60_000);
  afterAll(() => kernel.close());

  test('are all looked at, and others get their turn meanwhile', async () => {
    let turns = 0;
    let isOver = false;
    const turn = (): void => {
      turns += 1;
      if (!isOver) setImmediate(turn);
    };
    setImmediate(turn);
    expect(await find(kernel, 'file49999')).toEqual(['folder499/file49999.ts']);
    const before = turns;
    expect((await find(kernel, 'folder9', {kind: 'directory'}))[0]).toBe('folder9/');
    isOver = true;
    expect(turns).toBeGreaterThan(before);
  });

  test('a search that is aborted ends at once, and the next one finds all the same', async () => {
    await using own = await searchKernel({files: {'x.ts': ''}});
    await (await own.service('workspace')).add([kernel.project], {scope: 'session'});
    const stop = new AbortController();
    const updates: number[] = [];
    const found = find(own, 'file', {
      signal: stop.signal,
      update: ({length}) => void (updates.push(length), stop.abort(new Error('another key'))),
    });
    await expect(found).rejects.toThrow('another key');
    expect(updates).toHaveLength(1);
    expect((await find(own, 'file123.ts'))[0]).toBe(join(kernel.project, 'folder1/file123.ts'));
  });
});
