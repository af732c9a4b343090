import {execFile} from 'node:child_process';
import {symlink} from 'node:fs/promises';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {afterAll, beforeAll, describe, expect, test} from '@jest/globals';
import type {TestKernel} from '@gemini-kernel/kernel/testing';
import {engineNames, openSearching} from './engines.js';
import {badPlaces, noTexts, oddGlobs, refusedGlobs, say, searchingKernel} from './searching-kernel.js';

const runaway = `needle ${'a'.repeat(60)}!\n`;

let kernel: TestKernel;
beforeAll(async () => {
  kernel = await searchingKernel({
    files: {
      'a.txt': 'needle\n',
      'sub/b.txt': 'one\nneedle\nthree\n',
      ['a'.repeat(240)]: 'needle\n',
      'run/away.md': runaway,
    },
  });
  await symlink('/', join(kernel.project, 'out'));
  await symlink('loop', join(kernel.project, 'loop'));
  await promisify(execFile)('mkfifo', [join(kernel.project, 'pipe')]);
});
afterAll(() => kernel.close());

describe('grep_search says what is wrong with its input [search.input]', () => {
  const texts = ['pattern', 'dir_path', 'include_pattern', 'exclude_pattern'];
  const counts = ['max_matches_per_file', 'total_max_matches', 'context', 'before', 'after'];
  const wrong: readonly (readonly [string, unknown])[] = [
    ['nothing at all', undefined],
    ['no object', ['needle']],
    ['no pattern', {dir_path: 'sub'}],
    ...texts.flatMap((name) =>
      noTexts.map(([what, value]) => [`${what} as ${name}`, {pattern: 'needle', [name]: value}] as const),
    ),
    ...['pattern', 'include_pattern', 'exclude_pattern'].map(
      (name) => [`a megabyte as ${name}`, {pattern: 'needle', [name]: 'x'.repeat(1 << 20)}] as const,
    ),
    ...counts.flatMap((name) =>
      [-1, 1.5, '3', null, Number.NaN, true].map(
        (value) => [`${String(value)} as ${name}`, {pattern: 'needle', [name]: value}] as const,
      ),
    ),
    ...counts.slice(0, 2).map((name) => [`zero as ${name}`, {pattern: 'needle', [name]: 0}] as const),
    ...counts.slice(2).map((name) => [`a huge number as ${name}`, {pattern: 'needle', [name]: 1e9}] as const),
    ...['names_only', 'case_sensitive', 'fixed_strings', 'no_ignore'].flatMap((name) =>
      ['true', 1, 0, null, []].map(
        (value) => [`${JSON.stringify(value)} as ${name}`, {pattern: 'needle', [name]: value}] as const,
      ),
    ),
  ];
  test.each(wrong)('%s', async (_, input) => {
    const {code, message, hint} = await say(kernel, 'grep_search', input);
    expect({code, message, hint}).toEqual({
      code: 'TOOL_INPUT_INVALID',
      message: expect.stringMatching(/^grep_search cannot take this input: input.{1,250}$/s),
      hint: expect.any(String),
    });
  });

  test.each(badPlaces)('%s as the directory', async (_, dir_path, code, message) => {
    expect(await say(kernel, 'grep_search', {pattern: 'needle', dir_path})).toEqual({
      code,
      message: expect.stringContaining(message),
      hint: expect.stringMatching(/\.$|directory add/),
    });
  });

  test.each([
    '[',
    '(',
    ')',
    '*',
    '+a',
    'a{2,1}',
    '\\',
    '(?<n>',
    '(?<=',
    '[z-a]',
    '\\k<x>(?<y>)',
    'a\0b',
    'a\nb',
    'a\ud800b',
    `${'('.repeat(4000)}${')'.repeat(4000)}`,
  ])('%j as a pattern, and as an exclude_pattern [search.pattern-position]', async (text) => {
    for (const [name, input] of [
      ['pattern', {pattern: text}],
      ['exclude_pattern', {pattern: 'needle', exclude_pattern: text}],
    ] as const) {
      expect(await say(kernel, 'grep_search', input)).toEqual({
        code: 'PATTERN_INVALID',
        message: expect.stringMatching(new RegExp(`^The ${name} ".{1,100}" cannot be read: .* at character \\d+\\.$`)),
        hint: expect.stringMatching(/\.$/),
      });
    }
  });

  test.each(refusedGlobs)('%s as an include_pattern', async (_, include_pattern, what) => {
    const said = await say(kernel, 'grep_search', {pattern: 'needle', include_pattern});
    expect(said).toEqual({
      code: 'PATTERN_INVALID',
      message: expect.stringContaining(what),
      hint: 'Use fewer stars and groups.',
    });
  });

  test.each(oddGlobs)('%s as an include_pattern fits no file, and soon', async (_, include_pattern) => {
    expect((await say(kernel, 'grep_search', {pattern: 'needle', include_pattern, no_ignore: true})).model).toBe(
      `No matches found for pattern "needle" in path "~" (filter: "${include_pattern}").`,
    );
  });

  test('numbers as large as there are mean all', async () => {
    expect(
      (
        await say(kernel, 'grep_search', {
          pattern: 'needle',
          names_only: true,
          total_max_matches: 1e300,
          max_matches_per_file: Number.MAX_SAFE_INTEGER,
        })
      ).model,
    ).toMatch(/^Found 4 files/);
  });

  test('no lines around when zero is asked for, and those that there are when a thousand are', async () => {
    const around = async (context: number) =>
      (await say(kernel, 'grep_search', {pattern: 'needle', dir_path: 'sub/b.txt', context})).model
        ?.split('\n')
        .slice(3, -1);
    expect([await around(0), await around(1000)]).toEqual([['L2: needle'], ['L1- one', 'L2: needle', 'L3- three']]);
  });

  test.each([
    '^needle (?:a?){60}b$',
    '^needle (?:a{0,40}){0,40}b$',
    `^needle ${'a?'.repeat(60)}b$`,
    `^needle ${'(a|aa)'.repeat(40)}b$`,
  ])('an exclude_pattern of %s does not stop the program either [search.cancel]', async (exclude_pattern) => {
    const stop = new AbortController();
    let turns = 0;
    const turn = setInterval(() => (turns += 1) === 20 && stop.abort(new Error('Enough.')), 50);
    const ended = await kernel
      .call('grep_search', {pattern: 'needle', exclude_pattern, dir_path: 'run'}, {signal: stop.signal})
      .catch((error: unknown) => error);
    clearInterval(turn);
    expect(ended).toMatchObject({message: 'Enough.'});
  });

  test('an exclude_pattern without an end on a line does not stop the program [search.cancel]', async () => {
    const stop = new AbortController();
    let turns = 0;
    const turn = setInterval(() => (turns += 1) === 20 && stop.abort(new Error('Enough.')), 50);
    const ended = await kernel
      .call(
        'grep_search',
        {pattern: 'needle', exclude_pattern: '^needle (a+)+$', dir_path: 'run'},
        {signal: stop.signal},
      )
      .catch((error: unknown) => error);
    clearInterval(turn);
    expect(ended).toMatchObject({message: 'Enough.'});
  });
});

describe('what is searched', () => {
  const files = {
    '.geminiignore': 'no/\n',
    'a.log': 'needle\n',
    'b.tmp': 'needle\n',
    'dist/c.js': 'needle\n',
    'no/d.txt': 'needle\n',
    'node_modules/lib/e.js': 'needle\n',
    'pkg/dist/f.js': 'needle\n',
  };

  test.each(engineNames)('with an include_pattern: %s [search.ignore]', async (engine) => {
    await using searching = await openSearching({files});
    const found = async (include_pattern: string, no_ignore = false): Promise<readonly string[]> => {
      const {model} = await searching.run(engine, 'grep_search', {
        pattern: 'needle',
        include_pattern,
        no_ignore,
        names_only: true,
      });
      return model.replaceAll(`${searching.kernel.project}/`, '').split('\n').slice(1);
    };
    expect(await found('node_modules/lib/**')).toEqual([]);
    expect(await found('node_modules/lib/**', true)).toEqual(['node_modules/lib/e.js']);
    expect(await found('dist/**')).toEqual([]);
    expect(await found('dist/**', true)).toEqual(['dist/c.js']);
    expect(await found('pkg/dist/*.js')).toEqual([]);
    expect(await found('*.log')).toEqual(['a.log']);
    expect(await found('*.tmp')).toEqual(['b.tmp']);
    expect(await found('*')).toEqual([]);
  });

  test('what is not is said', async () => {
    await using searching = await searchingKernel({files});
    expect((await say(searching, 'grep_search', {pattern: 'needle', include_pattern: 'dist/**'})).model).toBe(
      'No matches found for pattern "needle" in path "~" (filter: "dist/**"). Ignored files, dependencies and ' +
        'build output were not searched; no_ignore searches them too.',
    );
  });

  test('in a file, without regard to the include_pattern', async () => {
    const said = await say(kernel, 'grep_search', {pattern: 'needle', dir_path: 'a.txt', include_pattern: '*.md'});
    expect(said.model).toBe(
      'Found 1 match for pattern "needle" in path "~/a.txt":\n---\nFile: ~/a.txt\nL1: needle\n---',
    );
  });
});

describe('lines around matches', () => {
  test('that meet are given once, with a mark where some are left out', async () => {
    await using searching = await openSearching({
      files: {
        f: Array.from({length: 30}, (_, index) => ([3, 5, 6, 20].includes(index + 1) ? 'needle' : `${index + 1}`)).join(
          '\n',
        ),
      },
    });
    const {model} = await searching.run('javascript', 'grep_search', {pattern: 'needle', before: 1, after: 2});
    expect(model.split('\n').slice(3, -1)).toEqual([
      'L2- 2',
      'L3: needle',
      'L4- 4',
      'L5: needle',
      'L6: needle',
      'L7- 7',
      'L8- 8',
      '--',
      'L19- 19',
      'L20: needle',
      'L21- 21',
      'L22- 22',
    ]);
  });

  test('are no more than 20,000 in all, and the files without them are named', async () => {
    const far = `needle\n${'x\n'.repeat(2001)}`;
    await using searching = await openSearching({
      files: {a: far.repeat(8), b: far.repeat(3), c: 'needle\nx\n', d: 'needle\n'},
    });
    const {model} = await searching.run('javascript', 'grep_search', {pattern: 'needle', context: 1000});
    const lines = model.split('\n').filter((line) => /^L\d/.test(line)).length;
    expect({lines, note: model.split('\n').at(-1)?.replaceAll(`${searching.kernel.project}/`, '')}).toEqual({
      lines: 15_000 + 8 + 5,
      note: '(3 without the lines around the matches, because at most 20000 lines are shown: b, c, d)',
    });
  });

  test('of very many matches take little', async () => {
    await using searching = await openSearching({files: {f: 'needle\n'.repeat(200_000)}});
    const asked = {pattern: 'needle', total_max_matches: 20_000, context: 1000};
    const {model} = await searching.run('bundled ripgrep', 'grep_search', asked);
    expect(model.split('\n').length).toBe(20_000 + 5);
  });
});
