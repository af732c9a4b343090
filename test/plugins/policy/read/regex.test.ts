import {describe, expect, test} from '@jest/globals';
import fc from 'fast-check';
import {degreeOf, findRegexFault, matchesNothing} from '#plugins/policy/dist/read/regex-fault.js';
import {compilePattern} from '#plugins/policy/dist/read/compile-pattern.js';
import {readRegexTree} from '#plugins/policy/dist/read/regex-tree.js';

describe('a regular expression', () => {
  test.each([
    '^git (?:status|log)',
    'rm\\s+-rf',
    '(\\d{1,3}\\.){3}\\d{1,3}',
    '(?:ab|cd)+',
    '[^/]*\\.env$',
    '(?=a)b*',
    'a{2,5}b*',
    '(?:-[a-z])*x',
    '(a|b){0,3}',
    '(?<name>x)\\k<name>',
    '\\x00"a":"[^"]*"\\x00',
  ])('%s is accepted', (pattern) => {
    expect(findRegexFault(pattern)).toBeUndefined();
  });

  test.each([
    ['(', /^is not valid/],
    ['[z-a]', /^is not valid/],
    ['a'.repeat(2049), /^is longer than 2048/],
    ['(a+)+$', /something is repeated/],
    ['(a*)*', /something is repeated/],
    ['((a|b)*c)+', /something is repeated/],
    ['(?:a?)+b', /something is repeated/],
    ['(a{1,3})*b', /something is repeated/],
    ['(.*){5}', /something is repeated/],
    ['(a|a)*b', /begin with the same character/],
    ['(?:\\w|\\d)+x', /begin with the same character/],
    ['(a|ab)*c', /begin with the same character/],
    ['(x|)*y', /begin with the same character/],
    ['(?:(?:a|a)b)*c', /begin with the same character/],
  ])('%s is refused', (pattern, reason) => {
    expect(findRegexFault(pattern)).toMatch(reason);
  });

  test('in which nothing is found never takes exponential time', () => {
    const atom = fc.constantFrom('a', 'b', '.', '\\w', '[ab]', '\\d');
    const quantifier = fc.constantFrom('', '', '*', '+', '?', '{2,}', '{1,3}', '*?');
    const {pattern} = fc.letrec<{pattern: string}>((tie) => ({
      pattern: fc
        .array(
          fc
            .tuple(
              fc.oneof(
                {depthSize: 'small', maxDepth: 3},
                atom,
                fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => `(?:${one}|${other})`),
                tie('pattern').map((one) => `(${one})`),
              ),
              quantifier,
            )
            .map((parts) => parts.join('')),
          {minLength: 1, maxLength: 3},
        )
        .map((parts) => parts.join('')),
    }));
    fc.assert(
      fc.property(pattern, (one) => {
        fc.pre(findRegexFault(one) === undefined && degreeOf(readRegexTree(one)) <= 3);
        const started = performance.now();
        const expression = new RegExp(`^(?:${one})$`);
        for (const text of ['a'.repeat(28) + '!', 'ab'.repeat(14) + '!', '1a'.repeat(14) + '!']) expression.test(text);
        expect(performance.now() - started).toBeLessThan(1000);
      }),
      {numRuns: 500},
    );
  });

  test.each([
    ['a^', true],
    ['$a', true],
    ['x$.+', true],
    ['(?:a|b)', false],
    ['^a$', false],
    ['a?^b', false],
    ['a|^b', false],
    ['a$b*', false],
  ])('%s matches nothing: %s', (pattern, expected) => {
    expect([pattern, matchesNothing(pattern)]).toEqual([pattern, expected]);
  });

  test('is read as a tree whose parts are the text', () => {
    const sources = readRegexTree('a|(?:b[)|]{2,3}|\\))?$').map((items) =>
      items.map(({kind, source, min, max}) => [kind, source, min, max]),
    );
    expect(sources).toEqual([
      [['set', 'a', 1, 1]],
      [
        ['group', '(?:b[)|]{2,3}|\\))', 0, 1],
        ['mark', '$', 1, 1],
      ],
    ]);
  });
});

describe('a compiled pattern', () => {
  test('says what a regular expression says, anchored or not', () => {
    expect([
      compilePattern('rm', {anchored: false})('git rm'),
      compilePattern('rm', {anchored: true})('git rm'),
      compilePattern('a|rm', {anchored: true})('rm x'),
    ]).toEqual([true, false, true]);
  });

  test('gives an answer or none soon, whatever it repeats', () => {
    const test = compilePattern('a*(?:a|(?:a*?a+|a)(?:a*?a*a*|a)(?:a*?|a+a{2,}a{2,})?)$', {anchored: true});
    const started = performance.now();
    for (const text of ['a'.repeat(28) + '!', 'a'.repeat(400) + '!']) test(text);
    expect(performance.now() - started).toBeLessThan(2000);
  });

  test('gives no answer when one cannot be had in time', () => {
    const started = performance.now();
    expect(compilePattern('a.*b.*c.*d', {anchored: false})('abc'.repeat(20_000))).toBeUndefined();
    expect(performance.now() - started).toBeLessThan(2000);
  });

  test('gives one for a long text when it can be had', () => {
    expect([
      compilePattern('x.*y$', {anchored: true})(`x${'z'.repeat(100_000)}y`),
      compilePattern('needle', {anchored: false})('z'.repeat(3_000_000)),
    ]).toEqual([true, false]);
  });
});
