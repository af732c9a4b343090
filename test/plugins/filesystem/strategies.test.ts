import {describe, expect, test} from '@jest/globals';
import fc from 'fast-check';
import {built} from './built.js';

type Strategy = import('../../../plugins/filesystem/src/replace/edit.js').Strategy;

const {exact} = await built<typeof import('../../../plugins/filesystem/src/replace/exact.js')>('replace/exact');
const {flexible} =
  await built<typeof import('../../../plugins/filesystem/src/replace/flexible.js')>('replace/flexible');
const {regex} = await built<typeof import('../../../plugins/filesystem/src/replace/regex.js')>('replace/regex');
const {editDistance, fuzzy} =
  await built<typeof import('../../../plugins/filesystem/src/replace/fuzzy.js')>('replace/fuzzy');
const {planReplace} = await built<typeof import('../../../plugins/filesystem/src/replace/plan.js')>('replace/plan');
const {utf8} = await built<typeof import('../../../plugins/filesystem/src/encoding.js')>('encoding');

/** The text after all edits, or undefined when the strategy finds nothing. */
function apply(strategy: Strategy, text: string, [old, replacement]: readonly [string, string]): string | undefined {
  const edits = strategy({text, old, replacement});
  if (edits.length === 0) return undefined;
  return edits.reduceRight((changed, edit) => changed.slice(0, edit.start) + edit.text + changed.slice(edit.end), text);
}

describe('exact', () => {
  test.each([
    ['one place', 'a b c', ['b', 'x'], 'a x c'],
    ['every place, without overlaps', 'aaaa', ['aa', 'b'], 'bb'],
    ['dollar signs as they are', 'cost', ['cost', '$& $1 $$'], '$& $1 $$'],
    ['nothing', 'a b c', ['d', 'x'], undefined],
    ['case matters', 'A', ['a', 'x'], undefined],
  ] as const)('replaces %s', (_, text, change, expected) => {
    expect(apply(exact, text, change)).toBe(expected);
  });
});

describe('flexible', () => {
  test.each([
    [
      "the place's indentation",
      'if x:\n    a = 1\n    b = 2\nend\n',
      ['a = 1\nb = 2', 'a = 3\n  b = 4'],
      'if x:\n    a = 3\n      b = 4\nend\n',
    ],
    ['the line end after the block', '  a\n  b\n', ['a\n', 'x\ny\n'], '  x\n  y\n  b\n'],
    ['a final line without a line end', '  a\n  b', ['b\n', 'c\n'], '  a\n  c'],
    ['tabs against spaces', '\tcall();\n', ['    call();', '    other();'], '\tother();\n'],
    ['blank lines left blank', '  a\n', ['a', 'a\n\nb'], '  a\n\n  b\n'],
    ['a replacement as it is when the search had the right indentation', '  a \n', ['  a', 'b'], 'b\n'],
    ['whole lines only', '  abc\n', ['ab', 'x'], undefined],
    ['all places', ' a\n  a\n', ['a', 'b'], ' b\n  b\n'],
    ['lines removed', ' a\n b\n c\n', ['b\n', ''], ' a\n c\n'],
    ['a blank line searched at the end of the file', '  a\n\n', ['a\n\n', 'b\n\n'], '  b\n\n'],
  ] as const)('keeps %s', (_, text, change, expected) => {
    expect(apply(flexible, text, change)).toBe(expected);
  });
});

describe('regex', () => {
  test.each([
    ['spaces around delimiters', '  f( a ,b ){\n', ['f(a ,b) {', 'g() {'], '  g() {\n'],
    ['line breaks between tokens', 'call(\n  one,\n  two\n);\n', ['call(one, two);', 'call(three);'], 'call(three);\n'],
    ['the start of a line only', 'x = f(a)\n', ['f( a )', 'g()'], undefined],
    ['words that stay apart', 'foobar\n', ['foo bar', 'x'], undefined],
    ['pattern characters as they are', 'a.*b [c]\n', ['a.*b[c]', 'x'], 'x\n'],
    ['the line end after the place', 'f( a )\nnext\n', ['f(a)\n', 'g(a)\n'], 'g(a)\nnext\n'],
  ] as const)('sees %s', (_, text, change, expected) => {
    expect(apply(regex, text, change)).toBe(expected);
  });
});

describe('fuzzy', () => {
  test.each([
    [
      'a slip of the pen',
      'function compute(total) {\n  return total;\n}\n',
      ['function compute(totl) {\n', 'function compute(sum) {\n'],
      'function compute(sum) {\n  return total;\n}\n',
    ],
    [
      'the place that is near enough, not the one beside it',
      'const value = 1;\nconst valeu = 2;\n',
      ['const valeu = 22;\n', 'const other = 2;\n'],
      'const value = 1;\nconst other = 2;\n',
    ],
    ['white space for little', 'alpha   beta    gamma\n', ['alpha beta gamma!', 'x'], 'x\n'],
    ['nothing too different', 'function compute(total) {\n', ['class Something {', 'x'], undefined],
    ['nothing shorter than 10 characters', 'abcdefghX\n', ['abcdefghi', 'x'], undefined],
  ] as const)('finds %s', (_, text, change, expected) => {
    expect(apply(fuzzy, text, change)).toBe(expected);
  });

  test('does not start on work that takes too long', () => {
    const old = `${'a'.repeat(2000)}b`;
    expect(fuzzy({text: `${'a'.repeat(2001)}\n`.repeat(200), old, replacement: 'x'})).toEqual([]);
  });

  test('measures the same distance as the full table, up to the bound', () => {
    const word = fc.string({unit: fc.constantFrom('a', 'b', 'c'), maxLength: 12});
    fc.assert(
      fc.property(word, word, fc.integer({min: 0, max: 12}), (a, b, most) => {
        const distance = fullDistance(a, b);
        expect(editDistance(a, b, most)).toBe(distance <= most ? distance : undefined);
      }),
    );
  });
});

function fullDistance(a: string, b: string): number {
  let row = Array.from({length: b.length + 1}, (_, index) => index);
  for (const [index, unit] of [...a].entries()) {
    const next = [index + 1];
    for (const [column, other] of [...b].entries())
      next.push(
        Math.min((row[column] ?? 0) + (unit === other ? 0 : 1), (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1),
      );
    row = next;
  }
  return row[b.length] ?? 0;
}

describe('the order of strategies', () => {
  const plan = (text: string, [oldText, newText]: readonly [string, string], allowMultiple = false): unknown => {
    const {pieces, ...rest} = planReplace({
      path: '/a',
      bytes: Buffer.from(text),
      codec: utf8,
      oldText,
      newText,
      allowMultiple,
      mayQuote: true,
    });
    return {...rest, text: Buffer.concat(pieces).toString()};
  };
  const failure = (act: () => unknown): unknown => {
    try {
      return act();
    } catch (error) {
      const {code, message} = error as {code: string; message: string};
      return {code, message};
    }
  };

  test('goes from exact to flexible to regex to fuzzy, and the first that finds anything decides [files.strategies]', () => {
    expect([
      plan('  a(b)\na(b)\n', ['  a(b)\n', '  x\n']),
      plan('  a(b)\n', ['a(b) \n', 'x\n']),
      plan('  a( b )\n', ['a(b)', 'x']),
      plan('  a( bananas ) + c\n', ['a(bananass) + c', 'x']),
    ]).toEqual([
      {text: '  x\na(b)\n', strategy: 'exact', places: [{first: 1, last: 1}], linesAdded: 1, linesRemoved: 1},
      {text: '  x\n', strategy: 'flexible', places: [{first: 1, last: 1}], linesAdded: 1, linesRemoved: 1},
      {text: '  x\n', strategy: 'regex', places: [{first: 1, last: 1}], linesAdded: 1, linesRemoved: 1},
      {text: '  x\n', strategy: 'fuzzy', places: [{first: 1, last: 1}], linesAdded: 1, linesRemoved: 1},
    ]);
  });

  test.each([
    ['exact', 'a\nb\na\n', ['a', 'x'], [1, 3]],
    ['flexible', ' if (a) {\nb\n  if (a) {\n', ['if (a) { ', 'x'], [1, 3]],
    ['regex', 'f( a )\nb\nf( a)\n', ['f(a)', 'x'], [1, 3]],
    ['fuzzy', 'some longer text here\n\nsome longer text hare\n', ['some longer text hire\n', 'x\n'], [1, 3]],
  ] as const)(
    'stops with an error when %s finds several places and several are not allowed',
    (strategy, text, change, [one, two]) => {
      expect(failure(() => plan(text, change))).toEqual({
        code: 'EDIT_AMBIGUOUS',
        message: `Expected 1 occurrence of old_string in /a but found 2 (${strategy} match), at lines ${one}, ${two}.`,
      });
    },
  );

  test('changes all places when several are allowed, and says where the new lines stand', () => {
    expect(plan('a\nb\na\n', ['a', 'x\ny'], true)).toEqual({
      text: 'x\ny\nb\nx\ny\n',
      strategy: 'exact',
      places: [
        {first: 1, last: 2},
        {first: 4, last: 5},
      ],
      linesAdded: 4,
      linesRemoved: 2,
    });
  });

  test.each([
    [
      'texts that are the same but for line ends',
      'a\n',
      ['a\r\n', 'a\n'],
      {code: 'EDIT_NO_CHANGE', message: 'old_string and new_string are the same, so nothing would change.'},
    ],
    [
      'a place that already is as wanted',
      '  a\n',
      ['a \n', '  a\n'],
      {code: 'EDIT_NO_CHANGE', message: '/a already has new_string where old_string was found (flexible match).'},
    ],
    [
      'nothing found, with the nearest lines',
      'let total = 0;\nlet x = 1;\n',
      ['var totals = 0; // sum', 'x'],
      {
        code: 'EDIT_NOT_FOUND',
        message: 'Found 0 occurrences of old_string in /a. The nearest lines are:\n  line 1: let total = 0;',
      },
    ],
    [
      'nothing found and nothing near',
      'abc\n',
      ['zzzzzzzzzzzz', 'x'],
      {code: 'EDIT_NOT_FOUND', message: 'Found 0 occurrences of old_string in /a.'},
    ],
  ] as const)('refuses %s', (_, text, change, expected) => {
    expect(failure(() => plan(text, change))).toEqual(expected);
  });

  test('shows no line of the file in an error before the file may be seen', () => {
    const request = {
      path: '/a',
      bytes: Buffer.from('secret = 1;\n'),
      codec: utf8,
      oldText: 'secret = 2; // so',
      newText: 'x',
      allowMultiple: false,
    };
    expect(failure(() => planReplace({...request, mayQuote: false}))).toEqual({
      code: 'EDIT_NOT_FOUND',
      message: 'Found 0 occurrences of old_string in /a.',
    });
  });
});
