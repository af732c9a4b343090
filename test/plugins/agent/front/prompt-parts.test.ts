import {readFile, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from '@jest/globals';
import {createTestKernel, type TestKernel} from '@gemini-kernel/kernel/testing';
import type {Files, FoundPath} from '@gemini-kernel/plugin-search/contract';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import type {FilePlaces} from '#plugins/agent/dist/front/find-files.js';
import {makeFolder} from '../../../helpers/make-plugin.js';
import {pluginRoot} from '../../../helpers/plugin-root.js';
import {readTyped, splitWords} from '#kernel/terminal/dist/slash-words.js';
import {findCompletion, chooseCompletion} from '#plugins/agent/dist/front/complete.js';
import type {Entry, Seat} from '#plugins/agent/dist/contract.js';
import type {Speaker} from '#plugins/agent/dist/front/speaker.js';
import {copyAnswer, programsFor, textToCopy} from '#plugins/agent/dist/front/own/copy.js';
import {findCommand} from '#plugins/agent/dist/front/own/commands.js';
import {PromptHistory} from '#kernel/terminal/dist/prompt-history.js';
import {previewLines} from '#plugins/agent/dist/front/preview-text.js';
import {describeCall, describeTime, shorten} from '#plugins/agent/dist/front/describe.js';
import {Graphemes} from '#kernel/terminal/dist/graphemes.js';

const plain = (_: string, text: string): string => text;
const drawn = {paint: plain, graphemes: new Graphemes()};
const commands = ['directory add', 'directory show', 'model', 'memory list', 'hooks list', 'help'].map((words) => ({
  words: words.split(' '),
  summary: '',
}));

describe('a line that was typed', () => {
  test.each([
    ['hello', {kind: 'prompt', text: 'hello'}],
    ['/model x', {kind: 'slash', words: ['model', 'x']}],
    ['  /help  ', {kind: 'slash', words: ['help']}],
    ['//model is a command', {kind: 'prompt', text: '/model is a command'}],
    ['/home/me/x.ts is broken', {kind: 'prompt', text: '/home/me/x.ts is broken'}],
    ['/directory add /home/me', {kind: 'slash', words: ['directory', 'add', '/home/me']}],
    ['/ alone', {kind: 'prompt', text: '/ alone'}],
    ['!ls', {kind: 'shell', text: 'ls'}],
  ])('%j', (text, typed) => {
    expect(readTyped(text)).toEqual(typed);
  });

  test.each([
    ['a \'b c\' "d e"', ['a', 'b c', 'd e']],
    ['a\\ b c', ['a b', 'c']],
    ['\'a\\b\' "a\\"b\\c"', ['a\\b', 'a"b\\c']],
    ['"" x', ['', 'x']],
    ['"open end', ['open end']],
    ['end\\', ['end\\']],
  ])('the words of %s', (text, words) => {
    expect(splitWords(text)).toEqual(words);
  });
});

test.each([
  [['directory', 'add', 'x'], {words: ['directory', 'add'], summary: ''}],
  [['hooks'], {words: ['hooks', 'list'], summary: ''}],
  [['hooks', 'x'], {sentence: '/hooks x is incomplete.', hint: 'Subcommands: /hooks list.'}],
  [['directory'], {sentence: '/directory is incomplete.', hint: 'Subcommands: /directory add, /directory show.'}],
  [['modle', 'x'], {sentence: 'There is no command /modle.', hint: 'Did you mean /model?'}],
  [
    ['qqqqqqqqqq'],
    {
      sentence: 'There is no command /qqqqqqqqqq.',
      hint: 'Type /help for the commands. To send a prompt that starts with /, start it with //.',
    },
  ],
])('/%j', (words, found) => {
  expect(findCommand(words, commands)).toEqual(found);
});

/** The commands, and one of a source that takes a branch. */
const known = {
  list: async () => [...commands, {words: ['git:commit'], summary: '', isSourced: true}],
  complete: async (line: string) =>
    line.startsWith('/git:commit ')
      ? {typed: line.slice(12), candidates: ['main', 'make'].filter((one) => one.startsWith(line.slice(12)))}
      : undefined,
};

describe('completion', () => {
  const files = Object.fromEntries(
    [
      '.gitignore',
      'alpha.txt',
      'alto/in side.txt',
      'deep/alone.ts',
      'same-one',
      'same-two',
      'ignored.log',
      '.hidden',
      '.git/alien',
    ].map((name) => [name, name === '.gitignore' ? '*.log\n' : '']),
  );
  let kernel: TestKernel;
  let places: FilePlaces;
  beforeAll(async () => {
    kernel = await createTestKernel({plugins: ['settings', 'workspace', 'search'].map(pluginRoot), files});
    const [workspace, finder] = await Promise.all([kernel.service('workspace'), kernel.service('files')]);
    places = {
      cwd: kernel.project,
      home: kernel.home,
      finder: async () => finder,
      ignored: (paths) => workspace.ignored(paths),
    };
  });
  afterAll(() => kernel.close());

  const complete = async (before: string, where: FilePlaces): Promise<readonly [string, readonly string[]]> => {
    const completion = await findCompletion(before, known, where, {signal: new AbortController().signal});
    const inserted = chooseCompletion(completion);
    return [before.slice(0, completion.from) + inserted, inserted === completion.typed ? completion.candidates : []];
  };

  test.each([
    ['/mo', '/model '],
    ['/m', '/m', ['memory', 'model']],
    ['/dir', '/directory '],
    ['/git:c', '/git:commit '],
    ['/git:commit ma', '/git:commit ma', ['main', 'make']],
    ['/git:commit mak', '/git:commit make '],
    ['/directory ', '/directory ', ['add', 'show']],
    ['/directory add al', '/directory add al', ['alpha.txt', 'alto/']],
    ['/directory add alp', '/directory add alpha.txt '],
    ['/directory add alto/', '/directory add alto/in\\ side.txt '],
    ['see @al', 'see @al', ['alto/', 'alpha.txt', 'deep/alone.ts']],
    ['see @alt', 'see @alto/'],
    ['see @alto/in', 'see @alto/in\\ side.txt '],
    ['see @alto/in\\ s', 'see @alto/in\\ side.txt '],
    ['see @./al', 'see @./al', ['./alpha.txt', './alto/']],
    ['see @side', 'see @alto/in\\ side.txt '],
    ['see @dpal', 'see @deep/alone.ts '],
    ['see @de/al', 'see @deep/alone.ts '],
    ['see @SAME', 'see @SAME', ['same-one', 'same-two']],
    ['see @same', 'see @same-'],
    ['see @ignored', 'see @ignored'],
    ['see @.hid', 'see @.hidden '],
    ['see @alien', 'see @alien'],
    ['mail a\\@al', 'mail a\\@al'],
    ['nothing', 'nothing'],
  ])('%j becomes %j', async (before, after, listed: readonly string[] = []) => {
    expect(await complete(before, places)).toEqual([after, listed]);
  });

  test.each([
    ['see @al', 'see @al', ['alpha.txt', 'alto/']],
    ['see @alto/in', 'see @alto/in\\ side.txt '],
    ['see @side', 'see @side'],
    ['see @de/al', 'see @de/al'],
    ['see @.hid', 'see @.hidden '],
  ])('where nothing finds files, %j becomes %j', async (before, after, listed: readonly string[] = []) => {
    expect(await complete(before, {...places, finder: async () => undefined})).toEqual([after, listed]);
  });

  test('a path in another directory of the workspace is whole', async () => {
    await using folder = await makeFolder();
    await writeFile(join(folder.path, 'elsewhere.ts'), '');
    await using own = await createTestKernel({
      plugins: ['settings', 'workspace', 'search'].map(pluginRoot),
      flags: {'context.includeDirectories': [folder.path]},
    });
    const finder = await own.service('files');
    const [root = ''] = (await (await own.service('workspace')).roots()).map(({path}) => path).slice(1);
    expect(await complete('@elsewh', {...places, cwd: own.project, finder: async () => finder})).toEqual([
      `@${root}/elsewhere.ts `,
      [],
    ]);
  });

  test('results so far are reported, by the inserted names', async () => {
    const found = (name: string, isDirectory = false): FoundPath => ({
      path: join(kernel.project, name),
      root: kernel.project,
      isDirectory,
    });
    const told: (readonly string[])[] = [];
    const finder: Files = {
      find: async (_, {update} = {}) => {
        update?.([found('deep/alone.ts')]);
        update?.([found('alto', true), found('deep/alone.ts'), found('deep/final.ts')]);
        return [found('alto', true)];
      },
    };
    const {candidates} = await findCompletion(
      '@al',
      known,
      {...places, finder: async () => finder},
      {signal: new AbortController().signal, update: (names) => told.push(names)},
    );
    expect([told, candidates]).toEqual([[['deep/alone.ts'], ['alto/', 'deep/alone.ts']], ['alto/']]);
  });

  test('another key ends a running search', async () => {
    const stop = new AbortController();
    const finder = async (): Promise<Files> => {
      stop.abort(new Error('stopped'));
      return kernel.service('files');
    };
    await expect(findCompletion('@x', known, {...places, finder}, {signal: stop.signal})).rejects.toThrow('stopped');
  });
});

describe('the history', () => {
  const clean = async (text: string): Promise<string> => text.replaceAll('s3cret', '[redacted]');

  test('is kept line by line for its owner only, without secrets, repetitions and what begins with a space', async () => {
    await using folder = await makeFolder();
    const path = join(folder.path, 'console_history');
    const history = await PromptHistory.open(path, clean);
    for (const text of ['one', 'one', 'two\nlines', ' private', 'with s3cret', 'x'.repeat(20_000)])
      await history.add(text);
    expect(history.entries.slice(0, 4)).toEqual(['one', 'two\nlines', ' private', 'with s3cret']);
    expect((await PromptHistory.open(path, clean)).entries).toEqual(['one', 'two\nlines', 'with [redacted]']);
    if (process.platform !== 'win32') expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  test('continues after an incomplete line', async () => {
    await using folder = await makeFolder();
    const path = join(folder.path, 'console_history');
    await writeFile(path, '"one"\n"tw');
    const history = await PromptHistory.open(path, clean);
    await history.add('three');
    await history.add('four');
    expect((await PromptHistory.open(path, clean)).entries).toEqual(['one', 'three', 'four']);
  });

  test('is read up to a line that was cut off, and shortened when it is long', async () => {
    await using folder = await makeFolder();
    const path = join(folder.path, 'console_history');
    await writeFile(path, `${Array.from({length: 2500}, (_, index) => JSON.stringify(`p${index}`)).join('\n')}\n"cut`);
    const {entries} = await PromptHistory.open(path, clean);
    expect([entries.length, entries[0], entries.at(-1), (await readFile(path, 'utf8')).split('\n').length]).toEqual([
      1000,
      'p1500',
      'p2499',
      1001,
    ]);
  });
});

describe('what is shown', () => {
  test('a diff has the numbers of its lines, and nothing of it is obeyed', () => {
    const diff =
      '--- a\n+++ b\n@@ -9,3 +9,3 @@\n same\n-old\u001b[2J\n+new\n end\n@@ -30 +30 @@\n-x\n\\ No newline at end ' +
      'of file\n+y\n';
    const preview = {kind: 'diff', path: 'a', before: '', after: '', diff} as const;
    expect(previewLines(preview, {input: {}, touches: []}, drawn)).toEqual([
      'a',
      ' 9   same',
      '10 - old\\u001b[2J',
      '10 + new',
      '11   end',
      '   …',
      '30 - x',
      '     No newline at end of file',
      '30 + y',
    ]);
  });

  test.each([
    [{kind: 'command', command: 'a\nb\u0007', directory: '/d'}, ['a', 'b\\u0007', 'in /d']],
    [{kind: 'urls', urls: ['https://a', 'https://b\u202e']}, ['https://a', 'https://b\\u202e']],
    [{kind: 'text', text: 'x\ny\n'}, ['x', 'y']],
    [undefined, ['write path /p']],
  ] as const)('a preview: %j', (preview, lines) => {
    expect(previewLines(preview, {input: {}, touches: [{kind: 'path', access: 'write', value: '/p'}]}, drawn)).toEqual(
      lines,
    );
  });

  test('a call is named with what it is about', () => {
    const graphemes = new Graphemes();
    expect([
      describeCall('run_shell_command', {description: 'd', command: 'npm\ntest'}, graphemes),
      describeCall('read_file', {file_path: `/${'日'.repeat(50)}`}, graphemes),
      describeCall('mcp_x', {other: 'value'}, graphemes),
      describeCall('evil\u001b[0m', 7, graphemes),
    ]).toEqual(['run_shell_command npm test', `read_file /${'日'.repeat(29)}…`, 'mcp_x value', 'evil\\u001b[0m']);
  });

  test('times and long outputs are short', () => {
    expect([12.4, 1234, 12_345, 125_000].map(describeTime)).toEqual(['12 ms', '1.2 s', '12 s', '2 min 5 s']);
    expect(shorten('abcdefghijk'.split(''))).toEqual(['a', 'b', 'c', 'd', '… 3 lines omitted …', 'h', 'i', 'j', 'k']);
    expect(shorten('abcdefghi'.split(''))).toEqual('abcdefghi'.split(''));
  });
});

describe('the clipboard', () => {
  const answered = (text: string): Entry => ({
    id: text,
    kind: 'model',
    time: '2026-11-24T00:00:00.000Z',
    message: {role: 'model', pieces: [{kind: 'text', text}]},
  });

  test.each([
    [{}, 'linux', []],
    [{DISPLAY: ':0'}, 'linux', ['xclip', 'xsel']],
    [{DISPLAY: ':0', WAYLAND_DISPLAY: 'wayland-0'}, 'linux', ['wl-copy', 'xclip', 'xsel']],
    [{DISPLAY: ':0', SSH_TTY: '/dev/pts/0'}, 'linux', []],
    [{}, 'darwin', ['pbcopy']],
    [{}, 'win32', ['clip']],
  ] as const)('with %j on %s is written by %j [tui.clipboard]', (variables, platform, names) => {
    expect(programsFor({variables, platform}).map(([name]) => name)).toEqual(names);
  });

  test('gets the last answer that has text [tui.clipboard]', () => {
    expect(textToCopy([answered('one'), answered('two\n\n'), answered(' ')], '')).toBe('two');
    expect(() => textToCopy([], '')).toThrow(expect.objectContaining({code: 'COPY_EMPTY'}));
    expect(() => textToCopy([answered('no code')], 'code')).toThrow('has no code block');
  });

  test('is not sent more than a terminal takes [tui.clipboard]', async () => {
    const seat = {
      conversation: 'c',
      conversations: {history: () => Promise.resolve([answered('x'.repeat(80_000))])},
      output: {write: () => true},
    } as unknown as Seat;
    const parts = {seat, environment: {variables: {}, platform: 'linux'} as const, speaker: {} as Speaker};
    await expect(copyAnswer('', parts)).rejects.toMatchObject({code: 'COPY_TOO_LONG'});
  });
});
