import {describe, expect, test} from '@jest/globals';
import {compilePattern} from './pattern-lines.js';

const pattern = (text: string, isCaseSensitive = true) =>
  compilePattern(text, {isLiteral: false, isCaseSensitive, parameter: 'pattern'});

/** The error, as a caller sees it. */
async function faultOf(text: string, {isLiteral = false, parameter = 'pattern'} = {}): Promise<unknown> {
  return compilePattern(text, {isLiteral, isCaseSensitive: true, parameter}).then(
    () => 'no fault',
    ({code, message, hint, data}: {code: string; message: string; hint: string; data: {position: number}}) => {
      expect(code).toBe('PATTERN_INVALID');
      return [message, hint, data.position];
    },
  );
}

const LINE_END = 'Search for a part of one line; $ is its end.';
const FLAGS =
  'Leave them out: only (?i) at the beginning is known, `.` stops at line ends, and ^ and $ are those of each line.';
const ONE_LINE = 'a line end, where a pattern is held against one line at a time,';

describe('a pattern that cannot be used', () => {
  test.each([
    ['foo(bar', 'unterminated group', 4, 'Escape it as \\( to find the character itself, or set fixed_strings.'],
    ['foo(?:a(b)', 'unterminated group', 4, 'Escape it as \\( to find the character itself, or set fixed_strings.'],
    [
      'foo)',
      'unmatched closing parenthesis',
      4,
      'Escape it as \\) to find the character itself, or set fixed_strings.',
    ],
    [
      'x[abc',
      'unterminated character class',
      2,
      'Escape it as \\[ to find the character itself, or set fixed_strings.',
    ],
    ['*a', 'nothing to repeat', 1, 'Escape it as \\* to find the character itself, or set fixed_strings.'],
    ['a**', 'nothing to repeat', 3, 'Escape it as \\* to find the character itself, or set fixed_strings.'],
    ['é😀+?*', 'nothing to repeat', 5, 'Escape it as \\* to find the character itself, or set fixed_strings.'],
    [
      'a{2,1}',
      'numbers out of order in {} quantifier',
      6,
      'Escape it as \\} to find the character itself, or set fixed_strings.',
    ],
    ['[b-a]', 'range out of order in character class', 4, 'Correct it, or set fixed_strings.'],
    [
      'a\\',
      'nothing follows the backslash',
      2,
      'Escape it as \\\\ to find the character itself, or set fixed_strings.',
    ],
    ['\\p{Foo}', 'invalid property name', 6, 'Correct it, or set fixed_strings.'],
    ['\\p{L}\\-', 'invalid escape', 6, 'Escape it as \\\\ to find the character itself, or set fixed_strings.'],
    ['(?<a>x)(?<a>y)', 'duplicate capture group name', 12, 'Correct it, or set fixed_strings.'],
    ['a(?s)b', 'inline flags', 2, FLAGS],
    ['(?m:a)', 'inline flags', 1, FLAGS],
    ['(?-i)a', 'inline flags', 1, FLAGS],
    ['a(?i)b', 'inline flags', 2, FLAGS],
    ['(?P<n>a)', 'a group named as in Python', 1, 'Write (?<name>...) instead.'],
    ['(?i)foo(bar', 'unterminated group', 8, 'Escape it as \\( to find the character itself, or set fixed_strings.'],
    ['foo\\nbar', ONE_LINE, 4, LINE_END],
    ['\\r\\n', ONE_LINE, 1, LINE_END],
    ['a\\u000a', ONE_LINE, 2, LINE_END],
    ['a(b|[\\r\\n]+)', ONE_LINE, 5, LINE_END],
    ['(?i)😀{a\\n', ONE_LINE, 8, LINE_END],
    ['a\\0', 'a zero character, which no line has,', 2, LINE_END],
  ])('%j is refused with what is wrong and where', async (text, what, position, hint) => {
    expect(await faultOf(text)).toEqual([
      `The pattern "${text}" cannot be read: ${what} at character ${String(position)}.`,
      hint,
      position,
    ]);
  });

  test('what cannot be shown is spelled out', async () => {
    expect(await faultOf('a\nb')).toEqual([
      `The pattern "a\\x{a}b" cannot be read: ${ONE_LINE} at character 2.`,
      LINE_END,
      2,
    ]);
    expect(await faultOf('a\0b')).toEqual([
      'The pattern "a\\x{0}b" cannot be read: a zero character, which no line has, at character 2.',
      'Leave it out.',
      2,
    ]);
    expect(await faultOf('a\ud800b')).toEqual([
      'The pattern "a\\x{d800}b" cannot be read: half of a character at character 2.',
      'Leave it out.',
      2,
    ]);
  });

  test('a text that is looked for as it is may hold no line end and no half of a character', async () => {
    const isLiteral = true;
    expect(await faultOf('a\r\n', {isLiteral})).toEqual([
      `The pattern "a\\x{d}\\x{a}" cannot be read: ${ONE_LINE} at character 2.`,
      'Search for a part of one line.',
      2,
    ]);
    expect(await faultOf('\udc80', {isLiteral})).toEqual([
      'The pattern "\\x{dc80}" cannot be read: half of a character at character 1.',
      'Leave it out.',
      1,
    ]);
  });

  test('the sentence names the parameter, and only the pattern itself can be a fixed text', async () => {
    expect(await faultOf('(', {parameter: 'exclude_pattern'})).toEqual([
      'The exclude_pattern "(" cannot be read: unterminated group at character 1.',
      'Escape it as \\( to find the character itself.',
      1,
    ]);
  });

  test('a long one is shown around the place', async () => {
    const long = `${'a'.repeat(100)}(${'b'.repeat(100)}`;
    expect(await faultOf(long)).toEqual([
      `The pattern "...${'a'.repeat(30)}(${'b'.repeat(29)}..." cannot be read: unterminated group at character 101.`,
      'Escape it as \\( to find the character itself, or set fixed_strings.',
      101,
    ]);
  });

  test('nesting without end is refused before anything recurses', async () => {
    const hint = 'Ask for less at once.';
    const deep = `${'('.repeat(10_000)}a${')'.repeat(10_000)}`;
    expect(await faultOf(deep)).toEqual([
      `The pattern "...${'('.repeat(60)}..." cannot be read: groups nested more than 100 deep at character 101.`,
      hint,
      101,
    ]);
  });
});

describe('what each engine is given', () => {
  test('a plain pattern is the same for all', async () => {
    expect(await pattern('\\bneedle\\w+ x')).toEqual({
      given: '\\bneedle\\w+ x',
      isCaseSensitive: true,
      isLiteral: false,
      script: {source: '\\bneedle[0-9A-Z_a-z]+ x', flags: 'u'},
      rust: '(?-u:\\b)needle[0-9A-Z_a-z]+ x',
      pcre: '(?:(?<=[0-9A-Z_a-z])(?![0-9A-Z_a-z])|(?<![0-9A-Z_a-z])(?=[0-9A-Z_a-z]))needle[0-9A-Z_a-z]+ x',
    });
  });

  test('letters whose case does not count are written out, and a leading (?i) is one way to say so', async () => {
    const source = '[Bb][Kk\\u{212a}][Ss\\u{17f}]';
    expect((await pattern('bks', false)).script).toEqual({source, flags: 'u'});
    expect(await pattern('(?i)bks')).toMatchObject({
      given: '(?i)bks',
      isCaseSensitive: false,
      script: {source, flags: 'u'},
      rust: '(?-i)[Bb][Kk\\x{212a}][Ss\\x{17f}]',
    });
  });

  test('a text is given as it is, and JavaScript gets it escaped', async () => {
    const text = 'a.b(c)[d]{e}|^$*+?\\/-';
    const source = 'a\\.b\\(c\\)\\[d\\]\\{e\\}\\|\\^\\$\\*\\+\\?\\\\\\/-';
    const options = {isLiteral: true, parameter: 'pattern'};
    expect(await compilePattern(text, {...options, isCaseSensitive: true})).toEqual({
      given: text,
      isCaseSensitive: true,
      isLiteral: true,
      script: {source, flags: 'u'},
      rust: text,
      pcre: text,
    });
    expect(await compilePattern('A+é', {...options, isCaseSensitive: false})).toMatchObject({
      script: {source: '[Aa]\\u{2b}[\\u{c9}\\u{e9}]', flags: 'u'},
      rust: 'A+é',
      pcre: 'A+é',
    });
  });

  test('named groups are plain ones, and groups that nothing refers to are not kept', async () => {
    expect((await pattern('(?<a>x)(y)(?<b>z)\\k<b>')).script.source).toBe('(?:x)(?:y)(z)(?:\\1)');
  });

  test.each([
    ['a{1,1000}', ['script', 'rust', 'pcre']],
    ['a{1,100000}', ['script']],
    ['.{1,100000}', ['script']],
    ['(?:foo){60000}', ['script']],
    ['(?:a{1,1000}){1,1000}', ['script']],
    ['a{99999999999999999999}', ['script']],
    ['(?:(?:(?:a{99}){99}){99}){99}', ['script']],
    ['\\p{L}{1,2000}', ['script', 'pcre']],
    ['a'.repeat(10_000), ['script', 'rust']],
    ['ab|'.repeat(3000), ['script', 'rust']],
    [`${'(?:a|b'.repeat(100)}${')*'.repeat(100)}`, ['script', 'pcre']],
  ])('the engines that can hold %.40s are those it is given to', async (text, engines) => {
    const made = await pattern(text);
    expect(['script', 'rust', 'pcre'].filter((name) => name in made)).toEqual(engines);
    expect(() => new RegExp(made.script.source, made.script.flags).test('a'.repeat(50))).not.toThrow();
  });
});
