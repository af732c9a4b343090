import {expect, test} from '@jest/globals';
import fc from 'fast-check';
import {comparePaths} from '#plugins/search/dist/engine/path-order.js';

test('paths are in order when their names are, one after the other, byte by byte [search.order]', () => {
  const letter = fc.constantFrom('a', 'b', '-', '.', ' ', 'é', '\uff01', '😀', '😁', '💀');
  const path = fc
    .array(
      fc.array(letter, {minLength: 1, maxLength: 3}).map((letters) => letters.join('')),
      {minLength: 1, maxLength: 4},
    )
    .map((names) => `/${names.join('/')}`);
  const byNames = (a: string, b: string): number => {
    const [left, right] = [a.split('/'), b.split('/')];
    for (const [index, name] of left.entries()) {
      const other = right[index];
      if (other === undefined) return 1;
      const order = Buffer.compare(Buffer.from(name), Buffer.from(other));
      if (order !== 0) return order;
    }
    return left.length - right.length;
  };
  fc.assert(
    fc.property(path, path, (a, b) => expect(Math.sign(comparePaths(a, b))).toBe(Math.sign(byNames(a, b)))),
    {numRuns: 2000},
  );
});
