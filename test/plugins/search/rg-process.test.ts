import {chmod, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {buildTree} from './tree.js';
import {runRg} from '#plugins/search/dist/ripgrep/rg-process.js';

const PCRE = 'rg: /x/aaa.txt: PCRE2: error matching: match limit exceeded';
const unread = (path: string, code = 13): string => `rg: ${path}: Permission denied (os error ${code})`;

test.each<readonly [string, readonly string[], object]>([
  ['what could not be read', [unread('/x/b'), unread('/x/a'), unread('/x/a')], {unreadable: ['/x/a', '/x/b']}],
  ['not what has gone', [unread('/x/b', 2), unread('/x/a', 20)], {unreadable: []}],
  [
    'names with line ends',
    ['rg: /x/new', 'line: Permission denied (os error 13)', unread('/x/a')],
    {unreadable: ['/x/a', '/x/new\nline']},
  ],
  ['the form of version 13', ['/x/b: Permission denied (os error 13)'], {unreadable: ['/x/b']}],
  ['a refusal before it', [PCRE, unread('/x/a')], {refused: PCRE}],
  ['a refusal after it', [unread('/x/a'), PCRE], {refused: PCRE}],
  [
    'something else',
    ['regex parse error:', '    (', '    ^', 'error: unclosed group'],
    {refused: 'regex parse error:\n    (\n    ^\nerror: unclosed group'},
  ],
])('of what ripgrep complains about, it tells %s [search.odd-files]', async (_, complaints, expected) => {
  await using tree = await buildTree();
  const program = join(tree.path, 'rg');
  await writeFile(program, `#!/bin/sh\ncat >&2 <<'END'\n${complaints.join('\n')}\nEND\nexit 2\n`);
  await chmod(program, 0o755);
  const told = await runRg(
    {program, args: [], paths: ['/x'], directory: tree.path, signal: new AbortController().signal},
    async () => false,
  ).then(
    (unreadable) => ({unreadable}),
    (error: Error) => ({refused: error.message}),
  );
  expect(told).toEqual(expected);
});

test(
  'a program that does not start, or a directory to start in that has gone, is a refusal and ends nothing else ' +
    '[search.lost-roots]',
  async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown): void => void unhandled.push(error);
    process.on('unhandledRejection', note);
    try {
      await using tree = await buildTree();
      const {signal} = new AbortController();
      const start = {
        program: join(tree.path, 'no-rg'),
        args: [],
        paths: ['/x'],
        directory: join(tree.path, 'gone'),
        signal,
      };
      await expect(runRg(start, async () => false)).rejects.toThrow(/does not start: .*ENOENT/);
      for (const _ of [1, 2, 3]) await new Promise((done) => setImmediate(done));
      expect(unhandled).toEqual([]);
    } finally {
      process.off('unhandledRejection', note);
    }
  },
);
