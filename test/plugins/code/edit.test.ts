import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import type {TestKernel} from '@gemini-kernel/kernel/testing';
import {codingKernel, say} from './coding-kernel.js';

const shapes = [
  '\u{feff}/** Shapes. */',
  'export class Box {',
  '  /** Its size. */',
  '  size(): number {',
  '    return 1;',
  '  }',
  '  other() { return 1; } // kept',
  '}',
  'export function make(): Box {',
  '  return new Box();',
  '}',
  '',
].join('\r\n');
const uses = [
  "import {make} from './shapes.js';",
  'export const all = {make, other: make()};',
  'function f(make: number) { return make; }',
  '// make nothing of this',
  '',
].join('\n');
const files = {'shapes.ts': shapes, 'uses.ts': uses, 'apart.ts': 'function make() {}\nmake();\nexport {};\n'};

const read = (kernel: TestKernel, name: string): Promise<string> => readFile(join(kernel.project, name), 'utf8');

describe('code_edit', () => {
  test('replaces a symbol, and leaves every other byte as it was [code.edit]', async () => {
    await using kernel = await codingKernel({files});
    const text = '/** Bigger. */\nsize(): number {\n  return 2;\n}\n';
    expect(await say(kernel, 'code_edit', {name: 'Box.size', action: 'replace', text})).toMatch(/^Modified the file/);
    expect(await read(kernel, 'shapes.ts')).toBe(
      shapes.replace('Its size', 'Bigger').replace('    return 1;\r\n', '    return 2;\r\n'),
    );
  });

  test('inserts before and after, at the indentation of the symbol [code.edit]', async () => {
    await using kernel = await codingKernel({files});
    await kernel.call('code_edit', {name: 'Box.other', action: 'insert_after', text: 'last() {}'});
    await kernel.call('code_edit', {name: 'Box.size', action: 'insert_before', text: 'first() {}'});
    expect(await read(kernel, 'shapes.ts')).toBe(
      shapes
        .replace('  /** Its size', '  first() {}\r\n\r\n  /** Its size')
        .replace('// kept\r\n', '// kept\r\n  last() {}\r\n'),
    );
  });

  test('renames where a symbol is defined and used, and nothing else of that name [code.edit]', async () => {
    await using kernel = await codingKernel({files});
    expect(await say(kernel, 'code_edit', {name: 'make', path: 'shapes.ts', action: 'rename', new_name: 'build'})).toBe(
      'Changed 4 places in 2 files: shapes.ts, uses.ts.',
    );
    expect(await read(kernel, 'shapes.ts')).toBe(shapes.replace('make', 'build'));
    expect(await read(kernel, 'uses.ts')).toBe(
      uses.replace('{make} from', '{build} from').replace('{make, other: make()}', '{make: build, other: build()}'),
    );
    expect(await read(kernel, 'apart.ts')).toBe(files['apart.ts']);
  });

  test.each([
    [
      {name: 'make', path: 'shapes.ts', action: 'replace', text: 'export function make( {'},
      'CODE_EDIT_BREAKS',
      'no longer parse',
    ],
    [{name: 'make', path: 'shapes.ts', action: 'rename'}, 'CODE_EDIT_BREAKS', 'new_name is missing'],
    [
      {name: 'make', path: 'shapes.ts', action: 'rename', new_name: 'all'},
      'CODE_EDIT_BREAKS',
      'has the name all already',
    ],
    [{name: 'make', action: 'rename', new_name: 'x'}, 'CODE_AMBIGUOUS', '2 symbols are named make'],
    [{name: 'gone', action: 'rename', new_name: 'x'}, 'CODE_SYMBOL_MISSING', 'No symbol is named gone'],
    [{name: 'make', action: 'rename', new_name: 'a b'}, 'TOOL_INPUT_INVALID', 'new_name'],
  ])('refuses %j and changes nothing [code.edit]', async (input, code, sentence) => {
    await using kernel = await codingKernel({files});
    expect(await kernel.call('code_edit', input)).toMatchObject({
      status: 'failed',
      error: {code, message: expect.stringContaining(sentence)},
    });
    for (const [name, text] of Object.entries(files)) expect(await read(kernel, name)).toBe(text);
  });

  test('changes a file that did not parse before [code.edit]', async () => {
    await using kernel = await codingKernel({files: {'a.py': 'def a(): pass\n\ndef (:\n'}});
    await kernel.call('code_edit', {name: 'a', action: 'replace', text: 'def a(): return 1'});
    expect(await read(kernel, 'a.py')).toBe('def a(): return 1\n\ndef (:\n');
  });

  test('writes by calls of replace: what refuses those refuses it [code.edit]', async () => {
    await using kernel = await codingKernel({files, flags: {'general.defaultApprovalMode': 'plan'}});
    await using asking = await codingKernel({files, flags: {}});
    const end = await kernel.call('code_edit', {name: 'all', action: 'replace', text: 'export const all = 1;'});
    expect(end).toMatchObject({status: 'refused'});
    const input = {name: 'all', action: 'replace', text: 'export const all = 1;'};
    // Only a front end answers for the person here, and there is none.
    expect(await asking.call('code_edit', input)).toMatchObject({error: {code: 'CODE_EDIT_STOPPED'}});
    expect(await read(asking, 'uses.ts')).toBe(uses);
    expect(await read(kernel, 'uses.ts')).toBe(uses);
  });
});
