import {execFileSync} from 'node:child_process';
import {readFile, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {codingKernel, say} from './coding-kernel.js';

const files = {
  'src/shape.ts': [
    '// A shape.',
    'export interface Shape { area(): number }',
    '',
    '/** How large. */',
    'export function area(shape: Shape): number {',
    '  return shape.area();',
    '}',
    'export const UNIT = 1;',
    '',
  ].join('\n'),
  'src/circle.ts': [
    "import {UNIT, type Shape} from './shape.js';",
    'export class Circle implements Shape {',
    '  /** Of the circle: see area of shape. */',
    '  area() { return 3 * UNIT; }',
    '}',
    'export class Ring extends Circle { override area() { return 1; } }',
    '',
  ].join('\n'),
  'src/use.ts': [
    "import {area} from './shape.js';",
    "import {Circle} from './circle.js';",
    "export const text = 'area of it';",
    'export const one = area(new Circle());',
    'function other(area: number) { return area + {area}.area; }',
    '',
  ].join('\n'),
  'src/apart.ts': ['function area() { return 2; }', 'area();', 'export {};', ''].join('\n'),
  'bad.py': 'def broken(:\n  pass\ndef fine(): pass\n',
  'notes.txt': 'area',
};

describe('code_outline', () => {
  test('lists the symbols of a file, and of a folder those used most first [code.outline]', async () => {
    await using kernel = await codingKernel({files});
    expect(await say(kernel, 'code_outline', {path: 'src/circle.ts'})).toBe(
      [
        '2-5: export class Circle implements Shape',
        '  4: area()',
        '6: export class Ring extends Circle',
        '  6: override area()',
      ].join('\n'),
    );
    const folder = await say(kernel, 'code_outline', {path: 'src'});
    expect(folder.split('\n').filter((line) => line.endsWith(':'))).toEqual([
      'src/shape.ts:',
      'src/circle.ts:',
      'src/apart.ts:',
      'src/use.ts:',
    ]);
    expect(await say(kernel, 'code_outline', {path: 'src', max_tokens: 50})).toMatch(/more files; set max_tokens/);
  });

  test('says what a file has that is not read as code [code.outline]', async () => {
    await using kernel = await codingKernel({files});
    expect(await say(kernel, 'code_outline', {path: 'bad.py'})).toMatch(
      /3: def fine\(\)\n\(The file has syntax errors/,
    );
    expect(await say(kernel, 'code_outline', {path: 'notes.txt'})).toMatch(
      /^CODE_LANGUAGE_UNKNOWN: ~\/notes.txt is in no/,
    );
    expect(await say(kernel, 'code_outline', {path: 'gone.ts'})).toMatch(/^CODE_UNREADABLE: .*does not exist/);
    expect(await say(kernel, 'code_outline', {path: '../x.ts'})).toMatch(/PATH_OUTSIDE_WORKSPACE|refused/);
    expect(await say(kernel, 'code_outline', {})).toMatch(/^TOOL_INPUT_INVALID/);
  });
});

describe('code_read', () => {
  test('gives a symbol with its comments, exactly as it is [code.read]', async () => {
    const text =
      '\u{feff}class A:\r\n    # é of m\r\n    @dec\r\n    def m(self):\r\n        return "\u{1f600}"\r\n\r\nx = 1\r\n';
    await using kernel = await codingKernel({files: {...files, 'a.py': text}});
    const end = await kernel.call('code_read', {name: 'A.m'});
    expect(end).toMatchObject({
      status: 'done',
      result: {plain: '    # é of m\r\n    @dec\r\n    def m(self):\r\n        return "\u{1f600}"'},
    });
    expect(await say(kernel, 'code_read', {name: 'area', path: 'src/shape.ts'})).toBe(
      'src/shape.ts:4-7\n/** How large. */\nexport function area(shape: Shape): number {\n  return shape.area();\n}',
    );
  });

  test('names the places of several, and what is similar to none [code.read]', async () => {
    await using kernel = await codingKernel({files});
    expect(await say(kernel, 'code_read', {name: 'area'})).toMatch(
      /^CODE_AMBIGUOUS: 5 symbols are named area:\n {2}src\/apart.ts:1: function area\(\)/,
    );
    const end = await kernel.call('code_read', {name: 'Circel'});
    expect(end).toMatchObject({
      error: {code: 'CODE_SYMBOL_MISSING', hint: expect.stringContaining('Did you mean Circle')},
    });
  });

  test('a file that changed since is not overwritten by the file tools [code.versions]', async () => {
    await using kernel = await codingKernel({files});
    await kernel.call('code_read', {name: 'UNIT'});
    await writeFile(join(kernel.project, 'src/shape.ts'), 'export const UNIT = 2;\n');
    const edit = {file_path: 'src/shape.ts', instruction: '', old_string: 'UNIT = 2', new_string: 'UNIT = 3'};
    expect(await kernel.call('replace', edit)).toMatchObject({error: {code: 'FILE_CHANGED'}});
  });
});

describe('one symbol of several', () => {
  test('is the class of which a namespace has the name [code.read]', async () => {
    await using kernel = await codingKernel({
      files: {
        'a.ts': 'export class Pair {\n  left = 1;\n}\n\nexport namespace Pair {\n  export const one = 1;\n}\n',
        'b.ts': "import type * as all from './a.js';\nexport type Other = all.Pair;\n",
      },
    });
    expect(await say(kernel, 'code_read', {name: 'Pair'})).toBe('a.ts:1-3\nexport class Pair {\n  left = 1;\n}');
    expect(await say(kernel, 'code_find', {name: 'Pair', what: 'references'})).toContain('all.Pair');
  });
});

describe('code_find', () => {
  test('finds definitions, and none in texts or comments [code.find]', async () => {
    await using kernel = await codingKernel({files});
    expect(await say(kernel, 'code_find', {name: 'Circle.area'})).toBe(
      'src/circle.ts:\n  4: area() (method of Circle)',
    );
    expect(await say(kernel, 'code_find', {name: 'nothing'})).toMatch(/^No definitions of nothing found in code\./);
  });

  test('finds uses where the name is imported and not hidden [code.find]', async () => {
    await using kernel = await codingKernel({files});
    expect(await say(kernel, 'code_find', {name: 'UNIT', what: 'references'})).toBe(
      ['src/circle.ts:', "  1: import {UNIT, type Shape} from './shape.js';", '  4: area() { return 3 * UNIT; }'].join(
        '\n',
      ),
    );
    expect(await say(kernel, 'code_find', {name: 'Circle', what: 'references'})).toBe(
      [
        'src/circle.ts:',
        '  6: export class Ring extends Circle { override area() { return 1; } }',
        'src/use.ts:',
        "  2: import {Circle} from './circle.js';",
        '  4: export const one = area(new Circle());',
      ].join('\n'),
    );
  });

  test('finds uses under other names that scripts have for a symbol [code.find]', async () => {
    await using kernel = await codingKernel({
      files: {
        'door.ts': 'export default class Door {}\nexport const size = 1;\n',
        'list.ts': "export {size as doorSize} from './door.js';\n",
        'a.ts': "import Gate, {size as width} from './door.js';\nnew Gate();\nconsole.log(width);\n",
        'b.ts': "import {doorSize} from './list.js';\nconsole.log(doorSize);\n",
        'c.ts': "import * as list from './list.js';\nconsole.log(list.doorSize);\n",
        'd.ts': "import Gate, {doorSize} from './elsewhere.js';\nnew Gate(doorSize);\nconst width = 2;\n",
      },
    });
    const uses = async (name: string): Promise<readonly string[]> =>
      (await say(kernel, 'code_find', {name, what: 'references'})).split('\n');
    expect(await uses('Door')).toEqual([
      'a.ts:',
      "  1: import Gate, {size as width} from './door.js'; (as Gate)",
      '  2: new Gate(); (as Gate)',
    ]);
    expect(await uses('size')).toEqual([
      ...['a.ts:', "  1: import Gate, {size as width} from './door.js';", '  3: console.log(width); (as width)'],
      ...['b.ts:', "  1: import {doorSize} from './list.js'; (as doorSize)"],
      '  2: console.log(doorSize); (as doorSize)',
      ...['c.ts:', '  2: console.log(list.doorSize); (as doorSize)'],
      ...['list.ts:', "  1: export {size as doorSize} from './door.js';"],
    ]);
    await say(kernel, 'code_edit', {name: 'size', action: 'rename', new_name: 'breadth'});
    expect(await readFile(join(kernel.project, 'a.ts'), 'utf8')).toContain('{breadth as width}');
    expect(await readFile(join(kernel.project, 'a.ts'), 'utf8')).toContain('console.log(width)');
  });

  test('tells a name of Python from one that another package has [code.find]', async () => {
    await using kernel = await codingKernel({
      files: {
        'app/__init__.py': 'from .helpers import abort as abort\n',
        'app/helpers.py': 'def abort():\n    pass\n',
        'app/other.py': 'from elsewhere.helpers import abort\nabort()\n',
        'app/views.py': 'from . import helpers\nhelpers.abort()\n',
        'app/inner/deep.py': 'from ..helpers import (\n    abort,\n)\nabort()\n',
        'tests/a.py': 'from app import abort\nabort()\n',
        'tests/b.py': 'import app, json\napp.abort()\n',
        'tests/c.py': 'import elsewhere\nelsewhere.abort()\n',
        'tests/d.py': 'from app.helpers import *\nabort()\n',
      },
    });
    const found = await say(kernel, 'code_find', {name: 'abort', what: 'references'});
    const paths = found.split('\n').filter((line) => line.endsWith(':'));
    const uses = ['app/__init__', 'app/inner/deep', 'app/views', 'tests/a', 'tests/b', 'tests/d'];
    expect(paths).toEqual(uses.map((path) => `${path}.py:`));
  });

  test('finds what extends or implements, over others too [code.find]', async () => {
    await using kernel = await codingKernel({files});
    expect(await say(kernel, 'code_find', {name: 'Shape', what: 'implementations'})).toBe(
      [
        'src/circle.ts:',
        '  2-5: export class Circle implements Shape (class)',
        '  6: export class Ring extends Circle (class)',
      ].join('\n'),
    );
    expect(await say(kernel, 'code_find', {name: 'Shape.area', what: 'implementations'})).toMatch(/4: .*\n.*6: /);
  });

  test('knows at once what was written, and what is gone [code.fresh]', async () => {
    await using kernel = await codingKernel({files});
    expect(await say(kernel, 'code_find', {name: 'fresh'})).toMatch(/^No definitions/);
    await kernel.call('write_file', {file_path: 'src/new.ts', content: 'export function fresh() {}\n'});
    expect(await say(kernel, 'code_find', {name: 'fresh'})).toMatch(/src\/new.ts/);
    await kernel.call('replace', {
      ...{file_path: 'src/new.ts', instruction: '', old_string: 'fresh', new_string: 'fresher'},
    });
    expect(await say(kernel, 'code_find', {name: 'fresher'})).toMatch(/src\/new.ts/);
    expect(await say(kernel, 'code_find', {name: 'fresh'})).toMatch(/^No definitions/);
    await rm(join(kernel.project, 'src/new.ts'));
    expect(await say(kernel, 'code_find', {name: 'fresher'})).toMatch(/^No definitions/);
  });

  test('what ignore files name is not found, and what a rule forbids is not shown [code.ignored]', async () => {
    await using kernel = await codingKernel({
      files: {...files, '.gitignore': 'out/\n', 'out/x.ts': 'export class Hidden {}'},
    });
    execFileSync('git', ['init', '--quiet', '--template='], {cwd: kernel.project});
    expect(await say(kernel, 'code_find', {name: 'Hidden'})).toMatch(/^No definitions/);
  });
});

test('code_map shows what the rest uses most first, within its tokens [code.map]', async () => {
  await using kernel = await codingKernel({files});
  const map = await say(kernel, 'code_map', {max_tokens: 60});
  expect(map.split('\n')[0]).toBe('src/shape.ts:');
  expect(map.length).toBeLessThan(60 * 4 + 60);
  await using empty = await codingKernel({files: {'a.txt': ''}});
  expect(await say(empty, 'code_map', {})).toBe('There are no files of a known programming language.');
});

test('the tools are offered where there is code [code.offered]', async () => {
  await using kernel = await codingKernel({files});
  await using empty = await codingKernel({files: {'a.txt': ''}});
  const offered = async (one: typeof kernel): Promise<readonly string[]> =>
    (await one.session.offered()).map(({name}) => name).filter((name) => name.startsWith('code_'));
  expect(await offered(kernel)).toEqual(expect.arrayContaining(['code_find', 'code_map', 'code_outline', 'code_read']));
  expect(await offered(empty)).toEqual([]);
});
