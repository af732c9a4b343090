import {symlink, utimes, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from '@jest/globals';
import {engineNames, openSearching, type Searching} from './engines.js';

const utf16 = (text: string, order: 'le' | 'be'): Uint8Array => {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  return order === 'le' ? bytes : bytes.swap16();
};

const files: Readonly<Record<string, string | Uint8Array>> = {
  'README.md': '# Title\nThe needle is here.\nAnd more text.\n',
  'src/app.ts': 'export const needle = 1;\nconst Needle = needle;\nclass Foo {\n}\n',
  'src/app.test.ts': 'import {needle} from "./app";\ntest("needle", () => undefined);\n',
  'src/deep/er/inner.tsx': 'return <b>needle</b>;\n',
  'src/a b/odd name.ts': 'needle needle\n',
  'src/crlf.txt': 'first needle\r\nsecond\r\nneedle\r\n',
  'src/no-end.txt': 'the last needle',
  'src/empty.txt': '',
  'src/bom.txt': '\ufeffneedle after a mark\n',
  'src/utf16le.txt': utf16('wide needle\r\nsecond line\nthird needle\n', 'le'),
  'src/utf16be.txt': utf16('big needle\n', 'be'),
  'src/latin1.txt': Buffer.from('caf\xe9 needle\nplain\n', 'latin1'),
  'src/binary.dat': Buffer.from('needle\nneedle\0needle\n'),
  'src/late-zero.txt': Buffer.concat([
    Buffer.from('needle at the start\n'),
    Buffer.alloc(70_000, 'x\n'),
    Buffer.from('needle before\n\0\nneedle after\n'),
  ]),
  'src/long.js': `${'x'.repeat(3000)}needle${'y'.repeat(3000)}\n`,
  'src/very-long.js': `${'x'.repeat(100_000)}needle${'y'.repeat(100_000)}\n`,
  'src/huge-line.js': `${'z'.repeat(1_500_000)}needle${'y'.repeat(1_500_000)}\nneedle\n`,
  'src/many.txt': Array.from({length: 500}, (_, index) => `needle ${index}\n`).join(''),
  '.hidden/needle.txt': 'hidden needle\n',
  '.git/HEAD': 'ref: refs/heads/main\n',
  '.git/needle': 'needle\n',
  '.gitignore': 'ignored/\n*.secret\n',
  '.geminiignore': 'private.txt\n',
  'ignored/a.txt': 'needle\n',
  'a.secret': 'needle\n',
  'private.txt': 'needle\n',
  'node_modules/pkg/index.js': 'needle\n',
  'dist/out.js': 'needle\n',
  'build/out.js': 'needle\n',
  'run.log': 'needle\n',
  'a/x.txt': 'order\n',
  'a.txt': 'order\n',
  'a-b/x.txt': 'order\n',
  'ab/x.txt': 'order\n',
  'é/x.txt': 'order\n',
  '💀/x.txt': 'order\n',
  '\uff01/x.txt': 'order\n',
  'regex.txt': 'foo bar\nfoobar\nbar foo\naa\nab\n12:34\n\nTIME 07:15\nprice: $5 (net)\nclass {\n',
};

let searching: Searching;
beforeAll(async () => {
  searching = await openSearching({files});
  const at = (path: string): string => join(searching.kernel.project, path);
  await symlink('README.md', at('link.md'));
  await symlink('..', at('src/loop'));
  await writeFile(at('new\nline.txt'), 'needle\n');
  await writeFile(Buffer.concat([Buffer.from(at('bad-')), Buffer.from([0xff, 0xfe]), Buffer.from('.txt')]), 'needle\n');
  const old = new Date(Date.now() - 48 * 3600 * 1000);
  for (const path of Object.keys(files)) await utimes(at(path), old, old);
  await utimes(at('README.md'), new Date(), new Date(Date.now() - 1000));
  await utimes(at('src/app.ts'), new Date(), new Date(Date.now() - 60_000));
});
afterAll(() => searching[Symbol.asyncDispose]());

/** One after the other with every engine; all must answer the same. */
async function ask(tool: 'glob' | 'grep_search', input: object): Promise<string> {
  const answers = [];
  for (const engine of engineNames)
    answers.push(
      await searching.run(engine, tool, input).catch((error: unknown) => ({model: String(error), data: undefined})),
    );
  for (const answer of answers) expect(answer).toEqual(answers[0]);
  return (answers[0]?.model ?? '').replaceAll(searching.kernel.project, '~');
}

const everyNeedle = [
  '.hidden/needle.txt',
  'README.md',
  '"~/bad-\\377\\376.txt"',
  '"~/new\\nline.txt"',
  'src/a b/odd name.ts',
  'src/app.test.ts',
  'src/app.ts',
  'src/bom.txt',
  'src/crlf.txt',
  'src/deep/er/inner.tsx',
  'src/huge-line.js',
  'src/late-zero.txt',
  'src/latin1.txt',
  'src/long.js',
  'src/many.txt',
  'src/no-end.txt',
  'src/utf16be.txt',
  'src/utf16le.txt',
  'src/very-long.js',
];

const grepCases: readonly (readonly [string, object, readonly string[] | string])[] = [
  ['a word everywhere', {pattern: 'needle', names_only: true}, everyNeedle],
  ['case', {pattern: 'Needle', case_sensitive: true}, ['src/app.ts']],
  ['a text', {pattern: '$5 (net)', fixed_strings: true}, ['regex.txt']],
  ['a text in another case', {pattern: 'TITLE', fixed_strings: true}, ['README.md']],
  ['look-ahead', {pattern: 'foo(?=bar)'}, ['regex.txt']],
  ['negative look-behind', {pattern: '(?<!foo)bar', context: 0}, ['regex.txt']],
  ['a back-reference', {pattern: '^(a)\\1$', context: 0}, ['regex.txt']],
  [
    'an anchor at the end of lines that end with a return',
    {pattern: 'needle$', dir_path: 'src/crlf.txt', context: 0},
    ['src/crlf.txt'],
  ],
  ['a brace that stands for itself', {pattern: 'class {', context: 0}, ['regex.txt']],
  ['digits', {pattern: '\\b\\d{2}:\\d{2}\\b', context: 1}, ['regex.txt']],
  ['an empty line', {pattern: '^$', dir_path: 'regex.txt', context: 0}, ['regex.txt']],
  ['a leading (?i)', {pattern: '(?i)TITLE', case_sensitive: true}, ['README.md']],
  [
    'names of files',
    {pattern: 'needle', include_pattern: '*.{ts,tsx}', names_only: true},
    ['src/a b/odd name.ts', 'src/app.test.ts', 'src/app.ts', 'src/deep/er/inner.tsx'],
  ],
  [
    'paths of files',
    {pattern: 'needle', include_pattern: 'src/*.ts', names_only: true},
    ['src/app.test.ts', 'src/app.ts'],
  ],
  ['paths at any depth', {pattern: 'needle', include_pattern: '**/er/*', names_only: true}, ['src/deep/er/inner.tsx']],
  ['an included name in another case', {pattern: 'needle', include_pattern: '*.TSX', names_only: true}, []],
  [
    'lines that do not count',
    {pattern: 'needle', exclude_pattern: 'export|import|test', include_pattern: 'src/app*.ts', context: 0},
    ['src/app.ts'],
  ],
  [
    'the first of each file',
    {pattern: 'needle', max_matches_per_file: 1, include_pattern: 'src/app*.ts', context: 0},
    ['src/app.test.ts', 'src/app.ts'],
  ],
  [
    'the first of each file that count',
    {pattern: 'needle', max_matches_per_file: 1, exclude_pattern: 'export', include_pattern: 'src/app.ts', context: 0},
    ['src/app.ts'],
  ],
  [
    'the first in all',
    {pattern: 'needle', total_max_matches: 3, dir_path: 'src', context: 0},
    'Found 3 matches for pattern "needle" in path "~/src" (results limited to 3 matches for ' +
      'performance):\n---\nFile: ~/src/a b/odd name.ts\nL1: needle needle\n---\nFile: ~/src/app.test.ts\nL1: import ' +
      '{needle} from "./app";\nL2: test("needle", () => undefined);\n---',
  ],
  [
    'the first in all, in one file',
    {pattern: 'needle', total_max_matches: 7, dir_path: 'src/many.txt', context: 0},
    ['src/many.txt'],
  ],
  [
    'exactly as many as there are',
    {pattern: 'needle', total_max_matches: 500, dir_path: 'src/many.txt', context: 0},
    ['src/many.txt'],
  ],
  ['the first files', {pattern: 'order', total_max_matches: 2, names_only: true}, ['a/x.txt', 'a-b/x.txt']],
  [
    'order by path',
    {pattern: 'order', names_only: true},
    ['a/x.txt', 'a-b/x.txt', 'a.txt', 'ab/x.txt', 'é/x.txt', '\uff01/x.txt', '💀/x.txt'],
  ],
  ['lines before', {pattern: 'more', before: 1, dir_path: 'README.md'}, ['README.md']],
  ['lines after', {pattern: 'Title', after: 1, dir_path: 'README.md'}, ['README.md']],
  ['lines around that overlap', {pattern: 'foo', context: 1, dir_path: 'regex.txt'}, ['regex.txt']],
  ['lines around that are chosen', {pattern: 'TIME', dir_path: 'regex.txt'}, ['regex.txt']],
  ['lines around in UTF-16', {pattern: 'second line', dir_path: 'src'}, ['src/utf16le.txt']],
  ['bytes that are no UTF-8', {pattern: 'caf. needle'}, []],
  ['a line with such bytes', {pattern: 'caf'}, ['src/latin1.txt']],
  ['a binary file', {pattern: 'needle', dir_path: 'src/binary.dat'}, []],
  [
    'a file with a zero byte further on',
    {pattern: 'needle', dir_path: 'src/late-zero.txt', context: 0},
    ['src/late-zero.txt'],
  ],
  ['a long line', {pattern: 'needle', dir_path: 'src/long.js'}, ['src/long.js']],
  ['a very long line', {pattern: 'needle', dir_path: 'src/very-long.js'}, ['src/very-long.js']],
  ['a line of megabytes', {pattern: 'needle', dir_path: 'src/huge-line.js', context: 0}, ['src/huge-line.js']],
  [
    'a line of megabytes that does not count',
    {pattern: 'needle', exclude_pattern: '^z', dir_path: 'src/huge-line.js', context: 0},
    ['src/huge-line.js'],
  ],
  ['hidden files', {pattern: 'hidden needle'}, ['.hidden/needle.txt']],
  [
    'nothing ignored',
    {pattern: '^needle$', no_ignore: true, names_only: true},
    [
      'a.secret',
      '"~/bad-\\377\\376.txt"',
      'build/out.js',
      'dist/out.js',
      'ignored/a.txt',
      '"~/new\\nline.txt"',
      'node_modules/pkg/index.js',
      'private.txt',
      'run.log',
      'src/crlf.txt',
      'src/huge-line.js',
    ],
  ],
  [
    'an ignored directory',
    {pattern: 'needle', dir_path: 'ignored'},
    'ToolError: ~/ignored is ignored by ~/.gitignore, line 1: ignored/.',
  ],
  [
    'an ignored directory, all the same',
    {pattern: 'needle', dir_path: 'ignored', no_ignore: true, context: 0},
    ['ignored/a.txt'],
  ],
  ['build output by its name', {pattern: 'needle', dir_path: 'dist', context: 0}, ['dist/out.js']],
  ["git's own folder by its name", {pattern: 'needle', dir_path: '.git', no_ignore: true, context: 0}, ['.git/needle']],
  ['a directory that is a link', {pattern: 'Title', dir_path: 'src/loop', context: 0}, ['README.md']],
  ['nothing', {pattern: 'nowhere at all'}, []],
  ['an empty directory', {pattern: 'x', dir_path: 'src/empty.txt'}, []],
  ['what matches nothing at all', {pattern: 'x*', dir_path: 'src/crlf.txt', context: 0}, ['src/crlf.txt']],
];

describe('every engine gives the same lines', () => {
  test.each(grepCases)(
    '%s [search.same-answers] [search.patterns] [search.odd-files] [search.order]',
    async (_, input, expected) => {
      const model = await ask('grep_search', input);
      if (typeof expected === 'string') return void expect(model).toBe(expected);
      const paths =
        'names_only' in input
          ? model
              .split('\n')
              .slice(1)
              .map((line) => line.replace(/^~\//, ''))
          : [...model.matchAll(/^File: ~\/(.*)$/gm)].map(([, path]) => path);
      expect(paths).toEqual(expected);
    },
  );

  test.each([
    [
      'one match comes with the lines around it',
      {pattern: 'TIME'},
      'L1- foo bar\nL2- foobar\nL3- bar foo\nL4- aa\nL5- ab\nL6- 12:34\nL7- \nL8: TIME 07:15\nL9- price: $5 ' +
        '(net)\nL10- class {',
    ],
    ['more than three come alone, unless asked', {pattern: 'oo|aa'}, 'L1: foo bar\nL2: foobar\nL3: bar foo\nL4: aa'],
    [
      'lines that do not touch are parted',
      {pattern: 'aa|net', after: 0, before: 1},
      'L3- bar foo\nL4: aa\n--\nL8- TIME 07:15\nL9: price: $5 (net)',
    ],
    ['a limit hides what comes after it', {pattern: 'a', total_max_matches: 2, context: 0}, 'L1: foo bar\nL2: foobar'],
  ])('%s [grep.form]', async (_, input, lines) => {
    const model = await ask('grep_search', {dir_path: 'regex.txt', ...input});
    expect(model.split('\n---\n')[1]?.replace(/\n---$/, '')).toBe(`File: ~/regex.txt\n${lines}`);
  });

  test.each([
    ['around its match', 'src/long.js', `... [truncated]${'x'.repeat(200)}needle${'y'.repeat(1794)}... [truncated]`],
    ['at its beginning when it is very long', 'src/very-long.js', `${'x'.repeat(2000)}... [truncated]`],
  ])('a long line is shown %s [search.odd-files]', async (_, dir_path, text) => {
    expect(await ask('grep_search', {pattern: 'needle', dir_path, context: 0})).toContain(`\nL1: ${text}\n`);
  });
});

describe('every engine gives the same files', () => {
  test.each<readonly [string, object, readonly string[] | string]>([
    ['an ending', {pattern: '**/*.ts'}, ['src/app.ts', 'src/a b/odd name.ts', 'src/app.test.ts']],
    ['one level', {pattern: '*.txt'}, ['"~/bad-\\377\\376.txt"', '"~/new\\nline.txt"', 'a.txt', 'regex.txt']],
    ['choices', {pattern: 'src/app.{test.,}ts'}, ['src/app.ts', 'src/app.test.ts']],
    ['another case', {pattern: 'SRC/APP*.TS'}, ['src/app.ts', 'src/app.test.ts']],
    [
      'another case that counts',
      {pattern: 'SRC/app.ts', case_sensitive: true},
      'No files found matching pattern "SRC/app.ts" within ~.',
    ],
    ['a directory', {pattern: '*', dir_path: 'src/deep/er'}, ['src/deep/er/inner.tsx']],
    ['everything below', {pattern: 'a*/**'}, ['a/x.txt', 'a-b/x.txt', 'ab/x.txt'].sort()],
    ['hidden ones', {pattern: '.*/*'}, ['.hidden/needle.txt']],
    ['an extended glob', {pattern: 'src/@(bom|crlf).txt'}, ['src/bom.txt', 'src/crlf.txt']],
    ['a range', {pattern: '[a-b]/x.txt'}, ['a/x.txt']],
    [
      'what ignore files name',
      {pattern: 'private.*'},
      'No files found matching pattern "private.*" within ~. A file that matches is left out: ~/private.txt is ' +
        'ignored by ~/.geminiignore, line 1: private.txt.',
    ],
    ['the same, all the same', {pattern: 'private.*', respect_gemini_ignore: false}, ['private.txt']],
    ['what git ignores, all the same', {pattern: '**/*.secret', respect_git_ignore: false}, ['a.secret']],
    [
      'dependencies',
      {pattern: 'node_modules/**'},
      'No files found matching pattern "node_modules/**" within ~. node_modules is searched only when dir_path ' +
        'leads into it.',
    ],
    ['a path', {pattern: 'src/a b/odd name.ts'}, ['src/a b/odd name.ts']],
    ['a link', {pattern: '*.md'}, ['README.md']],
  ])('%s [search.same-answers] [glob.order]', async (_, input, expected) => {
    const model = await ask('glob', input);
    if (typeof expected === 'string') return void expect(model).toBe(expected);
    expect(
      model
        .split('\n')
        .slice(1)
        .map((line) => line.replace(/^~\//, '')),
    ).toEqual(expected);
  });
});
