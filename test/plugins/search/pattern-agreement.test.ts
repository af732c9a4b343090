import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from '@jest/globals';
import fc from 'fast-check';
import type {LinePattern} from '../../../plugins/search/src/pattern/line-pattern.js';
import {temporaryDirectory} from '../workspace/temporary-directory.js';
import {anyLine, anyPattern} from './pattern-arbitrary.js';
import {compilePattern, LINES, linesOf, type Answers} from './pattern-lines.js';

const EVERYWHERE = [
  ...[
    '',
    'foo',
    'o',
    'foo|bar',
    'foo|',
    '^foo',
    'foo$',
    '^foo$',
    '^$',
    '$',
    '^',
    '^.$',
    '^..$',
    '^.*$',
    '.',
    'f.o',
    '^[^]$',
    '^[^a]$',
    '^[^a-z]+$',
    '[a-c]',
    '[]',
    '[]|b',
    'a[^b]a',
    '[\\n\\ra]',
    '^[\\s\\S]$',
    '^[^\\n]$',
    '[.]',
    '[$]',
  ],
  ...[
    '\\bfoo\\b',
    '\\bb',
    'b\\b',
    '\\b',
    'o\\b',
    '\\bS',
    's\\b',
    '\\bk\\b',
    '\\bé',
    'a\\b',
    '\\d',
    '^\\d+$',
    '\\D',
    '^\\D$',
    '\\w',
    '^\\w$',
    '\\W',
    '^\\W$',
    '\\s',
    '^\\s$',
    '\\S',
    '^\\S$',
    '[\\w-]+',
    '^[\\W]$',
    '^[^\\w]$',
    '^[^\\W]$',
    '^[\\d\\D]$',
    '[^\\s\\w]',
  ],
  ...[
    'a{2}',
    'a{2,}',
    'a{1,2}b',
    '^a{0}$',
    'a{0,1}b',
    'a*',
    'a+?b',
    'a??b',
    '(?:ab)+',
    '(ab)*',
    '(?:ab){2}',
    '^(a|b)+$',
    '(?:a|ab)(?:c|b)',
    '^(?:)*$',
    '^(?:a?){3}$',
    '(?<name>a)b',
    '((a))',
    'foo\\r?$',
    '(?:^|\\s)foo',
    'foo(?:\\s|$)',
    '(?:foo$|^bar)',
    '(?:$)',
    '(?:a$)+',
  ],
  ...[
    'class Foo {',
    'a]',
    'a\\-b',
    '}',
    '{',
    '^}$',
    'x\\*y',
    '\\[x\\]',
    '\\/',
    'a\\\\b',
    '\\^',
    '\\|',
    '\\$5',
    '"',
    "it's",
    '\\.',
    '-',
    '--flag',
    '#',
    ' ',
    '  ',
    '\\ ',
    '\\:',
    '\\"',
    '\\<',
    '<b>',
    'a&&b',
    '[a&&b]',
    '[a~~b]',
    '[[]',
    '[[:alpha:]]',
  ],
  ...[
    '\\t',
    '\\f',
    '\\v',
    '\\x61',
    '\\u0061',
    '\\u{61}',
    '\\u{1F600}',
    '\\ud83d\\ude00',
    '😀',
    '^😀+$',
    '[😀-😎]',
    '^[😀é]$',
    '😀\\-?',
    '[😀\\-x]{1,2}$|{',
    '\\ud83d\\ude00|\\-',
    'é',
    'É',
    'e\u0301',
    '^é$',
    '[à-ï]',
    'ß',
    'ẞ',
    'ſ',
    '\u212a',
    'k',
    's',
    'S',
    'i',
    'I',
    'İ',
    'ı',
    'σ',
    'ς',
    'Σας',
    'µ',
    'å',
    'ǆ',
    '𐐀',
    '[𐐀-𐐂]',
  ],
  ...[
    'привет',
    '[а-я]+',
    '^[^а-я]$',
    '[k-s]',
    '^[^k]$',
    '^[^s]$',
    '\\u2028',
    '\\u0085',
    '\\ufffd',
    '[\\ud800-\\udfff]',
    '^[^\\ud800]$',
    '\\cA',
    '\\1',
    '[\\b]',
    '[\\1]',
    '\\a',
    '(?i)FoO',
    '(?i)^ΣΑΣ$',
    '\\p{L}',
    '^\\p{Lu}$',
    '^\\P{L}$',
    '^[^\\p{L}]$',
    '^[\\p{L}\\d]$',
    '[\\P{ASCII}a]',
    '\\p{Script=Greek}',
    '^\\p{sc=Han}+$',
    '\\p{Nd}',
    '\\p{White_Space}',
    '\\p{Uppercase_Letter}',
    '^\\p{Any}$',
    '^[^\\P{L}a]$',
    '\\p{Cc}',
  ],
];
const BACKTRACKING = [
  ...[
    'foo(?=bar)',
    'foo(?!bar)',
    '(?<=foo)bar',
    '(?<!foo)bar',
    '(?<!a)b',
    '^(?!.*foo)',
    '^(?!foo$)',
    'a(?=$)',
    '(?=$)',
    '(?<=^)a',
    '(?<=^|\\s)foo',
    '(?<=\\b)o',
    '(?=.*a)(?=.*b)',
    'a(?!)',
    '(?=)',
    '(?:(?=a))*b',
    '(?=a)*b',
    '(?!a)?a',
    '(?<=[^a])b',
    '(?<![^a])b',
    '(?<=😀)b',
    '(?<!\\S)a',
    'a(?!\\S)',
    '(?!\\n)a$',
  ],
  ...[
    '(a)\\1',
    '(\\w)\\1',
    '\\b(\\w+) \\1\\b',
    '<(\\w+)>.*</\\1>',
    '(?<q>a)\\k<q>',
    '(a)|b\\1',
    '^(?:(a)|b)\\1$',
    '(a)?\\1b',
    '(a|b)*\\1',
    '\\1(a)',
    '((a)b)\\2',
    '(.)(.)\\2\\1',
    '(s)\\1',
    '(k|s).*\\1',
    '(?:(\\w)\\1)+',
    '(?=(a))\\1',
    '(a)\\1{2}',
    '([ab])\\1?$',
  ],
  ...[
    'a\\B',
    '\\Ba',
    '^\\B$',
    '\\Bo',
    '[^a]\\B',
    '\\B.\\B',
    '$^',
    'a$\\b',
    '(?:\\b|$)*',
    '\\b$\\b',
    '(?:$|\\b){2}',
    '$(?:^)',
  ],
];
const SCRIPT = [
  '(?<=s)|a(?=b)',
  '(?<=foo).*',
  '\\B',
  '(?:$)\\B',
  '(?!)',
  '(?<!a)',
  '(?!a)|b',
  '(?!(a))\\1b',
  '(?<=a+)b',
  '(?<=a|bc|^)(?<=a?)b',
  '(?<!fo*)b',
  '^(?:(a)|b)*\\1$',
  '(?:(?=(a)))?\\1b',
  '(a\\1)b',
  '(?<=(a)\\1)b',
  '(?:\\1(a))+',
  '(?:(a)|(b)\\1)+',
];
const UNKNOWN_PROPERTIES = [
  '\\p{Script_Extensions=Greek}',
  '\\p{Cn}',
  '[a\\p{Cs}]',
  '\\p{Extended_Pictographic}',
  '\\P{Unassigned}',
];

/** The same each time, so that a failure can be had again. */
const MADE_LINES = [...LINES, ...fc.sample(anyLine, {numRuns: 500, seed: 5})];

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let ask: Awaited<ReturnType<typeof linesOf>>;
beforeAll(async () => {
  directory = await temporaryDirectory();
  ask = await linesOf(join(directory.path, 'lines.txt'), MADE_LINES);
});
afterAll(() => directory[Symbol.asyncDispose]());

/** What an engine other than JavaScript finds otherwise. */
function differences({script, ...others}: Answers): readonly string[] {
  return Object.entries(others).flatMap(([engine, numbers]) => {
    const missing = script.filter((number) => !numbers.includes(number));
    const extra = numbers.filter((number) => !script.includes(number));
    return [
      ...missing.map((number) => `${engine} misses ${shown(number)}`),
      ...extra.map((number) => `${engine} adds ${shown(number)}`),
    ];
  });
}

function shown(number: number): string {
  return (
    `line ${String(number)} ${MADE_LINES[number - 1]?.toString('hex') ?? ''} ` +
    `${JSON.stringify(MADE_LINES[number - 1]?.toString())}`
  );
}

async function expectAgreement(patterns: readonly string[], engines: readonly string[]): Promise<void> {
  for (const text of patterns) {
    const found = await Promise.all(
      [true, false].map(async (isCaseSensitive) => {
        const answers = await ask(
          await compilePattern(text, {isLiteral: false, isCaseSensitive, parameter: 'pattern'}),
        );
        return {engines: Object.keys(answers), differences: differences(answers)};
      }),
    );
    expect({text, found}).toEqual({
      text,
      found: [
        {engines, differences: []},
        {engines, differences: []},
      ],
    });
  }
}

describe('the same lines in every engine', () => {
  test('for what all of them know', () => expectAgreement(EVERYWHERE, ['script', 'rust', 'pcre']));
  test('for look-around, back-references and what only a backtracking engine can ask', () =>
    expectAgreement(BACKTRACKING, ['script', 'pcre']));
  test('PCRE2 is not asked what it would answer otherwise', () => expectAgreement(SCRIPT, ['script']));
  test('properties that the engines see differently are left to JavaScript', () =>
    expectAgreement(UNKNOWN_PROPERTIES, ['script']));

  test('a text is found as it is', async () => {
    const texts = [
      '',
      'foo',
      'a.b',
      'a]',
      '$5',
      '^',
      '|',
      'a\\b',
      'x*y',
      '[x]',
      'a/b',
      '--flag',
      'é',
      '😀',
      'k',
      'ſ',
      'ß',
      'ΣΑΣ',
      '\t',
      '(?i)foo',
    ];
    for (const text of texts) {
      for (const isCaseSensitive of [true, false]) {
        const answers = await ask(await compilePattern(text, {isLiteral: true, isCaseSensitive, parameter: 'pattern'}));
        expect({text, isCaseSensitive, engines: Object.keys(answers), differences: differences(answers)}).toEqual({
          text,
          isCaseSensitive,
          engines: ['script', 'rust', 'pcre'],
          differences: [],
        });
      }
    }
  });

  test('for any pattern that can be read, on any line', async () => {
    await fc.assert(
      fc.asyncProperty(anyPattern, fc.boolean(), async (text, isCaseSensitive) => {
        const pattern = await compiled(text, isCaseSensitive);
        fc.pre(pattern !== undefined);
        expect(differences(await ask(pattern))).toEqual([]);
      }),
      {numRuns: 150},
    );
  });

  test('and they are those that JavaScript itself finds', async () => {
    // Where the dialect says more than JavaScript: line ends, bytes that are no UTF-8, and what follows from the cases
    // of s and k.
    const ordinary = fc
      .sample(anyLine, {numRuns: 300, seed: 6})
      .map(String)
      .filter((text) => !/[\r\u2028\ufffd\u017f\u212a\u{10000}-\u{10ffff}]/u.test(text));
    expect(ordinary.length).toBeGreaterThan(50);
    await fc.assert(
      fc.asyncProperty(anyPattern, fc.boolean(), async (text, isCaseSensitive) => {
        fc.pre(isCaseSensitive || !/\\p|[\u017f\u212a]/iu.test(text));
        const own = compiledByItself(text, isCaseSensitive);
        const pattern = await compiled(text, isCaseSensitive);
        fc.pre(own !== undefined && pattern !== undefined);
        const regex = new RegExp(pattern.script.source, pattern.script.flags);
        expect(ordinary.filter((line) => regex.test(line))).toEqual(ordinary.filter((line) => own.test(line)));
      }),
      {numRuns: 500},
    );
  });
});

/** Undefined for one that cannot be read. */
function compiled(text: string, isCaseSensitive: boolean): Promise<LinePattern | undefined> {
  return compilePattern(text, {isLiteral: false, isCaseSensitive, parameter: 'pattern'}).catch(
    (error: {code?: unknown}) => {
      if (error.code !== 'PATTERN_INVALID') throw error;
      return undefined;
    },
  );
}

function compiledByItself(text: string, isCaseSensitive: boolean): RegExp | undefined {
  try {
    return new RegExp(text, isCaseSensitive ? 'u' : 'iu');
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
