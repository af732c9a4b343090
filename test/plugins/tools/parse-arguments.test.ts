import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {describe, expect, test} from '@jest/globals';
import {isKernelError} from '@gemini-kernel/kernel';
import fc from 'fast-check';
import {pluginRoot} from '../../helpers/plugin-root.js';

const {parseObject, parsePairs} = (await import(
  pathToFileURL(join(pluginRoot('tools'), 'dist', 'parse-arguments.js')).href
)) as typeof import('../../../plugins/tools/src/parse-arguments.js');

const hint = 'Pass the input as --args \'{"key": "value"}\', as --args-file <file>, or as key=value.';

function thrownBy(act: () => unknown): unknown {
  try {
    return {gave: act()};
  } catch (error) {
    return isKernelError(error) ? {code: error.code, message: error.message, hint: error.hint} : error;
  }
}

describe('parseObject', () => {
  test.each([
    ['[1]', 'call.json is [1], not a JSON object.'],
    ['null', 'call.json is null, not a JSON object.'],
    ['"text"', 'call.json is "text", not a JSON object.'],
    ['12', 'call.json is 12, not a JSON object.'],
    [`[${'1,'.repeat(40)}1]`, 'call.json is [1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1, not a JSON object.'],
  ])('says of %s what it is', (text, message) =>
    expect(thrownBy(() => parseObject(text, 'call.json'))).toEqual({code: 'ARGUMENTS_UNREADABLE', message, hint}),
  );

  test('says where text that is not JSON came from', () => {
    expect(thrownBy(() => parseObject('{a: 1}', '--args'))).toEqual({
      code: 'ARGUMENTS_UNREADABLE',
      message: expect.stringMatching(/^--args is not JSON: /),
      hint,
    });
  });

  test('gives back every object', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.string().filter((key) => key !== '__proto__'),
          fc.jsonValue(),
        ),
        (value) => expect(parseObject(JSON.stringify(value), 'x')).toEqual(JSON.parse(JSON.stringify(value))),
      ),
    );
  });
});

describe('parsePairs', () => {
  const schema = {
    properties: {
      path: {type: 'string'},
      line: {type: 'integer'},
      names: {type: 'array'},
      deep: {type: 'object'},
      either: {type: ['string', 'null']},
    },
  };

  test.each([
    [['path=a.txt'], {path: 'a.txt'}],
    [['path=12'], {path: '12'}],
    [['path="quoted"'], {path: '"quoted"'}],
    [['path='], {path: ''}],
    [['path=a=b=c'], {path: 'a=b=c'}],
    [['line=12'], {line: 12}],
    [['line=twelve'], {line: 'twelve'}],
    [['names=["a","b"]', 'deep={"x":null}'], {names: ['a', 'b'], deep: {x: null}}],
    [['either=text'], {either: 'text'}],
    [['line=1', 'line=2'], {line: 2}],
    [[], {}],
  ])('reads %j as %j', (words, expected) => expect(parsePairs(words, schema)).toEqual(expected));

  test.each(['path', '=text', ''])('refuses "%s"', (word) =>
    expect(thrownBy(() => parsePairs([word], schema))).toEqual({
      code: 'ARGUMENTS_UNREADABLE',
      message: `"${word}" is not of the form key=value.`,
      hint,
    }),
  );

  test('refuses a parameter that the tool does not take, with the nearest', () => {
    expect(thrownBy(() => parsePairs(['LINE=1'], schema))).toEqual({
      code: 'ARGUMENTS_UNREADABLE',
      message: 'The tool has no parameter "LINE".',
      hint: 'Did you mean line?',
    });
    expect(parsePairs(['any=1'], {...schema, additionalProperties: true})).toEqual({any: 1});
  });

  test('keeps any text for a parameter that is text', () => {
    fc.assert(fc.property(fc.string(), (text) => expect(parsePairs([`path=${text}`], schema)).toEqual({path: text})));
  });
});
