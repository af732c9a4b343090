import {execFile} from 'node:child_process';
import {rm, symlink, utimes} from 'node:fs/promises';
import {join} from 'node:path';
import {setImmediate} from 'node:timers/promises';
import {promisify} from 'node:util';
import {afterAll, beforeAll, describe, expect, test} from '@jest/globals';
import type {TestKernel} from '@gemini-kernel/kernel/testing';
import {engineNames, openSearching} from './engines.js';
import {badPlaces, noTexts, oddGlobs, refusedGlobs, say, searchingKernel} from './searching-kernel.js';
import {buildTree} from './tree.js';
import {RecentFirst} from '#plugins/search/dist/recent-first.js';

const longName = 'a'.repeat(240);

let kernel: TestKernel;
beforeAll(async () => {
  kernel = await searchingKernel({files: {'a.txt': '', 'sub/b.txt': '', '~/c.txt': '', '[x].md': '', [longName]: ''}});
  await symlink('/', join(kernel.project, 'out'));
  await symlink('loop', join(kernel.project, 'loop'));
  await promisify(execFile)('mkfifo', [join(kernel.project, 'pipe')]);
});
afterAll(() => kernel.close());

describe('glob says what is wrong with its input [search.input]', () => {
  const wrong: readonly (readonly [string, unknown])[] = [
    ['nothing at all', undefined],
    ['no object', 'a.txt'],
    ['no pattern', {}],
    ...noTexts.flatMap(
      ([name, value]) =>
        [
          [`${name} as the pattern`, {pattern: value}],
          [`${name} as the directory`, {pattern: '*', dir_path: value}],
        ] as const,
    ),
    ['a pattern of a megabyte', {pattern: 'x'.repeat(1 << 20)}],
    ...['case_sensitive', 'respect_git_ignore', 'respect_gemini_ignore'].flatMap((name) =>
      ['true', 1, 0, null, []].map(
        (value) => [`${JSON.stringify(value)} as ${name}`, {pattern: '*', [name]: value}] as const,
      ),
    ),
  ];
  test.each(wrong)('%s', async (_, input) => {
    const {code, message, hint} = await say(kernel, 'glob', input);
    expect({code, message, hint}).toEqual({
      code: 'TOOL_INPUT_INVALID',
      message: expect.stringMatching(/^glob cannot take this input: input.{1,150}$/s),
      hint: expect.any(String),
    });
  });

  test.each(badPlaces)('%s as the directory', async (_, dir_path, code, message) => {
    expect(await say(kernel, 'glob', {pattern: '*', dir_path})).toEqual({
      code,
      message: expect.stringContaining(message),
      hint: expect.stringMatching(/\.$|directory add/),
    });
  });

  test('a file as the directory', async () => {
    expect(await say(kernel, 'glob', {pattern: '*', dir_path: 'a.txt'})).toEqual({
      code: 'SEARCH_PATH_UNUSABLE',
      message: 'Cannot search in ~/a.txt: it is a file.',
      hint: 'Give a directory.',
    });
  });

  test.each(refusedGlobs)('%s as the pattern', async (_, pattern, what) => {
    const said = await say(kernel, 'glob', {pattern});
    expect({...said, message: said.message?.replace('~/', '')}).toEqual({
      code: 'PATTERN_INVALID',
      message: expect.stringMatching(/^The glob pattern .{1,64} (has|is|takes) .*\.$/),
      hint: 'Use fewer stars and groups.',
    });
    expect(said.message).toContain(what);
  });

  test.each(oddGlobs)('%s finds nothing, and soon', async (_, pattern) => {
    expect((await say(kernel, 'glob', {pattern})).model).toBe(`No files found matching pattern "${pattern}" within ~.`);
  });

  test.each([
    ['many stars', '*'.repeat(10_000), ['[x].md', longName, 'a.txt']],
    ['many directories', `${'**/'.repeat(3000)}b.txt`, ['sub/b.txt']],
    ['directories of any depth', '**/**/**/**', ['[x].md', longName, 'a.txt', 'sub/b.txt', '~/c.txt']],
    ['a name that is a pattern', '[x].md', ['[x].md']],
    ['a tilde, which is a name here', '~/*', ['~/c.txt']],
    ['steps back', 'sub/../a.txt', ['a.txt']],
  ])('%s is a pattern like any other [glob.literal]', async (_, pattern, expected) => {
    const {model} = await say(kernel, 'glob', {pattern});
    expect(
      model
        ?.split('\n')
        .slice(1)
        .map((line) => line.replace('~/', ''))
        .sort(),
    ).toEqual([...expected].sort());
  });

  test.each(engineNames)('a question mark is one character of any length: %s', async (engine) => {
    await using searching = await openSearching({files: {'é.ts': '', 'ab.ts': '', 'a.ts': '', 'x/漢.ts': ''}});
    for (const case_sensitive of [true, false]) {
      const {data} = await searching.run(engine, 'glob', {pattern: '**/?.ts', case_sensitive});
      expect(
        (data as {files: string[]}).files.map((path) => path.slice(searching.kernel.project.length + 1)).sort(),
      ).toEqual(['a.ts', 'x/漢.ts', 'é.ts']);
    }
  });

  test.each([['{,?}'.repeat(60)], ['{,a}'.repeat(60)], [`${'*a'.repeat(30)}[b]`]])(
    '%s on a long name ends',
    async (pattern) => {
      expect(await say(kernel, 'glob', {pattern: `${pattern}c`})).toMatchObject({
        code: 'PATTERN_INVALID',
        message: expect.stringContaining('takes too long to hold against'),
      });
    },
  );

  test('a directory by steps back and forth is the directory', async () => {
    expect((await say(kernel, 'glob', {pattern: '*.txt', dir_path: 'sub/../sub/.'})).model).toBe(
      'Found 1 file matching "*.txt" within ~/sub, sorted by modification time (newest first):\n~/sub/b.txt',
    );
  });

  test('a pattern that is the path of the workspace with a separator finds nothing', async () => {
    expect((await say(kernel, 'glob', {pattern: `${kernel.project}/`})).model).toBe(
      'No files found matching pattern "~/" within ~.',
    );
  });
});

describe('glob says why it found nothing [search.ignore]', () => {
  const files = {
    '.gitignore': 'out/\n',
    '.git/HEAD': '',
    'out/a b\n.txt': '',
    'node_modules/pkg/index.js': '',
    'src/node_modules/x.js': '',
  };

  test.each([
    ['node_modules/**', '~', 'node_modules is searched only when dir_path leads into it.'],
    ['src/node_modules/*.js', '~', 'node_modules is searched only when dir_path leads into it.'],
    ['Node_Modules/**', '~', ''],
    ['**/*.txt', '~', 'A file that matches is left out: "~/out/a b\\n.txt" is ignored by ~/.gitignore, line 1: out/.'],
    ['out/*', '~', 'A file that matches is left out: "~/out/a b\\n.txt" is ignored by ~/.gitignore, line 1: out/.'],
    ['.git/*', '~', '.git is searched only when dir_path leads into it.'],
  ])('%s', async (pattern, where, why) => {
    await using ignoring = await searchingKernel({files});
    expect((await say(ignoring, 'glob', {pattern})).model).toBe(
      `No files found matching pattern "${pattern}" within ${where}.${why && ` ${why}`}`,
    );
  });

  test('when dir_path leads there, it is searched', async () => {
    await using ignoring = await searchingKernel({files});
    expect(
      (await say(ignoring, 'glob', {pattern: '**', dir_path: 'node_modules'})).model?.split('\n').slice(1),
    ).toEqual(['~/node_modules/pkg/index.js']);
  });

  test('no rule is named when the settings have none that does it', async () => {
    await using ignoring = await searchingKernel({
      files,
      homeFiles: {'.gemini/settings.json': JSON.stringify({context: {fileFiltering: {respectGitIgnore: false}}})},
    });
    const said = 'A file that matches is left out: "~/out/a b\\n.txt" is ignored.';
    expect((await say(ignoring, 'glob', {pattern: '**/*.txt', respect_git_ignore: true})).model).toBe(
      `No files found matching pattern "**/*.txt" within ~. ${said}`,
    );
    expect(await say(ignoring, 'glob', {pattern: '*', dir_path: 'out', respect_git_ignore: true})).toMatchObject({
      code: 'SEARCH_PATH_IGNORED',
      message: '~/out is ignored.',
    });
  });
});

describe('glob gives what changed within a day first [glob.order]', () => {
  const now = Date.now();
  const hours = (count: number): Date => new Date(now - count * 3_600_000);

  test('the newest at the top, those of the same time and all others by path, the future first', async () => {
    await using searching = await openSearching({
      files: Object.fromEntries(
        ['future', 'new', 'same-b', 'same-a', 'old-b', 'old-a', 'ancient'].map((name) => [name, '']),
      ),
    });
    const times = {
      future: hours(-48),
      new: hours(1),
      'same-b': hours(2),
      'same-a': hours(2),
      'old-b': hours(25),
      'old-a': hours(26),
      ancient: new Date(0),
    };
    for (const [name, time] of Object.entries(times)) await utimes(join(searching.kernel.project, name), time, time);
    for (const engine of engineNames) {
      const {data} = await searching.run(engine, 'glob', {pattern: '*'});
      expect((data as {files: string[]}).files.map((path) => path.slice(searching.kernel.project.length + 1))).toEqual([
        'future',
        'new',
        'same-a',
        'same-b',
        'ancient',
        'old-a',
        'old-b',
      ]);
    }
  });

  test('a file that changed a day ago to the millisecond is recent, one a millisecond older is not', async () => {
    await using tree = await buildTree({'a-old': '', 'b-edge': ''});
    const edge = 1_700_000_000_000;
    await utimes(tree.at('a-old'), new Date(0), new Date(edge - 1));
    await utimes(tree.at('b-edge'), new Date(0), new Date(edge));
    const order = new RecentFirst(edge + 24 * 3_600_000);
    order.add([tree.at('a-old'), tree.at('b-edge')]);
    expect(tree.inside((await order.list()).paths)).toEqual(['b-edge', 'a-old']);
  });

  test('what has vanished by then is not named', async () => {
    await using tree = await buildTree({a: '', b: '', 'c/d': ''});
    await rm(tree.at('b'));
    await rm(tree.at('c'), {recursive: true});
    const order = new RecentFirst(Date.now());
    order.add(['a', 'b', 'c/d'].map(tree.at));
    expect(tree.inside((await order.list()).paths)).toEqual(['a']);
  });

  test('what the system refuses to tell of is unreadable, and nothing else is passed over', async () => {
    await using tree = await buildTree({a: ''});
    const far = tree.at(`${'long/'.repeat(2000)}f`);
    const order = new RecentFirst(Date.now());
    order.add([far, tree.at('a')]);
    expect(await order.list()).toEqual({paths: [tree.at('a')], unreadable: [far]});
    order.add([tree.at('a\0b')]);
    // An unhandled rejection would end the test.
    await setImmediate();
    await expect(order.list()).rejects.toMatchObject({code: 'ERR_INVALID_ARG_VALUE'});
  });
});
