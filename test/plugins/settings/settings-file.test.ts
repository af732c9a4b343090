import {mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from '@jest/globals';
import fc from 'fast-check';
import {parseSettings, readSettings} from '#plugins/settings/dist/settings-file.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'settings-file-'));
});
afterAll(() => rm(folder, {recursive: true, force: true}));

test.each<[string, string, unknown]>([
  ['comments of both kinds', '// a\n{"a": 1, /* b */ "b": 2 // c\n}\n/* d */', {a: 1, b: 2}],
  ['comment signs inside strings', '{"url": "http://x/*y*/", "q": "\\"//"}', {url: 'http://x/*y*/', q: '"//'}],
  ['a byte order mark', '\uFEFF{"a": 1}', {a: 1}],
  ['line ends of Windows after a comment', '{// a\r\n"a": 1}', {a: 1}],
])('reads %s', async (_, text, expected) => {
  expect(await parseSettings('file', text)).toEqual(expected);
});

describe('a broken file', () => {
  test.each<[string, string | Buffer, {line: number; column: number; reason: string}]>([
    [
      'a trailing comma in an object',
      '{\n  "a": 1,\n}',
      {line: 3, column: 1, reason: 'a key in double quotes is missing (JSON has no trailing commas)'},
    ],
    [
      'a trailing comma in a list',
      '{"a": [1,]}',
      {line: 1, column: 10, reason: 'a value is missing (JSON has no trailing commas)'},
    ],
    ['a missing comma', '{\n  "a": 1\n  "b": 2\n}', {line: 3, column: 3, reason: 'a comma is missing'}],
    ['a missing colon', '{"a" 1}', {line: 1, column: 6, reason: 'a colon is missing'}],
    ['a missing value', '{"a": }', {line: 1, column: 7, reason: 'a value is missing (JSON has no trailing commas)'}],
    ['a missing brace', '{"a": {"b": 1}', {line: 1, column: 15, reason: 'a closing } is missing'}],
    ['a key without quotes', '{\n  a: 1}', {line: 2, column: 3, reason: 'this is not JSON'}],
    ['single quotes', "{'a': 1}", {line: 1, column: 2, reason: 'this is not JSON'}],
    ['text after the end', '{}\n}', {line: 2, column: 1, reason: 'nothing may follow the closing }'}],
    ['a comment without an end', '{"a": 1} /* x', {line: 1, column: 10, reason: 'this comment has no end'}],
    ['a string without an end', '{"a": "x\n}', {line: 1, column: 7, reason: 'this string has no end'}],
    [
      'a Windows path',
      '{"a": "C:\\dir"}',
      {line: 1, column: 7, reason: 'this is not an escape; write \\\\ for a backslash'},
    ],
    ['a break after a byte order mark', '\uFEFF{a}', {line: 1, column: 2, reason: 'this is not JSON'}],
    [
      'a break after lines of Windows',
      '{\r\n"a": 1,\r\n}',
      {line: 3, column: 1, reason: 'a key in double quotes is missing (JSON has no trailing commas)'},
    ],
    ['a list', '[1]', {line: 1, column: 1, reason: 'settings must be an object in { }'}],
    ['a text', '\n "x"', {line: 2, column: 2, reason: 'settings must be an object in { }'}],
    ['null', 'null', {line: 1, column: 1, reason: 'settings must be an object in { }'}],
    ['nothing', '', {line: 1, column: 1, reason: 'the file is empty; {} would be empty settings'}],
    ['blanks only', ' \n', {line: 1, column: 1, reason: 'the file is empty; {} would be empty settings'}],
    [
      'another encoding',
      Buffer.from('{\n"a": "\xe4"}', 'latin1'),
      {line: 2, column: 7, reason: 'the text is not UTF-8'},
    ],
  ])('with %s is named with line and column', async (_, text, {line, column, reason}) => {
    const path = join(folder, 'broken.json');
    await writeFile(path, text);
    await expect(readSettings(path)).rejects.toMatchObject({
      code: 'SETTINGS_BROKEN',
      message: `${path} is broken at line ${line}, column ${column}: ${reason}.`,
      data: {file: path, line, column, reason},
    });
  });

  test('is either read or named with a place inside it, whatever is cut out of it', async () => {
    const text = '{\n  // one\n  "a": [1, -2.5e3, true, null], /* two */\n  "b": {"c": "\\u00e4\\n", "d": {}}\n}\n';
    await fc.assert(
      fc.asyncProperty(
        fc.nat(text.length),
        fc.nat(6),
        fc.constantFrom('', '"', '{', ',', '\\', '\u0007', '/*', '01', '\u00a0'),
        async (start, length, inserted) => {
          const cut = text.slice(0, start) + inserted + text.slice(start + length);
          const outcome = await parseSettings('file', cut).catch((error: unknown) => error);
          if (!(outcome instanceof Error)) return;
          const {line, column} = (outcome as unknown as {data: {line: number; column: number}}).data;
          const lines = cut.split('\n');
          expect([
            line >= 1 && line <= lines.length,
            column >= 1 && column <= (lines[line - 1]?.length ?? 0) + 1,
          ]).toEqual([true, true]);
        },
      ),
      {numRuns: 500},
    );
  });
});

test('a directory in place of the file cannot be read', async () => {
  const path = join(folder, 'directory.json');
  await mkdir(path);
  await expect(readSettings(path)).rejects.toMatchObject({
    code: 'SETTINGS_UNREADABLE',
    message: `Cannot read ${path}: it is a directory, not a file.`,
  });
});

test('a missing file is no error', async () => {
  expect(await readSettings(join(folder, 'missing.json'))).toBeUndefined();
});

test('a file in place of the directory is a missing file', async () => {
  await writeFile(join(folder, 'file'), '');
  expect(await readSettings(join(folder, 'file', 'settings.json'))).toBeUndefined();
});
