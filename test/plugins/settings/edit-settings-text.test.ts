import {describe, expect, test} from '@jest/globals';
import fc from 'fast-check';
import {appendSettingsText, editSettingsText} from '#plugins/settings/dist/edit-settings-text.js';
import {parseSettings} from '#plugins/settings/dist/settings-file.js';

describe('setting a key', () => {
  test.each<[string, {text: string; path: string[]; value: unknown; expected: string}]>([
    [
      'creates the sections on the way',
      {text: '{}\n', path: ['ui', 'theme'], value: 'x', expected: '{\n  "ui": {\n    "theme": "x"\n  }\n}\n'},
    ],
    [
      'replaces a value and nothing else',
      {
        text: '{\n  "a" : 1 , // one\n  "b":2\n}',
        path: ['a'],
        value: true,
        expected: '{\n  "a" : true , // one\n  "b":2\n}',
      },
    ],
    [
      'leaves the comment of the line before on its line',
      {text: '{\n  "a": 1 // one\n}', path: ['b'], value: 2, expected: '{\n  "a": 1, // one\n  "b": 2\n}'},
    ],
    [
      'stays behind a comment of several lines',
      {
        text: '{\n  "a": 1 /* one\n   still */\n}',
        path: ['b'],
        value: 2,
        expected: '{\n  "a": 1, /* one\n   still */\n  "b": 2\n}',
      },
    ],
    [
      'stays before a comment at the end',
      {text: '{\n  "a": 1\n  // end\n}', path: ['b'], value: 2, expected: '{\n  "a": 1,\n  "b": 2\n  // end\n}'},
    ],
    [
      'keeps tabs',
      {
        text: '{\n\t"a": 1\n}',
        path: ['b', 'c'],
        value: [1],
        expected: '{\n\t"a": 1,\n\t"b": {\n\t\t"c": [\n\t\t\t1\n\t\t]\n\t}\n}',
      },
    ],
    [
      'keeps line ends of Windows',
      {
        text: '{\r\n  "a": 1\r\n}\r\n',
        path: ['b'],
        value: {c: 1},
        expected: '{\r\n  "a": 1,\r\n  "b": {\r\n    "c": 1\r\n  }\r\n}\r\n',
      },
    ],
    ['keeps a byte order mark', {text: '\uFEFF{"a": 1}', path: ['a'], value: 2, expected: '\uFEFF{"a": 2}'}],
    [
      'keeps everything on one line',
      {text: '{"a": {"b": 1}, "c": {}}', path: ['c', 'd'], value: [1], expected: '{"a": {"b": 1}, "c": {"d": [1]}}'},
    ],
    ['keeps a list on one line', {text: '{\n  "a": [1, 2]\n}', path: ['a'], value: [3], expected: '{\n  "a": [3]\n}'}],
    [
      'puts the first key under a lone comment',
      {text: '{ // mine\n}', path: ['a'], value: 1, expected: '{ // mine\n  "a": 1\n}'},
    ],
    [
      'changes the one of two equal keys that counts',
      {text: '{"a": 1, "a": 2}', path: ['a'], value: 3, expected: '{"a": 1, "a": 3}'},
    ],
    [
      'is not led astray by braces and comment signs in strings',
      {text: '{\n  "a": "}, // no"\n}', path: ['b'], value: 1, expected: '{\n  "a": "}, // no",\n  "b": 1\n}'},
    ],
  ])('%s', (_, {text, path, value, expected}) => {
    expect(editSettingsText(text, path, value)).toBe(expected);
  });

  test('gives nothing when a value on the way is not an object', () => {
    expect(editSettingsText('{"ui": 5}', ['ui', 'theme'], 'x')).toBeUndefined();
  });
});

describe('adding to a list', () => {
  test.each<[string, {text: string; path: string[]; values: unknown[]; expected: string | undefined}]>([
    [
      'makes the list',
      {text: '{}\n', path: ['c', 'd'], values: ['x'], expected: '{\n  "c": {\n    "d": [\n      "x"\n    ]\n  }\n}\n'},
    ],
    [
      'keeps what stands there as it is written',
      {
        text: '{"d": ["$HOME/a" /* why */]}',
        path: ['d'],
        values: ['x', 'y'],
        expected: '{"d": ["$HOME/a", /* why */ "x", "y"]}',
      },
    ],
    [
      'keeps one element a line, with its comments',
      {
        text: '{\n  "d": [\n    "a", // one\n    "b" // two\n  ]\n}',
        path: ['d'],
        values: ['x'],
        expected: '{\n  "d": [\n    "a", // one\n    "b", // two\n    "x"\n  ]\n}',
      },
    ],
    [
      'fills an empty list',
      {text: '{\n  "d": []\n}', path: ['d'], values: ['x'], expected: '{\n  "d": [\n    "x"\n  ]\n}'},
    ],
    ['gives nothing when it is no list', {text: '{"d": "a"}', path: ['d'], values: ['x'], expected: undefined}],
  ])('%s', (_, {text, path, values, expected}) => {
    expect(appendSettingsText(text, path, values)).toBe(expected);
  });
});

describe('removing a key', () => {
  test.each<[string, {text: string; path: string[]; expected: string}]>([
    ['removes its line', {text: '{\n  "a": 1,\n  "b": 2\n}', path: ['a'], expected: '{\n  "b": 2\n}'}],
    [
      'removes the comma before the last one',
      {text: '{\n  "a": 1,\n  "b": 2\n}', path: ['b'], expected: '{\n  "a": 1\n}'},
    ],
    [
      'keeps the comments around it',
      {
        text: '{\n  // above\n  "a": 1, // beside\n  "b": 2\n}',
        path: ['a'],
        expected: '{\n  // above\n  // beside\n  "b": 2\n}',
      },
    ],
    [
      'keeps the comment beside the last one',
      {text: '{\n  "a": 1,\n  "b": 2 // beside\n}', path: ['b'], expected: '{\n  "a": 1\n  // beside\n}'},
    ],
    [
      'is not misled by a comma in a comment',
      {text: '{"a": 1 /* , */, "b": 2}', path: ['b'], expected: '{"a": 1 /* , */}'},
    ],
    [
      'removes sections that are left empty',
      {text: '{\n  "a": {"b": {"c": 1}},\n  "d": 2\n}', path: ['a', 'b', 'c'], expected: '{\n  "d": 2\n}'},
    ],
    [
      'keeps a section with a comment in it',
      {text: '{"a": {"b": 1 /* why */}}', path: ['a', 'b'], expected: '{"a": { /* why */}}'},
    ],
    ['removes every one of equal keys', {text: '{"a": 1, "b": 2, "a": 3}', path: ['a'], expected: '{"b": 2}'}],
    ['changes nothing when the key is not there', {text: '{ "a" : 1 }', path: ['b', 'c'], expected: '{ "a" : 1 }'}],
    ['changes nothing below a value that is not an object', {text: '{"a": 1}', path: ['a', 'b'], expected: '{"a": 1}'}],
  ])('%s', (_, {text, path, expected}) => {
    expect(editSettingsText(text, path, undefined)).toBe(expected);
  });
});

const blank = fc.constantFrom('', ' ', '\n', '\n  ', ' // c, "x": {\n', ' /* } , */ ', '\n  // line\n  ', '\t');
const name = fc.constantFrom('a', 'b', 'c.d', '', 'ü', '//', '{');
const scalar = fc.oneof(fc.integer(), fc.boolean(), fc.constant(null), fc.string());

/** Anything that parses: comments and blanks anywhere, any nesting. */
const {wild} = fc.letrec<{wild: string; value: string}>((tie) => ({
  value: fc.oneof(
    {depthSize: 'small'},
    scalar.map((value) => JSON.stringify(value)),
    tie('wild'),
    fc.array(scalar, {maxLength: 2}).map((list) => JSON.stringify(list)),
  ),
  wild: fc
    .tuple(
      blank,
      fc.uniqueArray(fc.tuple(name, tie('value'), blank, blank, blank), {selector: ([key]) => key, maxLength: 3}),
    )
    .map(
      ([inside, entries]) =>
        `{${inside}${entries.map(([key, value, before, between, after]) => `${before}${JSON.stringify(key)}${between}: ${value}${after}`).join(',')}}`,
    ),
}));

interface Entry {
  readonly key: string;
  readonly value: unknown;
  readonly above: string;
  readonly beside: string;
}

/**
 * Laid out as people do: one line for each key with comments above and beside it, sections indented, short objects on
 * one line.
 */
const {neat} = fc.letrec<{neat: (indent: string) => string; value: (indent: string) => string}>((tie) => ({
  value: fc.oneof(
    {depthSize: 'small'},
    scalar.map((value) => () => JSON.stringify(value)),
    tie('neat'),
    fc.constant(() => '{"p": 1, "q": [2]}'),
  ),
  neat: fc
    .tuple(
      fc.uniqueArray(
        fc.record({
          key: name,
          value: tie('value'),
          above: fc.constantFrom('', '// above', '/* two\n lines */', ' '),
          beside: fc.constantFrom('', ' // beside, "x"', ' /* b */'),
        }),
        {selector: ({key}) => key, minLength: 1, maxLength: 3},
      ),
      fc.constantFrom('', '// end'),
    )
    .map(
      ([entries, end]) =>
        (indent: string) =>
          layOut(entries, end, indent),
    ),
}));

function layOut(entries: readonly Entry[], end: string, indent: string): string {
  const inner = `${indent}  `;
  const lines = entries.map(({key, value, above, beside}, index) => {
    const comma = index < entries.length - 1 ? ',' : '';
    return (
      `${above ? `${inner}${above}\n` : ''}${inner}${JSON.stringify(key)}: ` +
      `${(value as (indent: string) => string)(inner)}${comma}${beside}\n`
    );
  });
  return `{\n${lines.join('')}${end ? `${inner}${end}\n` : ''}${indent}}`;
}

const ending = fc.constantFrom('', '\n', '\n// the end\n');

describe('any settings file', () => {
  test('holds the new value and all others after a key is set', async () => {
    await fc.assert(
      fc.asyncProperty(
        wild,
        fc.array(name, {minLength: 1, maxLength: 3}),
        fc.oneof(scalar, fc.constant({x: [1]})),
        async (text, path, value) => {
          const edited = editSettingsText(text, path, value);
          fc.pre(edited !== undefined);
          expect(await parseSettings('file', edited)).toEqual(
            withValue(await parseSettings('file', text), path, value),
          );
        },
      ),
      {numRuns: 400},
    );
  });

  test('keeps every comment when a new key is set and removed again, however it is laid out', async () => {
    await fc.assert(
      fc.asyncProperty(wild, fc.array(name, {maxLength: 2}), scalar, async (text, section, value) => {
        const path = [...section, 'new key'];
        const edited = editSettingsText(text, path, value);
        fc.pre(edited !== undefined);
        const restored = editSettingsText(edited, path, undefined);
        expect([commentsOf(edited), commentsOf(restored ?? '')]).toEqual([commentsOf(text), commentsOf(text)]);
        expect(leavesOf(await parseSettings('file', restored ?? ''))).toEqual(
          leavesOf(await parseSettings('file', text)),
        );
      }),
      {numRuns: 400},
    );
  });

  test('is byte for byte the same after a new key is set and removed again, when laid out as people do', () => {
    fc.assert(
      fc.property(
        neat,
        ending,
        fc.array(name, {maxLength: 2}),
        fc.oneof(scalar, fc.constant({x: [1]})),
        (layout, end, section, value) => {
          const text = layout('') + end;
          const path = [...section, 'new key'];
          const edited = editSettingsText(text, path, value);
          fc.pre(edited !== undefined);
          expect(editSettingsText(edited, path, undefined)).toBe(text);
        },
      ),
      {numRuns: 400},
    );
  });
});

function commentsOf(text: string): readonly string[] {
  return [...text.matchAll(/"(?:[^"\\]|\\.)*"|(\/\/[^\n]*|\/\*.*?\*\/)/g)].flatMap(([, comment]) =>
    comment ? [comment] : [],
  );
}

function withValue(
  settings: Record<string, unknown>,
  [key = '', ...rest]: readonly string[],
  value: unknown,
): Record<string, unknown> {
  const inner = settings[key];
  return {
    ...settings,
    [key]: rest.length === 0 ? value : withValue((inner ?? {}) as Record<string, unknown>, rest, value),
  };
}

/** What the settings hold; sections that are empty hold nothing. */
function leavesOf(value: unknown, path = ''): readonly string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return [`${path} = ${JSON.stringify(value)}`];
  return Object.entries(value).flatMap(([key, part]) => leavesOf(part, `${path}/${key}`));
}
