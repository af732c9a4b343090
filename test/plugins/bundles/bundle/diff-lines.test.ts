import {expect, test} from '@jest/globals';
import {diffLines} from '#plugins/bundles/dist/bundle/diff-lines.js';
import {diffValues} from '#plugins/bundles/dist/bundle/diff-values.js';

test.each([
  ['a\nb\nc\n', 'a\nb\nc\n', []],
  ['', 'a\n', ['+a']],
  ['a\n', '', ['-a']],
  ['a\nb\nc\n', 'a\nx\nc\n', ['-b', '+x']],
  ['a\nb\nc\nd\n', 'b\nc\ne\nd\n', ['-a', '+e']],
  ['a\na\n', 'a\n', ['-a']],
])('from %j to %j the lines %j went and came', (before, after, lines) =>
  expect(diffLines(before, after)).toEqual(lines),
);

test('texts too long to be compared line by line are shown whole', () => {
  const long = (mark: string): string => Array.from({length: 3000}, (_, index) => `${mark}${index}\n`).join('');
  expect(diffLines(long('a'), long('b'))).toHaveLength(6000);
});

test('values are compared down to the smallest named part, and lists as a whole', () => {
  expect(diffValues({a: {b: 1, c: [1, 2]}, gone: true}, {a: {b: 1, c: [2]}, come: {deep: 'x'}}, 'settings')).toEqual([
    {key: 'settings.a.c', before: [1, 2], after: [2]},
    {key: 'settings.come.deep', after: 'x'},
    {key: 'settings.gone', before: true},
  ]);
});
