import {describe, expect, test} from '@jest/globals';
import fc from 'fast-check';
import {splitFrontMatter} from '@gemini-kernel/files';

function headOf(text: string): unknown {
  const split = splitFrontMatter(text);
  return typeof split === 'string' ? split : [...split.head];
}

/** What a line of a head may hold, with the characters that mean something in YAML. */
const piece = fc.constantFrom(
  'a',
  'b7',
  ' ',
  ':',
  ': ',
  '#',
  ' #',
  '"',
  "'",
  '-',
  '- ',
  '|',
  '[',
  ']',
  ',',
  'é',
  '\r',
  '_',
  '  ',
);
const line = fc.array(piece, {maxLength: 8}).map((pieces) => pieces.join(''));

describe('the head of a Markdown file', () => {
  test('a byte order mark, empty lines before it and line ends of Windows are fine', () => {
    expect(headOf('\uFEFF\n\r\n---\r\nname: one\r\ndescription: Does it.\r\n---\r\nBody')).toEqual([
      ['name', 'one'],
      ['description', 'Does it.'],
    ]);
  });

  test('a comment ends a text, and the next lines can continue it', () => {
    expect(headOf('---\na: one # note\nb: two\n  three\nc: four\n\nd:\n- five\n---\n')).toEqual([
      ['a', 'one'],
      ['b', 'two three'],
      ['c', 'four'],
      ['d', ['five']],
    ]);
  });

  test('a key that is set twice is named with its line, whichever way it is written', () => {
    expect(headOf('---\na: one\na: two\n---\n')).toBe('sets a a second time in line 3');
    expect(headOf('---\na: one\n"a": two\n---\n')).toBe('sets a a second time in line 3');
  });

  test('an empty line below changes nothing: usual lines are read as all others are', () => {
    fc.assert(
      fc.property(fc.array(line, {maxLength: 4}), (lines) => {
        const plain = headOf(`---\n${lines.map((one) => `key${lines.indexOf(one)}: ${one}\n`).join('')}---\n`);
        const apart = headOf(`---\n${lines.map((one) => `key${lines.indexOf(one)}: ${one}\n\n`).join('')}---\n`);
        const [a, b] = [plain, apart].map((head) => JSON.stringify(head).replaceAll(/line \d+/g, 'line'));
        expect(a).toBe(b);
      }),
      {numRuns: 2000},
    );
  });
});
