import {describe, expect, test} from '@jest/globals';
import fc from 'fast-check';
import {MarkdownStream} from '#kernel/terminal/dist/markdown/stream.js';
import {createPaint} from '#kernel/terminal/dist/style.js';

const tags: Readonly<Record<string, string>> = {
  strong: 'b',
  emphasis: 'i',
  underlined: 'u',
  struck: 's',
  dim: 'd',
  code: 'c',
};
const tagged = {
  paint: (style: string, text: string): string => (text === '' ? '' : `<${tags[style] ?? style}>${text}</>`),
  keepsMarks: false,
  saysWords: false,
  columns: () => 40,
};
const uncoloured = {...tagged, paint: (_: string, text: string): string => text, keepsMarks: true};
const spoken = {...uncoloured, keepsMarks: false, saysWords: true};
type Look = ConstructorParameters<typeof MarkdownStream>[0];

function render(look: Look, ...pieces: readonly string[]): string {
  const stream = new MarkdownStream(look);
  return pieces.map((piece) => stream.push(piece)).join('') + stream.end();
}

describe('with colours', () => {
  test.each([
    ['# Title', '<b>Title</>'],
    ['## A **b** `c`', '<b>A b <c>c</></>'],
    ['#hash', '#hash'],
    ['a **bold** b', 'a <b>bold</> b'],
    ['*i* _j_ snake_case_name 2 * 3 * 4', '<i>i</> <i>j</> snake_case_name 2 * 3 * 4'],
    ['**a *b* c**', '<b>a <i>b</> c</>'],
    ['***both***', '<i><b>both</></>'],
    ['~~gone~~', '<s>gone</>'],
    ['`code *x*` and ``a`b``', '<c>code *x*</> and <c>a`b</>'],
    ['an `open one', 'an `open one'],
    ['an **open one', 'an **open one'],
    ['[text](https://a.b/c_(d) "title")', 'text (<u>https://a.b/c_(d)</>)'],
    ['[https://a.b](https://a.b)', '<u>https://a.b</>'],
    ['![picture](p.png)', 'picture (<u>p.png</>)'],
    ['[not] a link, a[0](x', '[not] a link, a[0](x'],
    ['- one\n* **two**\n  1. three', '- one\n* <b>two</>\n  1. three'],
    ['- [x] done', '- [x] done'],
    ['> said **so**', '<d>> </>said <b>so</>'],
    ['---', '<d>--------------------</>'],
    ['\\*plain\\* \\d', '*plain* \\d'],
    ['a\n\n\n\nb\n\n', 'a\n\nb'],
    ['```ts\nconst *a* = `1`;\n\n\n# no\n```\nafter', '<d>```ts</>\nconst *a* = `1`;\n\n\n# no\n<d>```</>\nafter'],
    ['````\n```\nin\n````', '<d>````</>\n```\nin\n<d>```</>'],
    ['```\nopen', '<d>```</>\nopen\n<d>```</>'],
    ['| only | pipes |', '| only | pipes |'],
    ['a | b', 'a | b'],
    ['tab\there', 'tab\there'],
  ])('%j', (text, shown) => {
    expect(render(tagged, text)).toBe(`${shown}\n`);
  });

  test('a table stands in columns', () => {
    const table = '| a | **b** |\n|---|--:|\n| x | 1 |\n| `long` | 12 |\nafter';
    expect(render(createLook(), table)).toBe(
      '\u001b[1ma      b\u001b[22m\n\u001b[2m----  --\u001b[22m\nx      1\n\u001b[36mlong\u001b[39m  12\nafter\n',
    );
  });
});

function createLook(): Look {
  return {paint: createPaint(true), keepsMarks: false, saysWords: false, columns: () => 40};
}

describe('without colours', () => {
  test.each([
    ['# Title\n**b** *i* `c` ~~d~~ [t](u)', '# Title\n**b** *i* `c` ~~d~~ t (u)'],
    ['> q', '> q'],
  ])('nothing that marks something is lost of %j', (text, shown) => {
    expect(render(uncoloured, text)).toBe(`${shown}\n`);
  });

  test('a table that is too wide becomes lines', () => {
    const wide = 'x'.repeat(40);
    expect(render(uncoloured, `|name|value|\n|-|-|\n|a|${wide}|\n|b|${wide}|`)).toBe(
      `name: a\nvalue: ${wide}\n\nname: b\nvalue: ${wide}\n`,
    );
  });

  test('for who listens, code and tables are said in words', () => {
    expect(render(spoken, '# T\n**b**\n```py\nx\n```\n|a|b|\n|-|-|\n|1|2|')).toBe(
      'T\nb\nCode in py:\nx\nEnd of code.\na: 1\nb: 2\n',
    );
  });
});

const pieces = fc.array(
  fc.constantFrom(
    '*',
    '**',
    '_',
    '`',
    '```',
    '~~',
    '[',
    '](',
    ')',
    '!',
    '#',
    '# ',
    '- ',
    '> ',
    '1. ',
    '|',
    '|-|',
    '\n',
    '\n\n',
    '\r\n',
    '\r',
    ' ',
    'word',
    'a',
    '\\',
    '\u001b[31m',
    '\u202e',
    '日',
    '👩',
    '\t',
    '---',
    '~~~',
  ),
  {maxLength: 40},
);

test('the same text gives the same output however it is cut', () => {
  fc.assert(
    fc.property(pieces, fc.array(fc.nat(200)), fc.boolean(), (parts, cuts, hasColour) => {
      const text = parts.join('');
      const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
      const chunks = [0, ...places].map((from, index) => text.slice(from, places[index] ?? text.length));
      const look = hasColour ? createLook() : uncoloured;
      expect(render(look, ...chunks)).toBe(render(look, text));
    }),
    {numRuns: 3000},
  );
});

test('nothing of a model reaches the terminal that it would obey', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          pieces.map((parts) => parts.join('')),
          fc.string({unit: 'binary'}),
        ),
      ),
      (chunks) => {
        const shown = render(createLook(), ...chunks).replace(/\u001b\[(?:1|2|3|4|9|22|23|24|29|36|39)m/g, '');
        expect(shown).not.toMatch(
          /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/,
        );
        expect(render(uncoloured, ...chunks)).not.toContain('\u001b');
      },
    ),
    {numRuns: 500},
  );
});

test.each(['**', '`', '[', '*a *', '~~', '> - ', '|a'])(
  'a megabyte of %j in one line takes no longer than it should',
  (unit) => {
    const stream = new MarkdownStream(createLook());
    const chunk = unit.repeat(Math.floor(1000 / unit.length));
    const started = performance.now();
    for (let count = 0; count < 1000; count += 1) stream.push(chunk);
    stream.end();
    // What grows with the square of the length would take minutes.
    expect(performance.now() - started).toBeLessThan(20_000);
  },
);
