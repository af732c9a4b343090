import {execFile} from 'node:child_process';
import {writeFile} from 'node:fs/promises';
import {promisify} from 'node:util';
import type {LinePattern} from '#plugins/search/dist/pattern/line-pattern.js';
import {ripgrepProgram} from './ripgrep-program.js';
import {decodeBytes} from '#plugins/search/dist/engine/bytes.js';

const run = promisify(execFile);

export const {compilePattern} = await import('#plugins/search/dist/pattern/compile-pattern.js');

/** The exit code of ripgrep. */
const NOTHING_FOUND = 1;

const TEXTS = [
  ...[
    '',
    'foo',
    'FOO',
    'foobar',
    'foo bar',
    ' foo',
    'bar',
    'const value = foo(bar);',
    'class Foo {',
    '}',
    'a]',
    'a-b',
    'a.b',
    'a\\b',
    'a/b',
    '$5',
    '^',
    '|',
    'x*y',
    '[x]',
    '"q"',
    "it's",
  ],
  ...[
    'aa',
    'aba',
    'abab',
    'aaa',
    'ab',
    'ba',
    'abc',
    'ABC',
    'aB',
    'a b a b',
    'a a',
    'the the',
    'The the',
    '<b>x</b>',
    '<b>x</i>',
    'key=value',
    '2024-01-31',
    '0x1F',
    '12',
    '1',
    'a_b',
    '_',
    '-',
    '--flag',
  ],
  ...[
    'tab\there',
    'page\fbreak',
    'no\u00a0break',
    'line\u2028separator',
    '\u2029',
    '\ufeffmark',
    '\u3000',
    '\u0085',
    '\u180e',
    'a\rb',
    '\r',
    'a\r',
    '\u0001',
  ],
  ...[
    'é',
    'e\u0301',
    'É',
    'aéa',
    'né',
    'straße',
    'STRASSE',
    'ẞ',
    'ſ',
    's',
    'S',
    'ſaſ',
    '\u212a',
    'k',
    'K',
    'a\u212a',
    'İ',
    'i',
    'I',
    'ı',
    'i\u0307',
    'ΣΑΣ',
    'σας',
    'µ',
    'μ',
    'Å',
    '\u212b',
    'ǅ',
    'ǆ',
  ],
  ...[
    '😀',
    'a😀b',
    '😀😀',
    '𝒜',
    '𐐀',
    '𐐨',
    '日本語',
    'ひらがな',
    'Привет',
    'ПРИВЕТ',
    'שלום',
    '١٢٣',
    '½',
    'Ⅷ',
    '€',
    '\u200d',
    '\u0345',
    'ι',
    '\ue000',
    '\uffff',
    '\u{10ffff}',
    '\ufffd',
  ],
];
const BYTES = [
  'ff',
  '61ff',
  'ff61',
  '61ff62',
  'fffe',
  '61fffe62',
  'c3',
  '61c362',
  'eda080',
  '61eda08062',
  'f09f98',
  '666f6fff',
  'ff666f6f',
  'c3a9ffc3a9',
  'f8888080',
  'e282',
  '20ff20',
  'c0af',
  'ff20666f6f',
  '61ff0d',
];

/** Lines with and without `\r`, with characters of every kind, and with bytes that are no UTF-8. */
export const LINES: readonly Buffer[] = [
  ...TEXTS.map((text) => Buffer.from(text)),
  ...TEXTS.slice(0, 40).map((text) => Buffer.from(`${text}\r`)),
  ...BYTES.map((hexadecimal) => Buffer.from(hexadecimal, 'hex')),
];

/** The numbers of the lines that a pattern matches. */
export interface Answers {
  readonly script: readonly number[];
  readonly rust?: readonly number[];
  readonly pcre?: readonly number[];
}

/** Writes the lines to the file and gives what holds a pattern against them in every engine that claims it. */
export async function linesOf(
  file: string,
  lines: readonly Buffer[],
): Promise<(pattern: LinePattern) => Promise<Answers>> {
  const program = ripgrepProgram();
  await writeFile(file, Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')])));
  const texts = lines.map((line) => decodeBytes(line).replace(/\r$/, ''));
  const ask = async (pattern: string, ...switches: readonly string[]): Promise<number[]> => {
    const found = await run(
      program,
      [
        '--no-config',
        '--text',
        '--line-number',
        '--no-filename',
        '--color=never',
        ...switches,
        '-e',
        pattern,
        '--',
        file,
      ],
      {encoding: 'latin1'},
    ).catch((error: {code?: unknown}) => {
      if (error.code !== NOTHING_FOUND) throw error;
      return {stdout: ''};
    });
    return found.stdout.split('\n').flatMap((line) => (line === '' ? [] : [Number.parseInt(line)]));
  };
  return async ({script, rust, pcre, isLiteral, isCaseSensitive}) => {
    const regex = new RegExp(script.source, script.flags);
    const switches = [
      ...(isLiteral ? ['--fixed-strings'] : []),
      isCaseSensitive ? '--case-sensitive' : '--ignore-case',
    ];
    return {
      script: texts.flatMap((text, at) => (regex.test(text) ? [at + 1] : [])),
      ...(rust !== undefined && {rust: await ask(rust, ...switches)}),
      ...(pcre !== undefined && {pcre: await ask(pcre, '--pcre2', ...switches)}),
    };
  };
}
