import {mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {expect, test} from '@jest/globals';
import {findFilterFault} from '@gemini-kernel/kernel/host';
import {pathToFileURL} from 'node:url';
import {join} from 'node:path';
import {checkout} from '../helpers/plugin-root.js';

const {compileFilter} = (await import(
  pathToFileURL(join(checkout, 'kernel/dist/hooks/filter.js')).href
)) as typeof import('../../kernel/src/hooks/filter.js');

const nowhere = {variables: {}, temporary: '/no such folder'};
const path = (value: string) => ({touches: [{kind: 'path', value, access: 'read'} as const]});

test.each<[string, string, boolean]>([
  ['/p/a.js', '/p/a.js', true],
  ['/p/*.js', '/p/a.js', true],
  ['/p/*.js', '/p/q/a.js', false],
  ['/p/*', '/p/', true],
  ['/p/**', '/p/q/a.js', true],
  ['**', '/anything/at/all', true],
  ['/p/**/a.js', '/p/a.js', true],
  ['/p/**/a.js', '/p/q/r/a.js', true],
  ['/p/**/a.js', '/p/qa.js', false],
  ['**/.git/**', '/p/.git/config', true],
  ['**/.git/**', '/p/x.git/config', false],
  ['/**/src/*.ts', '/a/src/b/src/c.ts', true],
  ['/p/?.js', '/p/a.js', true],
  ['/p/?', '/p//', false],
  ['/p/{a,b}.js', '/p/b.js', true],
  ['/{p,q}/{a,b/{c,d}}', '/q/b/d', true],
  ['/{p,q}/{a,b/{c,d}}', '/q/b/e', false],
  ['/p/a+(b).js', '/p/a+(b).js', true],
  ['/p/a.js', '/p/aXjs', false],
])('the path glob %s and %s: %s', (glob, value, expected) =>
  expect(compileFilter({path: glob})(path(value), nowhere)).toBe(expected),
);

test.each<[string, string, boolean]>([
  ['mcp_*_search', 'mcp_docs_search', true],
  ['read_*', 'read_file', true],
  ['read_*', 'spread_file', false],
  ['*', 'anything', true],
  ['{glob,grep_*}', 'grep_search', true],
])('the tool pattern %s and %s: %s', (pattern, tool, expected) =>
  expect(compileFilter({tool: pattern})({tool}, nowhere)).toBe(expected),
);

test('no pattern makes a long path slow', () => {
  const started = performance.now();
  const long = `/${'a/'.repeat(2000)}${'a'.repeat(2000)}b`;
  expect(
    ['**/'.repeat(30) + 'c', `/${'a*'.repeat(200)}c`, '**a'.repeat(100) + 'c'].map((glob) =>
      compileFilter({path: glob})(path(long), nowhere),
    ),
  ).toEqual([false, false, false]);
  expect(performance.now() - started).toBeLessThan(2000);
});

test('a listener can wait for a variable, or for something in a folder below the temporary one [filters.present]', async () => {
  const temporary = await mkdtemp(join(tmpdir(), 'gemini-filter-'));
  const isMet = (...present: readonly string[]): boolean =>
    compileFilter({present})({}, {variables: {PORT: '1', EMPTY: ''}, temporary});
  try {
    await mkdir(join(temporary, 'some', 'thing'), {recursive: true});
    expect([
      isMet('$PORT'),
      isMet('$EMPTY'),
      isMet('$OTHER'),
      isMet('$OTHER', '$PORT'),
      isMet('tmp/some'),
      isMet('tmp/some/thing'),
      isMet('tmp/nothing'),
    ]).toEqual([true, false, false, true, true, false, false]);
    await writeFile(join(temporary, 'some', 'thing', 'new'), '');
    expect(isMet('tmp/some/thing')).toBe(true);
  } finally {
    await rm(temporary, {recursive: true});
  }
});

test.each([['PORT'], ['tmp'], ['/etc'], ['tmp/../etc'], ['$']])(
  '%s is neither a variable nor a folder below the temporary one',
  (one) => {
    expect(findFilterFault({present: [one]}, [])).toBe(
      `"${one}" is neither a variable ($NAME) nor a folder below the temporary one (tmp/name)`,
    );
  },
);
