import {expect, test} from '@jest/globals';
import {pathToFileURL} from 'node:url';
import {join} from 'node:path';
import {checkout} from '../helpers/plugin-root.js';

const {compileFilter} = (await import(pathToFileURL(join(checkout, 'kernel/dist/filter.js')).href)) as typeof import('../../kernel/src/filter.js');

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
])('the path glob %s and %s: %s', (glob, value, expected) => expect(compileFilter({path: glob})(path(value))).toBe(expected));

test.each<[string, string, boolean]>([
  ['mcp_*_search', 'mcp_docs_search', true],
  ['read_*', 'read_file', true],
  ['read_*', 'spread_file', false],
  ['*', 'anything', true],
  ['{glob,grep_*}', 'grep_search', true],
])('the tool pattern %s and %s: %s', (pattern, tool, expected) => expect(compileFilter({tool: pattern})({tool})).toBe(expected));

test('no pattern makes a long path slow', () => {
  const started = performance.now();
  const long = `/${'a/'.repeat(2000)}${'a'.repeat(2000)}b`;
  expect(['**/'.repeat(30) + 'c', `/${'a*'.repeat(200)}c`, '**a'.repeat(100) + 'c'].map((glob) => compileFilter({path: glob})(path(long)))).toEqual([false, false, false]);
  expect(performance.now() - started).toBeLessThan(2000);
});
