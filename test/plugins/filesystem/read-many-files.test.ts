import {mkdir, mkdtemp, realpath, rm, symlink, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {filesystemKernel, outcome} from './built.js';

interface ReadMany {
  readonly data: {readonly files: readonly {readonly path: string}[]; readonly skipped: readonly unknown[]};
}

const files = {
  'README.md': 'readme\n',
  'src/a.ts': 'a\n',
  'src/B.TS': 'b\n',
  'src/deep/c.ts': 'c\n',
  'src/data.bin': Buffer.from([0, 1]),
  'lib/.env': 'SECRET=1\n',
  '.config/x.ts': 'x\n',
  'node_modules/m/index.ts': 'm\n',
  'we[ird]/d.ts': 'd\n',
};
const image = Buffer.from('89504e470d0a1a0a0000', 'hex');

describe('read_many_files', () => {
  test('gives each file under its path, sorted, and says what was left out', async () => {
    await using kernel = await filesystemKernel({files: {...files, '.geminiignore': 'README.md\n'}});
    expect(
      await outcome(kernel, 'read_many_files', {
        include: ['src/*', 'README.md'],
        exclude: ['**/b.ts'],
        useDefaultExcludes: false,
      }),
    ).toEqual({
      model:
        '--- <project>/src/a.ts ---\n\na\n\n\n--- End of content ---\nLeft out 2 files:\n- ' +
        '<project>/README.md: excluded by the ignore rules\n- <project>/src/data.bin: binary',
      display: '1 files read, 2 left out',
      data: {
        files: [{path: '<project>/src/a.ts', truncated: false}],
        skipped: [
          {path: '<project>/README.md', reason: 'excluded by the ignore rules'},
          {path: '<project>/src/data.bin', reason: 'binary'},
        ],
      },
    });
  });

  test.each([
    ['a glob, whatever the case', {include: ['src/**/*.ts']}, ['src/B.TS', 'src/a.ts', 'src/deep/c.ts']],
    [
      'a glob in any directory, hidden ones included',
      {include: ['**/*.ts']},
      ['.config/x.ts', 'src/B.TS', 'src/a.ts', 'src/deep/c.ts', 'we[ird]/d.ts'],
    ],
    ['a directory, with all that is in it', {include: ['src']}, ['src/B.TS', 'src/a.ts', 'src/deep/c.ts']],
    ['a directory, not below it', {include: ['src'], recursive: false}, ['src/B.TS', 'src/a.ts']],
    ['a glob, not below its directory', {include: ['src/**/*.ts'], recursive: false}, ['src/B.TS', 'src/a.ts']],
    ['a path that looks like a glob', {include: ['we[ird]/d.ts']}, ['we[ird]/d.ts']],
    ['a path as prompts have it', {include: ['@src/a.ts', './README.md']}, ['README.md', 'src/a.ts']],
    ['an absolute glob', {include: ['<project>/src/*.ts']}, ['src/B.TS', 'src/a.ts']],
    [
      'what is usually left out, when asked',
      {include: ['**/.env', '**/index.ts'], useDefaultExcludes: false},
      ['lib/.env', 'node_modules/m/index.ts'],
    ],
    ['no file twice', {include: ['src/a.ts', 'src/*.ts', 'src/a.*'], exclude: ['**/B.TS']}, ['src/a.ts']],
  ])('reads %s', async (_, input, expected) => {
    await using kernel = await filesystemKernel({files});
    const include = input.include.map((pattern) => pattern.replace('<project>', kernel.project));
    const {data} = (await outcome(kernel, 'read_many_files', {...input, include})) as ReadMany;
    expect(data.files.map(({path}) => path.replace('<project>/', ''))).toEqual(expected);
  });

  test('touches the files that it reads, so that rules about them hold', async () => {
    await using kernel = await filesystemKernel({files});
    let touches: unknown;
    await kernel.session.call(
      {tool: 'read_many_files', input: {include: ['src/*.ts']}},
      {confirm: async ({call}) => ((touches = call.touches), {decision: 'no'})},
    );
    expect(touches).toEqual(
      ['B.TS', 'a.ts'].map((name) => ({kind: 'path', value: join(kernel.project, 'src', name), access: 'read'})),
    );
  });

  test('gives media only to a pattern that names them', async () => {
    await using kernel = await filesystemKernel({files: {'a.png': image, 'b.txt': 'b\n'}});
    expect(await outcome(kernel, 'read_many_files', {include: ['*']})).toMatchObject({
      data: {
        files: [{path: '<project>/b.txt', truncated: false}],
        skipped: [{path: '<project>/a.png', reason: 'image/png that no pattern names'}],
      },
    });
    expect(await outcome(kernel, 'read_many_files', {include: ['*.png', 'b.txt']})).toMatchObject({
      model: [
        {text: '--- <project>/a.png ---\n\n'},
        {inlineData: {mimeType: 'image/png', data: image.toString('base64')}},
        {text: '--- <project>/b.txt ---\n\nb\n\n\n--- End of content ---'},
      ],
    });
  });

  test('reads from every root, and once from a root inside another', async () => {
    const other = await realpath(await mkdtemp(join(tmpdir(), 'gemini-other-')));
    try {
      await writeFile(join(other, 'o.ts'), 'o\n');
      await using kernel = await filesystemKernel({files, flags: {'context.includeDirectories': [other, 'src']}});
      const {data} = (await outcome(kernel, 'read_many_files', {include: ['**/{a,o}.ts']})) as ReadMany;
      expect(data.files.map(({path}) => path).sort()).toEqual(['<project>/src/a.ts', join(other, 'o.ts')].sort());
    } finally {
      await rm(other, {recursive: true});
    }
  });

  test('follows links inside the workspace, circles included, and says which lead out', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'gemini-outside-'));
    try {
      await writeFile(join(outside, 'secret.ts'), 's\n');
      await using kernel = await filesystemKernel({files: {'src/a.ts': 'a\n', 'other/b.ts': 'b\n'}});
      await symlink('..', join(kernel.project, 'src', 'up'));
      await symlink(join('..', 'other'), join(kernel.project, 'src', 'linked'));
      await symlink(join(outside, 'secret.ts'), join(kernel.project, 'src', 'out.ts'));
      await symlink('nowhere', join(kernel.project, 'src', 'gone.ts'));
      const reason = 'a link that leads nowhere or outside the workspace';
      expect(await outcome(kernel, 'read_many_files', {include: ['src/**/*.ts']})).toMatchObject({
        data: {
          files: [
            {path: '<project>/other/b.ts', truncated: false},
            {path: '<project>/src/a.ts', truncated: false},
          ],
          skipped: [
            {path: '<project>/src/gone.ts', reason},
            {path: '<project>/src/out.ts', reason},
          ],
        },
      });
    } finally {
      await rm(outside, {recursive: true});
    }
  });

  test('warns of a file that is longer than what is read of it', async () => {
    await using kernel = await filesystemKernel({files: {'a.txt': 'x\n'.repeat(2001)}});
    const {model} = (await outcome(kernel, 'read_many_files', {include: ['a.txt']})) as {model: string};
    expect(model.split('\n').slice(0, 4)).toEqual([
      '--- <project>/a.txt ---',
      '',
      '[WARNING: only lines 1-2000 of 2001 follow; continue with read_file.]',
      'x',
    ]);
  });

  test('leaves out what is too large or beyond 20 MB in all, and reads the rest', async () => {
    await using kernel = await filesystemKernel();
    const sizes = {'a.txt': 12, 'b.txt': 12, 'c.txt': 21, 'd.txt': 1};
    await Promise.all(
      Object.entries(sizes).map(([name, size]) =>
        writeFile(join(kernel.project, name), Buffer.alloc(size * 1024 * 1024, 'x\n')),
      ),
    );
    const beyond = 'beyond the limit of 20 MB for one call';
    expect(await outcome(kernel, 'read_many_files', {include: ['*.txt']})).toMatchObject({
      data: {
        files: [{path: '<project>/a.txt'}, {path: '<project>/d.txt'}],
        skipped: [
          {path: '<project>/b.txt', reason: beyond},
          {path: '<project>/c.txt', reason: beyond},
        ],
      },
    });
  });

  test('refuses more than 5,000 files, and has not looked at the others then [files.many]', async () => {
    await using kernel = await filesystemKernel();
    for (const name of ['a', 'b', 'c', 'd']) {
      await mkdir(join(kernel.project, name));
      await Promise.all(
        Array.from({length: 2000}, (_, index) => writeFile(join(kernel.project, name, `${index}.txt`), 'x')),
      );
    }
    const module = await import('#plugins/filesystem/dist/matching-files.js');
    const workspace = await kernel.service('workspace');
    let looked = 0;
    const counting = new Proxy(workspace, {
      get(target, name: keyof typeof workspace) {
        const method = target[name].bind(target) as (paths: readonly string[]) => unknown;
        return name === 'ignored' ? (paths: readonly string[]) => ((looked += paths.length), method(paths)) : method;
      },
    });
    const search = {include: ['**'], exclude: [], recursive: true, useDefaultExcludes: true, ignore: {}};
    await expect(module.findMatchingFiles(search, counting, new AbortController().signal)).rejects.toMatchObject({
      code: 'FILES_TOO_MANY',
    });
    // Four directories, and slices of 2,000 files until there are more than 5,000.
    expect(looked).toBeLessThanOrEqual(6004);
    expect(await outcome(kernel, 'read_many_files', {include: ['**']})).toMatchObject({
      code: 'FILES_TOO_MANY',
      message: 'More than 5000 files match, the limit for one call.',
      hint: expect.stringContaining('Use a smaller folder'),
    });
    expect(await outcome(kernel, 'read_many_files', {include: ['a/12.txt']})).toMatchObject({
      data: {files: [{path: '<project>/a/12.txt'}]},
    });
  });

  test('says so when nothing matches', async () => {
    await using kernel = await filesystemKernel({files});
    expect(await outcome(kernel, 'read_many_files', {include: ['*.rs']})).toEqual({
      model: 'No files were read for these patterns.',
      display: '0 files read',
      data: {files: [], skipped: []},
    });
  });

  test.each([
    ['no patterns', {include: []}],
    ['an empty pattern', {include: ['']}],
    ['nothing', {}],
  ])('refuses %s', async (_, input) => {
    await using kernel = await filesystemKernel({files});
    expect(await outcome(kernel, 'read_many_files', input)).toMatchObject({code: 'TOOL_INPUT_INVALID'});
  });
});
