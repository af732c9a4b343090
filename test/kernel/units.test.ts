import {describe, expect, test} from '@jest/globals';
import {findNearest, isKernelError, isToolError, KernelError, ToolError} from '@gemini-kernel/kernel';
import {makeVisible} from '@gemini-kernel/command/visible';
import {createRequire} from 'node:module';
import {join} from 'node:path';
import {findViolations, satisfies, useValidators, writeValidators} from '@gemini-kernel/kernel/host';
import {checkout} from '../helpers/plugin-root.js';

describe('satisfies', () => {
  test.each([
    ['1.2.3', '^1', true],
    ['1.2.3', '^1.2', true],
    ['1.2.3', '^1.3', false],
    ['2.0.0', '^1', false],
    ['0.2.5', '^0.2.0', true],
    ['0.3.0', '^0.2.0', false],
    ['0.0.4', '^0.0.3', false],
    ['1.2.9', '~1.2.3', true],
    ['1.3.0', '~1.2.3', false],
    ['1.9.0', '~1', true],
    ['1.2.3', '1.2.3', true],
    ['1.2.4', '1.2.3', false],
    ['1.2.4', '1.2', true],
    ['1.2.4', '1.x', true],
    ['3.0.0', '>=2 <4', true],
    ['4.0.0', '>=2 <4', false],
    ['4.0.0', '>4.0.0', false],
    ['4.0.0', '<=4', true],
    ['5.0.0', '^1 || ^5', true],
    ['1.0.0', '*', true],
    ['1.0.1', '>1', false],
    ['2.0.0', '>1', true],
    ['1.2.5', '<=1.2', true],
    ['1.3.0', '<=1.2', false],
    ['1.0.0', '>= 1.0.0', true],
    ['2.0.0-beta', '>=2.0.0', false],
    ['1.0.0', 'latest', false],
    ['nonsense', '*', false],
  ])('says of %s in %s: %s', (version, range, expected) => expect(satisfies(version, range)).toBe(expected));
});

describe('findNearest', () => {
  test.each([
    ['read_fil', ['read_file', 'write_file', 'glob'], ['read_file']],
    ['reed_file', ['read_file', 'read_many_files'], ['read_file']],
    ['xyz', ['read_file'], []],
    ['dir', ['directory', 'doctor'], ['directory']],
  ])('finds for %s among %j: %j', (written, names, expected) => expect(findNearest(written, names)).toEqual(expected));
});

describe('findViolations', () => {
  const schema = {
    type: 'object',
    required: ['path'],
    additionalProperties: false,
    properties: {
      path: {type: 'string', minLength: 1},
      line: {type: 'integer', minimum: 1},
      mode: {enum: ['a', 'b']},
      list: {type: 'array', items: {type: 'string'}},
    },
  };

  test.each([
    [{path: 'x', line: 2, mode: 'a', list: ['b']}, []],
    [{}, ['input lacks "path".']],
    [{path: 5}, ['input.path must be string, not 5.']],
    [{path: ''}, ['input.path must NOT have fewer than 1 characters, not "".']],
    [{path: 'x', line: 0}, ['input.line must be >= 1, not 0.']],
    [{path: 'x', mode: 'c'}, ['input.mode must be one of "a", "b", not "c".']],
    [{path: 'x', list: ['a', null]}, ['input.list.1 must be string, not null.']],
    [{path: 'x', other: 1}, ['input has an unknown key "other".']],
    ['text', ['input must be object, not "text".']],
  ])('says of %j: %j', async (value, expected) =>
    expect(await findViolations(schema, value, 'input')).toEqual(expected),
  );
});

test('a schema that asks for an asynchronous answer is checked all the same', async () => {
  expect(await findViolations({$async: true, type: 'object', required: ['path']}, {}, 'input')).toEqual([
    'input lacks "path".',
  ]);
});

describe('written validators', () => {
  const schema = () => ({
    type: 'object',
    required: ['path'],
    properties: {path: {type: 'string', minLength: 2}, line: {type: 'integer', minimum: 1}},
  });

  test.each([[{path: 'ab'}], [{}], [{path: ''}], [{path: 'ab', line: 0}], [5], [null]])(
    'say of %j what compiled ones say',
    async (value) => {
      const code = await writeValidators({place: schema()});
      const exports = {} as Record<string, never>;
      // The code is a CommonJS module; run it as one, beside the kernel's own ajv.
      new Function('exports', 'require', code)(exports, createRequire(join(checkout, 'kernel', 'package.json')));
      const written = schema();
      let loads = 0;
      useValidators(async () => ((loads += 1), exports), {place: written});
      expect([await findViolations(written, value, 'input'), loads]).toEqual([
        await findViolations(schema(), value, 'input'),
        1,
      ]);
    },
  );
});

describe('makeVisible', () => {
  test.each([
    ['plain text\twith\nlines', 'plain text\twith\nlines'],
    ['evil()\u001b[2J\u001b[H+harmless', 'evil()\\u001b[2J\\u001b[H+harmless'],
    ['rm -rf important\rharmless', 'rm -rf important\\u000dharmless'],
    ['\u001b]0;title\u0007', '\\u001b]0;title\\u0007'],
    ['\u009b2J', '\\u009b2J'],
    ['abc\u202ecba', 'abc\\u202ecba'],
    ['\u001b[8mhidden', '\\u001b[8mhidden'],
    ['\u001b[31m-bad\u001b[39m', '\u001b[31m-bad\u001b[39m'],
    ['größe 日本 🙂', 'größe 日本 🙂'],
  ])('shows %j as %j', (text, shown) => expect(makeVisible(text)).toBe(shown));
});

describe('errors', () => {
  test('are recognised by their brand, whichever copy of the kernel made them [errors.branded]', () => {
    const foreign = Object.defineProperty(new Error('x'), Symbol.for('gemini-kernel.brand'), {value: 'kernel-error'});
    expect(
      [new KernelError('A_B', 'x'), foreign, new ToolError('A_B', 'x'), new Error('x'), null, 'x'].map(isKernelError),
    ).toEqual([true, true, false, false, false, false]);
    expect(isToolError(new ToolError('A_B', 'x'))).toBe(true);
  });

  test('keep their cause, hint and data', () => {
    const cause = new Error('deep');
    expect(new KernelError('A_B', 'It failed.', {cause, hint: 'Try again.', data: {a: 1}})).toMatchObject({
      code: 'A_B',
      message: 'It failed.',
      hint: 'Try again.',
      cause,
      data: {a: 1},
      name: 'KernelError',
    });
  });
});
