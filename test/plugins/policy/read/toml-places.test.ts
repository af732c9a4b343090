import {describe, expect, test} from '@jest/globals';
import fc from 'fast-check';
import {parse} from 'smol-toml';
import {findPlaces} from '#plugins/policy/dist/read/toml-places.js';

describe('the place of a key', () => {
  test.each<[string, {text: string; path: (string | number)[]; place: [number, number]}]>([
    ['at the top', {text: 'a = 1\nb = 2', path: ['b'], place: [2, 1]}],
    ['under a header', {text: '[[rule]]\n  tool = "x"', path: ['rule', 0, 'tool'], place: [2, 3]}],
    [
      'under the second of equal headers',
      {text: '[[rule]]\na = 1\n[[rule]]\na = 2', path: ['rule', 1, 'a'], place: [4, 1]},
    ],
    [
      'in a table of the last of equal headers',
      {text: '[[r]]\n[r.c]\na = 1\n[[r]]\n[r.c]\na = 2', path: ['r', 1, 'c', 'a'], place: [6, 1]},
    ],
    [
      'of an element of a list over several lines',
      {text: 'a = [\n  "x", # one, ]\n  "y",\n]', path: ['a', 1], place: [3, 3]},
    ],
    ['in an inline table', {text: 'a = {b = 1, "c d" = {e = [2]}}', path: ['a', 'c d', 'e', 0], place: [1, 27]}],
    ['with dots', {text: 'a . "b.c" = 1', path: ['a', 'b.c'], place: [1, 5]}],
    [
      'after a string of several lines with brackets and quotes',
      {text: 'a = """\n[[x]]\nb = "\\""" ""\n"""""\nb = 1', path: ['b'], place: [5, 1]},
    ],
    [
      'after a literal string with backslashes',
      {text: "a = 'C:\\'\nb = '''x\n'' = 1'''\nc = 1", path: ['c'], place: [4, 1]},
    ],
    ['with line ends of Windows', {text: 'a = 1\r\n\r\n[b]\r\nc = 1', path: ['b', 'c'], place: [4, 1]}],
    [
      'that is not written, as the nearest around it',
      {text: '\n[[rule]]\na = 1', path: ['rule', 0, 'missing'], place: [2, 1]},
    ],
    [
      'in a date with a space and a comment',
      {text: 'a = 1979-05-27 07:32:00 # b = 1\nb = 2', path: ['b'], place: [2, 1]},
    ],
  ])('%s', (_, {text, path, place: [line, column]}) => {
    expect(() => parse(text)).not.toThrow();
    expect(findPlaces(text).find(path)).toEqual({line, column});
  });
});

const blank = fc.constantFrom('', ' ', '\t', ' \t ');
const nothing = fc.constantFrom('', '\n', '  \n', '# a = [ "\n', ' # [[x]]\r\n');
const key = fc.constantFrom('a', 'b', 'c-d', '0', '"e.f"', "'g h'", '"\\u00fc\\""', '""');
const scalar = fc.constantFrom(
  '1',
  '-2.5e3',
  'true',
  'inf',
  '1979-05-27',
  '07:32:00',
  '"x # y"',
  '"\\"]"',
  "'}\\'",
  '"""\n[[q]]\na = 1\\"""\n"""',
  "'''\nb = ''\n'''''",
  '""""a""""',
);
const {value} = fc.letrec<{value: string}>((tie) => ({
  value: fc.oneof(
    {depthSize: 'small'},
    scalar,
    fc
      .array(fc.tuple(tie('value'), nothing), {maxLength: 3})
      .map((items) => `[${items.map(([one, after]) => ` ${one}${after}`).join(',')}]`),
    fc
      .uniqueArray(fc.tuple(key, tie('value')), {selector: ([name]) => name, maxLength: 3})
      .map((items) => `{${items.map(([name, one]) => ` ${name} = ${one} `).join(',')}}`),
  ),
}));
const line = fc
  .tuple(blank, fc.array(key, {minLength: 1, maxLength: 2}), blank, value, nothing)
  .map(
    ([before, parts, around, one, after]) => `${before}${parts.join(`${around}.`)}${around}=${around}${one}${after}\n`,
  );
const header = fc
  .tuple(blank, fc.array(key, {minLength: 1, maxLength: 3}), fc.boolean(), nothing)
  .map(
    ([before, parts, isArray, after]) =>
      `${before}${isArray ? '[[' : '['}${parts.join(' . ')}${isArray ? ']]' : ']'}${after}\n`,
  );
const documents = fc
  .array(fc.oneof({weight: 3, arbitrary: line}, {weight: 2, arbitrary: header}, nothing), {maxLength: 8})
  .map((parts) => parts.join(''));

/** Every key, element and table of a parsed text, by path. */
function pathsOf(found: unknown, path: (string | number)[] = []): string[] {
  if (found === null || typeof found !== 'object' || found instanceof Date) return [];
  const children: [string | number, unknown][] = Array.isArray(found) ? [...found.entries()] : Object.entries(found);
  return children.flatMap(([name, child]) => [JSON.stringify([...path, name]), ...pathsOf(child, [...path, name])]);
}

function parsed(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

test('in any text that the parser accepts, exactly the keys that the parser gives have a place, and it is theirs', () => {
  let accepted = 0;
  fc.assert(
    fc.property(documents, (text) => {
      const root = parsed(text);
      if (root === undefined) return;
      accepted += 1;
      const places = findPlaces(text);
      expect(
        places
          .paths()
          .map((path) => JSON.stringify(path))
          .sort(),
      ).toEqual(pathsOf(root).sort());
      const lines = text.split('\n');
      for (const path of places.paths()) {
        const {line: row, column} = places.find(path);
        const rest = lines[row - 1]?.slice(column - 1) ?? '';
        // An element stands where its value begins; a key begins with itself, in whatever quotes, and a table with a
        // bracket.
        const name = path.at(-1);
        if (typeof name === 'string' && /^[a-c0]/.test(name)) expect(rest).toMatch(new RegExp(`^(?:\\[|["']?${name})`));
      }
    }),
    {numRuns: 1500},
  );
  expect(accepted).toBeGreaterThan(300);
});
