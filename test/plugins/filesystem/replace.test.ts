import {readFile, truncate, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {pluginRoot} from '../../helpers/plugin-root.js';
import {filesystemKernel, outcome} from './built.js';
import type {Preview} from '@gemini-kernel/kernel';
import type {TestKernel} from '@gemini-kernel/kernel/testing';

const edit = (old_string: string, new_string: string, more: object = {}): object => ({
  file_path: 'a.txt',
  instruction: 'test',
  old_string,
  new_string,
  ...more,
});

/** What a person would be shown. */
async function previewOf(kernel: TestKernel, tool: string, input: unknown): Promise<Preview | undefined> {
  let shown: Preview | undefined;
  await kernel.session.call(
    {tool, input},
    {
      confirm: async ({preview}) => {
        shown = preview;
        return {decision: 'no'};
      },
    },
  );
  return shown;
}

describe('a change that the person edited before saying yes [calls.text-edited]', () => {
  test.each([
    ['replace', edit('two', 'TWO'), '1 one\r\n2 two\r\n3 three', '1 one\r\n2 zwei\r\nnoch eins\r\n3 three'],
    ['replace, of a file with a mark of its encoding', edit('two', 'TWO'), '\uFEFFtwo\n', '\uFEFFzwei\n'],
    ['write_file', {file_path: 'a.txt', content: 'new'}, 'old\n', 'mine\n'],
    ['replace, of a new file', {...edit('', 'new'), file_path: 'b.txt'}, undefined, 'mine'],
    ['write_file, of a new file', {file_path: 'b.txt', content: 'new'}, undefined, 'mine'],
    ['replace, to nothing', edit('two', 'TWO'), 'two', ''],
  ])('by %s leaves exactly that text', async (name, input, before, after) => {
    await using kernel = await filesystemKernel({files: before === undefined ? {} : {'a.txt': before}});
    const tool = name.split(',')[0] ?? '';
    const end = await kernel.session.call(
      {tool, input},
      {confirm: () => Promise.resolve({decision: 'yes', text: after.replace('\uFEFF', '')})},
    );
    expect(end).toMatchObject({status: 'done', confirmed: 'edited'});
    expect(await readFile(join(kernel.project, before === undefined ? 'b.txt' : 'a.txt'), 'utf8')).toBe(after);
  });
});

describe('replace', () => {
  test('says what it replaced, how it found it and where', async () => {
    await using kernel = await filesystemKernel({files: {'a.txt': '1\n2\n3\n4\n5\n6\n  seven\n8\n'}});
    expect(await outcome(kernel, 'replace', edit('seven \n', 'SEVEN\nand more\n'))).toEqual({
      model:
        'Modified the file <project>/a.txt: 1 replacement by flexible match at line(s) 7-8. Here is the updated ' +
        'code:\n2\n3\n4\n5\n6\n  SEVEN\n  and more\n8',
      display: '+2 -1 (flexible match)',
      data: {
        path: '<project>/a.txt',
        created: false,
        bytes: 33,
        linesAdded: 2,
        linesRemoved: 1,
        strategy: 'flexible',
        places: [{first: 7, last: 8}],
      },
    });
  });

  test('changes several places when told to, and shows each with what is around it', async () => {
    const lines = Array.from({length: 30}, (_, index) => (index % 20 === 4 ? 'old' : `${index + 1}`));
    await using kernel = await filesystemKernel({files: {'a.txt': `${lines.join('\n')}\n`}});
    expect(await outcome(kernel, 'replace', edit('old', 'new', {allow_multiple: true}))).toMatchObject({
      model:
        'Modified the file <project>/a.txt: 2 replacements by exact match at line(s) 5, 25. Here is the updated ' +
        'code:\n' +
        '1\n2\n3\n4\nnew\n6\n7\n8\n9\n10\n...\n20\n21\n22\n23\n24\nnew\n26\n27\n28\n29\n30',
    });
    expect(await readFile(join(kernel.project, 'a.txt'), 'utf8')).toBe(
      `${lines.join('\n')}\n`.replaceAll('old', 'new'),
    );
  });

  test('creates a file when old_string is empty', async () => {
    await using kernel = await filesystemKernel();
    expect(await outcome(kernel, 'replace', {...edit('', 'one\ntwo\n'), file_path: 'new/a.txt'})).toEqual({
      model: 'Created the new file <project>/new/a.txt with the given content.',
      display: 'created, +2',
      data: {path: '<project>/new/a.txt', created: true, bytes: 8, linesAdded: 2, linesRemoved: 0},
    });
    expect(await readFile(join(kernel.project, 'new/a.txt'), 'utf8')).toBe('one\ntwo\n');
  });

  test('cuts a long piece of what it shows', async () => {
    await using kernel = await filesystemKernel({files: {'a.txt': 'old\n'}});
    const {model} = (await outcome(kernel, 'replace', edit('old', 'new\n'.repeat(500)))) as {model: string};
    expect([model.split('\n').length, model.endsWith('\n... (the rest of the change is not shown)')]).toEqual([
      122,
      true,
    ]);
  });

  test.each([
    [
      'a file that is not there',
      {...edit('a', 'b'), file_path: 'no/a.txt'},
      {
        code: 'FILE_MISSING',
        message: 'Cannot edit <project>/no/a.txt: it does not exist.',
        hint: 'Check the path, or use an empty old_string to create the file.',
      },
    ],
    [
      'a file that is not there in a directory that is',
      {...edit('a', 'b'), file_path: 'b.txt'},
      {
        code: 'FILE_MISSING',
        message: 'Cannot edit <project>/b.txt: it does not exist.',
        hint: 'Check the path, or use an empty old_string to create the file.',
      },
    ],
    [
      'to create a file that exists',
      edit('', 'x'),
      {
        code: 'FILE_EXISTS',
        message: '<project>/a.txt exists, so it cannot be created.',
        hint: 'Set old_string to the text to replace, or use write_file to replace the whole content.',
      },
    ],
    [
      'to search for white space',
      edit(' \n', 'x'),
      {
        code: 'EDIT_SEARCH_BLANK',
        message: 'old_string contains only white space, which does not identify a place in a file.',
        hint: 'Add the lines around it. To create a new file, use an empty old_string.',
      },
    ],
    ['to change nothing', edit('one', 'one'), expect.objectContaining({code: 'EDIT_NO_CHANGE'})],
    [
      'a placeholder for code',
      edit('one', '// rest of code ...'),
      {
        code: 'TEXT_ABBREVIATED',
        message: 'new_string for <project>/a.txt has the line "// rest of code ..." in place of the code itself.',
        hint: 'Give the complete new text.',
      },
    ],
    [
      'what fits several places',
      edit('o', 'x'),
      {
        code: 'EDIT_AMBIGUOUS',
        message: 'Expected 1 occurrence of old_string in <project>/a.txt but found 2 (exact match), at lines 1, 2.',
        hint:
          'Add lines around it to old_string until it matches only one place, or set allow_multiple to change ' +
          'them all.',
      },
    ],
    [
      'what fits nowhere',
      edit('three', 'x'),
      {
        code: 'EDIT_NOT_FOUND',
        message: 'Found 0 occurrences of old_string in <project>/a.txt.',
        hint: 'Read the file with read_file and copy old_string from it, white space included.',
      },
    ],
    ['a directory', {...edit('a', 'b'), file_path: '.'}, expect.objectContaining({code: 'FILE_IS_DIRECTORY'})],
    [
      'no instruction',
      {file_path: 'a.txt', old_string: 'a', new_string: 'b'},
      expect.objectContaining({code: 'TOOL_INPUT_INVALID'}),
    ],
  ])('refuses %s', async (_, input, expected) => {
    await using kernel = await filesystemKernel({files: {'a.txt': 'one\ntwo\n'}});
    expect(await outcome(kernel, 'replace', input)).toEqual(expected);
    expect(await readFile(join(kernel.project, 'a.txt'), 'utf8')).toBe('one\ntwo\n');
  });

  test('takes a placeholder that already stands in the file', async () => {
    await using kernel = await filesystemKernel({files: {'a.txt': '// rest of code ...\n'}});
    expect(
      await outcome(kernel, 'replace', edit('// rest of code ...\n', 'a();\n// rest of code ...\n')),
    ).toMatchObject({display: '+2 -1'});
  });

  test('edits a file over 20 MB by its exact text, and says what works where that is not there [files.large-edits]', async () => {
    await using kernel = await filesystemKernel();
    const path = join(kernel.project, 'a.txt');
    const filler = 'x'.repeat(1023) + '\n';
    await writeFile(path, `${filler.repeat(11 * 1024)}the needle\n${filler.repeat(10 * 1024)}`);
    expect(await outcome(kernel, 'replace', edit('the needle', 'found'))).toMatchObject({
      display: '+1 -1',
      data: {places: [{first: 11 * 1024 + 1, last: 11 * 1024 + 1}]},
    });
    expect((await readFile(path, 'utf8')).slice(11 * 1024 * 1024, 11 * 1024 * 1024 + 6)).toBe('found\n');
    expect(await outcome(kernel, 'replace', edit('the  needle', 'y'))).toMatchObject({
      code: 'FILE_TOO_LARGE',
      message:
        '<project>/a.txt is 21 MB. Above 20 MB replace looks only for the exact bytes of old_string in ' +
        'UTF-8, and they are not in it.',
      hint:
        'Copy old_string from the file with read_file, start_line and end_line. If lines end with CRLF, use ' +
        'a part of one line.',
    });
    expect(await outcome(kernel, 'replace', {...edit('x', 'y'), allow_multiple: true})).toMatchObject({
      code: 'EDIT_AMBIGUOUS',
      message: 'old_string is found more than 200000 times in <project>/a.txt.',
    });
  });

  test('refuses a file over 256 MB, and names what can change it [files.large-edits]', async () => {
    await using kernel = await filesystemKernel({files: {'a.txt': 'x'}});
    // It takes no room on the disk.
    await truncate(join(kernel.project, 'a.txt'), 256 * 1024 * 1024 + 1);
    expect(await outcome(kernel, 'replace', edit('x', 'y'))).toMatchObject({
      code: 'FILE_TOO_LARGE',
      message: '<project>/a.txt is 256 MB; replace edits files of at most 256 MB.',
      hint: 'Change it with a program that reads it in pieces: run_shell_command with sed, perl or a script.',
    });
  });

  test('quotes the file in an error only after the session has read it', async () => {
    await using kernel = await filesystemKernel({files: {'a.txt': 'const total = 1;\n'}});
    const wrong = edit('const totals = 42;', 'x');
    expect(await outcome(kernel, 'replace', wrong)).toMatchObject({
      message: 'Found 0 occurrences of old_string in <project>/a.txt.',
    });
    await kernel.call('read_file', {file_path: 'a.txt'});
    expect(await outcome(kernel, 'replace', wrong)).toMatchObject({
      message:
        'Found 0 occurrences of old_string in <project>/a.txt. The nearest lines are:\n  line 1: const total = 1;',
    });
  });
});

describe('what a person is shown before', () => {
  test('an edit is a unified diff [files.preview]', async () => {
    await using kernel = await filesystemKernel({files: {'a.txt': 'one\ntwo\n'}});
    const path = join(kernel.project, 'a.txt');
    expect(await previewOf(kernel, 'replace', edit('two', '2'))).toEqual({
      kind: 'diff',
      path,
      before: 'one\ntwo\n',
      after: 'one\n2\n',
      diff: `--- ${path}\n+++ ${path}\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n`,
    });
  });

  test('a new file is a diff against nothing', async () => {
    await using kernel = await filesystemKernel();
    const path = join(kernel.project, 'a.txt');
    const diff = `--- /dev/null\n+++ ${path}\n@@ -0,0 +1,1 @@\n+x\n`;
    const expected = {kind: 'diff', path, before: '', after: 'x\n', diff};
    expect(await previewOf(kernel, 'write_file', {file_path: 'a.txt', content: 'x\n'})).toEqual(expected);
    expect(await previewOf(kernel, 'replace', edit('', 'x\n'))).toEqual(expected);
  });

  test('a large edit is its place and its text', async () => {
    await using kernel = await filesystemKernel({files: {'a.txt': `${'x\n'.repeat(1024 * 1024)}two\n`}});
    expect(await previewOf(kernel, 'replace', edit('two', 'one\n2'))).toEqual({
      kind: 'text',
      text:
        `${join(kernel.project, 'a.txt')}: 1 replacement by exact match at line(s) ` +
        `1048577-1048578.\n-two\n+one\n+2`,
    });
  });

  test('a large rewrite is a count of its lines', async () => {
    await using kernel = await filesystemKernel({files: {'a.txt': 'x\n'.repeat(1024 * 1024)}});
    expect(
      await previewOf(kernel, 'write_file', {file_path: 'a.txt', content: `y\n${'x\n'.repeat(1024 * 1024)}`}),
    ).toEqual({
      kind: 'text',
      text:
        `${join(kernel.project, 'a.txt')}: 0 lines removed, 1 lines added (lines 1-4). The change is too ` +
        'large to show line by line.',
    });
  });

  test('two texts with nothing in common are one block out and one block in, at once', async () => {
    const lines = (word: string): string => Array.from({length: 20_000}, (_, index) => `${word} ${index}\n`).join('');
    await using kernel = await filesystemKernel({files: {'a.txt': `same\n${lines('old')}end`}});
    const path = join(kernel.project, 'a.txt');
    const block = (mark: string, word: string): string => lines(word).replaceAll(/^(?=.)/gm, mark);
    expect(
      await previewOf(kernel, 'write_file', {file_path: 'a.txt', content: `same\n${lines('new')}end`}),
    ).toMatchObject({
      kind: 'diff',
      diff:
        `--- ${path}\n+++ ${path}\n@@ -1,20002 +1,20002 @@\n same\n${block('-', 'old')}${block('+', 'new')} end\n\\ ` +
        `No newline at end of file\n`,
    });
  });
});

test('the plugin loads with only what it requires, and nothing of it outlives the session [files.nothing-left]', async () => {
  const kernel = await filesystemKernel({files: {'a.txt': 'one\n'}});
  await kernel.call('replace', edit('one', 'two'));
  const files = await kernel.service('versions');
  expect(await files.recall(join(kernel.project, 'a.txt'))).toEqual({
    stamp: expect.stringMatching(/^\d+(:\d+){4}$/),
    sha256: expect.stringMatching(/^[\da-f]{64}$/),
  });
  expect(kernel.kernel.catalog.refused).toEqual([]);
  expect(pluginRoot('filesystem')).toMatch(/filesystem$/);
  await kernel.close();
});
