import {describe, expect, test} from '@jest/globals';
import fc from 'fast-check';
import {built} from './built.js';

const {LineScan} = await built<typeof import('../../../plugins/filesystem/src/line-scan.js')>('line-scan');
const narrow = {unit: 1, bigEndian: false} as const;

/** Lines with their ends, as an editor counts them. */
function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function scan(
  pieces: readonly Buffer[],
  [first, last]: readonly [number, number],
  unit: ConstructorParameters<typeof LineScan>[2] = narrow,
): {text: Buffer; total: number} {
  const lines = new LineScan(first, last, unit);
  for (const piece of pieces) lines.add(piece);
  const {bytes, total} = lines.finish();
  return {text: bytes, total};
}

describe('scanning for lines', () => {
  const text = fc.array(fc.constantFrom('a', 'bc', '\n', '\r\n', 'ü'), {maxLength: 60}).map((parts) => parts.join(''));
  const range = fc
    .tuple(fc.integer({min: 1, max: 12}), fc.integer({min: 0, max: 12}))
    .map(([first, more]) => [first, first + more] as const);

  test('finds the same lines as splitting the whole text, wherever the pieces end', () => {
    fc.assert(
      fc.property(text, range, fc.integer({min: 1, max: 9}), (given, [first, last], length) => {
        const content = Buffer.from(given);
        const pieces = Array.from({length: Math.ceil(content.length / length)}, (_, index) =>
          content.subarray(index * length, (index + 1) * length),
        );
        const lines = linesOf(given);
        expect(scan(pieces, [first, last])).toEqual({
          text: Buffer.from(lines.slice(first - 1, last).join('')),
          total: lines.length,
        });
      }),
    );
  });

  test('finds the lines of UTF-16 and UTF-32, where the byte of a line feed also stands inside other characters', () => {
    const tricky = 'a\u0a0a\n\u0a00b\u000a\n\u010a';
    const wide = Buffer.from(tricky, 'utf16le');
    const expected = {text: Buffer.from(linesOf(tricky).slice(1, 3).join(''), 'utf16le'), total: 4};
    expect(scan([wide], [2, 3], {unit: 2, bigEndian: false})).toEqual(expected);
    expect(scan([Buffer.from(wide).swap16()], [2, 3], {unit: 2, bigEndian: true})).toEqual({
      ...expected,
      text: Buffer.from(expected.text).swap16(),
    });
    const wider = Buffer.from(Uint32Array.from([...tricky].map((one) => one.codePointAt(0) ?? 0)).buffer);
    expect(scan([wider.subarray(0, 8), wider.subarray(8)], [4, 4], {unit: 4, bigEndian: false})).toEqual({
      text: wider.subarray(-4),
      total: 4,
    });
  });

  test('keeps what it found when the caller reuses the piece', () => {
    const piece = Buffer.from('one\n');
    const lines = new LineScan(1, 1, narrow);
    lines.add(piece);
    piece.fill(0);
    expect(lines.finish()).toEqual({bytes: Buffer.from('one\n'), total: 1});
  });
});
