import {open, rm, truncate, writeFile} from 'node:fs/promises';
import {describe, expect, test} from '@jest/globals';
import fc from 'fast-check';
import type {LinePattern} from '#plugins/search/dist/pattern/line-pattern.js';
import {buildTree, type Tree} from './tree.js';
import {compilePattern} from '#plugins/search/dist/pattern/compile-pattern.js';
import {createJavascriptEngine} from '#plugins/search/dist/javascript/javascript-engine.js';
import {requiredTexts} from '#plugins/search/dist/javascript/required-text.js';
import {planMatch} from '#plugins/search/dist/javascript/match-task.js';
import {createLineFinder} from '#plugins/search/dist/javascript/line-finder.js';
import {createBlock, matchFile} from '#plugins/search/dist/javascript/match-file.js';
import {decodeBytes} from '#plugins/search/dist/engine/bytes.js';
import {cutLine, LONGEST_KEPT} from '#plugins/search/dist/engine/cut-line.js';
import {EngineRefused, type FileMatches, type Matched, type MatchRequest} from '#plugins/search/dist/engine/engine.js';

let walked = 0;
const engine = createJavascriptEngine({
  info: {name: 'javascript', reason: 'A test.'},
  cores: 2,
  workspace: {
    ignoreWalk: async () => ({
      entries: async (_, entries) => {
        walked += 1;
        return entries.map(() => false);
      },
    }),
  },
});

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

function literal(given: string, isCaseSensitive = true): LinePattern {
  return {
    given,
    isCaseSensitive,
    isLiteral: true,
    script: {source: escaped(given), flags: isCaseSensitive ? 'u' : 'iu'},
  };
}

function regex({source, flags}: RegExp): LinePattern {
  return {given: source, isCaseSensitive: !flags.includes('i'), isLiteral: false, script: {source, flags}};
}

type Asked = Partial<Omit<MatchRequest, 'pattern'>>;

function matchIn(tree: Tree, pattern: LinePattern, asked: Asked = {}): Promise<Matched> {
  return engine.match({
    places: [{path: tree.path, root: tree.path, bases: [tree.path], isFile: false}],
    ignore: {},
    withoutFolders: [],
    withoutEndings: [],
    pattern,
    mostPerFile: Infinity,
    most: Infinity,
    signal: new AbortController().signal,
    accept: async (files) => files,
    ...asked,
  });
}

/** `path:number:text` of each line. */
async function linesIn(tree: Tree, pattern: LinePattern, asked: Asked = {}): Promise<readonly string[]> {
  return shown(tree, (await matchIn(tree, pattern, asked)).files);
}

function shown(tree: Tree, files: readonly FileMatches[]): readonly string[] {
  return files.flatMap(({path, lines}) => lines.map(({number, text}) => `${tree.inside([path])[0]}:${number}:${text}`));
}

const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');

describe('lines and files', () => {
  test('come in order, however long each file takes [search.order]', async () => {
    const large = `${'x'.repeat(99)}\n`.repeat(20_000);
    const names = Array.from({length: 60}, (_, index) => `d${String(index).padStart(2, '0')}/f`);
    await using tree = await buildTree(
      Object.fromEntries(names.map((name, index) => [name, `${index % 7 === 0 ? large : ''}one needle\n\nneedle two`])),
    );
    const expected = names.flatMap((name, index) => [
      `${name}:${index % 7 === 0 ? 20_001 : 1}:one needle`,
      `${name}:${index % 7 === 0 ? 20_003 : 3}:needle two`,
    ]);
    expect(await linesIn(tree, literal('needle'))).toEqual(expected);
  });

  test.each<readonly [string, string | Buffer, LinePattern, readonly string[]]>([
    [
      'a line end of two characters is no part of a line, nor is the first of them at the end of the file',
      'a\r\nb\r\r\nc\r',
      regex(/./u),
      ['1:a', '2:b\r', '3:c'],
    ],
    [
      'an empty pattern fits every line, and there is none after the last line end',
      'a\n\nb\n',
      regex(/(?:)/u),
      ['1:a', '2:', '3:b'],
    ],
    ['an empty file has no line', '', regex(/^/u), []],
    ['a byte order mark is no part of the first line', '\ufeffa\nb', regex(/^[ab]/u), ['1:a', '2:b']],
    ['a file of nothing but a mark has no line', '\ufeff', regex(/^/u), []],
    ['a mark elsewhere is a character', 'x\n\ufeffa', regex(/^\ufeffa$/u), ['2:\ufeffa']],
    ['UTF-16 is decoded', utf16('ä\r\nb😀\n\nlast'), regex(/^.*$/u), ['1:ä', '2:b😀', '3:', '4:last']],
    [
      'UTF-16 the other way round is decoded',
      utf16('ä\r\nb😀\n\nlast').swap16(),
      regex(/^.*$/u),
      ['1:ä', '2:b😀', '3:', '4:last'],
    ],
    [
      'half a unit of UTF-16 is a replacement character',
      Buffer.concat([utf16('ab'), Buffer.from([7])]),
      literal('ab'),
      ['1:ab\ufffd'],
    ],
    [
      'half a unit of UTF-16 the other way round is one too',
      Buffer.concat([utf16('ab').swap16(), Buffer.from([7])]),
      literal('ab'),
      ['1:ab\ufffd'],
    ],
    ['half a pair of UTF-16 is one too', utf16('a\ud800b'), literal('a'), ['1:a\ufffdb']],
    ['UTF-16 with a zero character is binary', utf16('needle\0'), literal('needle'), []],
    ['UTF-32 is binary', Buffer.concat([Buffer.from([0xff, 0xfe, 0, 0]), Buffer.from('n\0\0\0')]), literal('n'), []],
    [
      'bytes that are no UTF-8 are kept',
      Buffer.from('caf\xe9 needle\nnext\n', 'latin1'),
      literal('needle'),
      ['1:caf\udce9 needle'],
    ],
    [
      'a literal is found in a line of odd bytes',
      Buffer.from('\xe2\x82needle\xf0\n\xe9', 'latin1'),
      regex(/needle/iu),
      ['1:\udce2\udc82needle\udcf0'],
    ],
    [
      'the Kelvin sign and the long s are letters like others',
      '\u212aELVIN\nlo\u017ft\nkelvi\n',
      regex(/kelvin|lost/iu),
      ['1:\u212aELVIN', '2:lo\u017ft'],
    ],
    [
      'letters beyond ASCII are compared without case',
      'ÄPFEL\näpfel\napfel',
      literal('äpfel', false),
      ['1:ÄPFEL', '2:äpfel'],
    ],
    ['a literal beyond ASCII is found byte by byte', '😀x\nx😀y\n', literal('😀y'), ['2:x😀y']],
    ['a literal of signs is no regular expression', 'a.c\nabc\n', literal('a.c', false), ['1:a.c']],
    [
      'look-around and back-references count',
      'foobar\nfoobaz\nabab\n',
      regex(/foo(?!bar)|(ab)\1/u),
      ['2:foobaz', '3:abab'],
    ],
  ])('%s [search.odd-files]', async (_, content, pattern, expected) => {
    await using tree = await buildTree({f: content});
    expect(await linesIn(tree, pattern)).toEqual(expected.map((line) => `f:${line}`));
  });

  test('a zero byte early makes a file binary, one later ends it [search.odd-files]', async () => {
    const lines = (bytes: number): string =>
      `needle ${'x'.repeat(92)}\n`.repeat(Math.ceil(bytes / 100)).slice(0, bytes);
    await using tree = await buildTree({
      early: 'needle\0',
      last: `${lines(65_535)}\0`,
      next: `${lines(65_536)}\0needle\n`,
      marked: `\ufeff${lines(65_536)}\0`,
      late: `${lines(300_000)}needle \0needle\nneedle\n`,
      utf16: utf16(`${lines(65_536)}\0`),
    });
    const {files} = await matchIn(tree, literal('needle'));
    expect(files.map(({path, lines: found}) => [tree.inside([path])[0], found.length, found.at(-1)])).toEqual([
      ['late', 3001, {number: 3001, text: 'needle '}],
      ['marked', 656, {number: 656, text: `needle ${'x'.repeat(29)}`}],
      ['next', 656, {number: 656, text: `needle ${'x'.repeat(29)}`}],
      ['utf16', 656, {number: 656, text: `needle ${'x'.repeat(29)}`}],
    ]);
  });

  test('a long line is cut around the match, and only its beginning is given when it is very long [search.odd-files]', async () => {
    const before = 'ä'.repeat(5000);
    const long = `${before}needle${before}`;
    const longer = `${'a'.repeat(LONGEST_KEPT)}needle`;
    const exact = `${'a'.repeat(LONGEST_KEPT - 6)}needle`;
    await using tree = await buildTree({f: `${long}\n${longer}\r\n${exact}\r\n${exact}`});
    const cut = [
      cutLine(long, 5000),
      cutLine('a'.repeat(LONGEST_KEPT), 0),
      cutLine(exact, LONGEST_KEPT - 6),
      cutLine(exact, LONGEST_KEPT - 6),
    ];
    const expected = cut.map((text, index) => `f:${index + 1}:${text}`);
    expect(cut[0]).toContain('needle');
    expect(cut[1]).not.toContain('needle');
    for (const pattern of [literal('needle'), literal('NEEDLE', false), regex(/needl\w/u), regex(/n[e]{2}/u)])
      expect(await linesIn(tree, pattern)).toEqual(expected);
  });

  test('of a line beyond 16 MiB the first 16 MiB count, and what comes after it is found [search.odd-files]', async () => {
    const size = 1 << 24;
    await using tree = await buildTree({
      f: Buffer.concat([
        Buffer.alloc(size - 6, 'a'),
        Buffer.from('needle'),
        Buffer.alloc(size, 'b'),
        Buffer.from('beyond\nthen needle beyond\n'),
      ]),
    });
    expect(await linesIn(tree, literal('needle'))).toEqual([
      `f:1:${cutLine('a'.repeat(3000), 0)}`,
      'f:2:then needle beyond',
    ]);
    expect(await linesIn(tree, literal('beyond'))).toEqual(['f:2:then needle beyond']);
  });

  test('a line that another pattern fits does not count', async () => {
    await using tree = await buildTree({f: 'needle 1\nneedle two\nneedle 3\n'});
    for (const pattern of [literal('needle'), regex(/n.*e/u)])
      expect(await linesIn(tree, pattern, {except: regex(/\d/u), mostPerFile: 1})).toEqual(['f:2:needle two']);
  });

  test('files with names of any bytes are read [search.odd-files]', async () => {
    await using tree = await buildTree({'\udcff/a\nb': 'needle', '\ufffd': 'needle', 'x\udc80': 'needle'});
    expect(await linesIn(tree, literal('needle'))).toEqual([
      'x\udc80:1:needle',
      '\ufffd:1:needle',
      '\udcff/a\nb:1:needle',
    ]);
  });
});

describe('limits', () => {
  test('give the first lines by path and do not read the rest of the tree [search.limits]', async () => {
    await using tree = await buildTree(
      Object.fromEntries(
        Array.from({length: 600}, (_, index) => [
          `d${String(index).padStart(3, '0')}/f`,
          'needle 1\nneedle 2\nneedle 3\n',
        ]),
      ),
    );
    walked = 0;
    let accepted = 0;
    const accept: MatchRequest['accept'] = async (files) => ((accepted += files.length), files);
    const {files, isLimited} = await matchIn(tree, literal('needle'), {most: 4, mostPerFile: 3, accept});
    expect(shown(tree, files)).toEqual([
      'd000/f:1:needle 1',
      'd000/f:2:needle 2',
      'd000/f:3:needle 3',
      'd001/f:1:needle 1',
    ]);
    expect(isLimited).toBe(true);
    expect(accepted).toBeLessThanOrEqual(8);
    expect(walked).toBeLessThan(200);
  });

  test('hold for each file, and what that leaves out is not more than was to be given [search.limits]', async () => {
    await using tree = await buildTree({a: 'x\nx\nx\n', b: 'x\n', c: 'y\n'});
    expect(await linesIn(tree, literal('x'), {mostPerFile: 2})).toEqual(['a:1:x', 'a:2:x', 'b:1:x']);
    expect((await matchIn(tree, literal('x'), {mostPerFile: 2, most: 3})).isLimited).toBe(false);
    expect((await matchIn(tree, literal('x'), {mostPerFile: 2, most: 2})).isLimited).toBe(true);
    expect((await matchIn(tree, literal('x'), {most: 3})).isLimited).toBe(true);
  });

  test('give the first lines by path also when a place lies in another [search.limits] [search.roots]', async () => {
    const names = Array.from({length: 400}, (_, index) => `${'abcd'[index % 4]}/${String(index).padStart(3, '0')}`);
    await using tree = await buildTree(Object.fromEntries(names.map((name) => [name, 'needle 1\nneedle 2\n'])));
    const places = ['', '/a', '/c', '/d'].map((inner) => ({
      path: tree.path + inner,
      root: tree.path,
      bases: [tree.path] as const,
      isFile: false,
    }));
    const all = [...names].sort().flatMap((name) => [`${name}:1:needle 1`, `${name}:2:needle 2`]);
    for (const most of [0, 1, 150, 200, 201, 399, 555, 799, 800]) {
      let walked = 0;
      const accept: MatchRequest['accept'] = async (files) => (
        (walked += files.filter(({path}) => path.startsWith(tree.at('d'))).length),
        files
      );
      const {files, isLimited} = await matchIn(tree, literal('needle'), {places, most, accept});
      expect([shown(tree, files), isLimited]).toEqual([all.slice(0, most), most < 800]);
      // Nothing in it can be among the first.
      if (most < 600) expect(walked).toBe(0);
    }
  });

  test('count only what may be shown [search.judged]', async () => {
    await using tree = await buildTree(
      Object.fromEntries(Array.from({length: 100}, (_, index) => [`f${String(index).padStart(2, '0')}`, 'x\n'])),
    );
    const accept: MatchRequest['accept'] = async (files) => files.filter(({path}) => path.endsWith('7'));
    const few = await matchIn(tree, literal('x'), {most: 3, accept});
    expect([shown(tree, few.files), few.isLimited]).toEqual([['f07:1:x', 'f17:1:x', 'f27:1:x'], true]);
    expect((await matchIn(tree, literal('x'), {most: 10, accept})).isLimited).toBe(false);
    expect((await matchIn(tree, literal('x'), {most: 9, accept})).isLimited).toBe(true);
  });

  test('are met with files of far more lines than are kept at a time', async () => {
    const line = `needle ${'x'.repeat(1900)}\n`;
    const names = Array.from({length: 40}, (_, index) => `f${String(index).padStart(2, '0')}`);
    await using tree = await buildTree(Object.fromEntries(names.map((name) => [name, line.repeat(150)])));
    const batches: number[] = [];
    const accept: MatchRequest['accept'] = async (files) => (batches.push(files.length), files);
    const {files} = await matchIn(tree, literal('needle'), {accept});
    expect(files.map(({path, lines}) => [tree.inside([path])[0], lines.length, lines.at(-1)?.number])).toEqual(
      names.map((name) => [name, 150, 150]),
    );
    expect(Math.max(...batches)).toBeLessThan(6);
  });
});

describe('a tree that changes', () => {
  test('files that vanish, shrink or grow do no harm', async () => {
    await using tree = await buildTree({
      'a/f': 'needle\n',
      'b/f': 'needle\n',
      'c/f': 'needle\n'.repeat(100_000),
      'd/f': 'needle',
    });
    const changing = createJavascriptEngine({
      info: engine.info,
      cores: 2,
      workspace: {
        ignoreWalk: async () => ({
          entries: async (directory, entries) => {
            if (directory.endsWith('/b')) await rm(tree.at('b/f'));
            if (directory.endsWith('/c')) await truncate(tree.at('c/f'), 10);
            if (directory.endsWith('/d')) await writeFile(tree.at('d/f'), '\nneedle', {flag: 'a'});
            return entries.map(() => false);
          },
        }),
      },
    });
    const place = {path: tree.path, root: tree.path, bases: [tree.path] as const, isFile: false};
    const {files, unreadable} = await changing.match({
      places: [place],
      ignore: {},
      withoutFolders: [],
      withoutEndings: [],
      pattern: literal('needle'),
      mostPerFile: 5,
      most: 100,
      signal: new AbortController().signal,
      accept: async (some) => some,
    });
    expect([shown(tree, files), unreadable]).toEqual([
      ['a/f:1:needle', 'c/f:1:needle', 'd/f:1:needle', 'd/f:2:needle'],
      [],
    ]);
  });

  test('a file that became a link, a folder or a pipe since it was listed is not read through', async () => {
    await using tree = await buildTree({
      target: 'needle',
      link: {link: 'target'},
      dir: null,
      pipe: {special: 'pipe'},
      gone: 'x',
    });
    const find = createLineFinder(
      await planMatch({pattern: literal('needle'), mostPerFile: 1, most: 1} as MatchRequest),
    );
    const read = (name: string): unknown => {
      try {
        return matchFile(tree.at(name), find, createBlock()).lines;
      } catch (error) {
        return (error as NodeJS.ErrnoException).code;
      }
    };
    await rm(tree.at('gone'));
    expect(['target', 'link', 'dir', 'pipe', 'gone'].map(read)).toEqual([
      [{number: 1, text: 'needle'}],
      'ELOOP',
      'EISDIR',
      [],
      'ENOENT',
    ]);
  });
});

describe('patterns', () => {
  test('that this version of Node does not know are not taken on', () => {
    expect(
      [regex(/a/u), {...regex(/a/u), script: {source: '(?<a>', flags: 'u'}}].map((pattern) => engine.canMatch(pattern)),
    ).toEqual([true, false]);
  });

  test('that need too much memory are refused', async () => {
    await using tree = await buildTree({f: 'ab'.repeat(6_000_000)});
    await expect(matchIn(tree, regex(/^(a|b)*c/u))).rejects.toBeInstanceOf(EngineRefused);
  });

  test.each<readonly [RegExp, readonly string[] | undefined]>([
    [/\bneedle\w+Stack\b/u, ['needle']],
    [/(?:foo|quux)-bar/u, ['-bar']],
    [/x(?:fooo|quux)y?/u, ['fooo', 'quux']],
    [/fooo|quux/u, ['fooo', 'quux']],
    [/fooo|x/u, undefined],
    [/^(needle)+$/u, ['needle']],
    [/x(?:abc){2}y/u, ['xabc']],
    [/xyz{3}a{5,}b/u, ['xyzzzaaaa']],
    [/ab{2}c?d+e/u, ['abb']],
    [/(?:abc){0,2}/u, undefined],
    [/ab(?=needle)cd/u, ['abcd']],
    [/(?!needle)ab/u, undefined],
    [/a[b]c[^d]/u, ['abc']],
    [/a\u{1f600}b/u, ['a\u{1f600}b']],
    [/abcd\u{1f600}/iu, ['[Aa][Bb][Cc][Dd]\u{1f600}']],
    [/[Ss\u{17f}][Aa]\u{e4}/u, ['[Ss\u{17f}][Aa]\u{e4}']],
    [/k\u{e4}x/iu, ['[Kk\u{212a}][\u{c4}\u{e4}][Xx]']],
    [/abc[a-f]def[x-z]/u, ['def[xyz]']],
    [/ab[\d]cd[^A]ef/u, undefined],
    [/ab[\ud83d]cd/u, undefined],
    [/\d+/u, undefined],
  ])('%s needs %j', async (pattern, texts) => {
    const found = await requiredTexts(regex(pattern));
    expect(
      found?.map((text) =>
        text.map((characters) => (characters.length === 1 ? characters.join('') : `[${characters.join('')}]`)).join(''),
      ),
    ).toEqual(texts);
  });

  test('that repeat what repeats are read once', async () => {
    expect(await requiredTexts(regex(new RegExp(`${'(?:'.repeat(90)}abcd${'){4}'.repeat(90)}`, 'u')))).toEqual([
      ['a', 'b', 'c', 'd'].map((letter) => [letter]),
    ]);
  });

  test('that are a text of any length and case are found without a look at each line', async () => {
    const planned = async (given: string, isCaseSensitive: boolean): Promise<readonly [string, boolean]> => {
      const pattern = await compilePattern(given, {isLiteral: true, isCaseSensitive, parameter: 'pattern'});
      const {bytes, filter, isExact} = await planMatch({pattern, mostPerFile: 1, most: 1} as MatchRequest);
      return [bytes ? Buffer.from(bytes).toString() : `/${filter?.source}/${filter?.flags}`, isExact];
    };
    expect(await planned('a.', true)).toEqual(['a.', true]);
    expect(await planned('(Ä_s', false)).toEqual([
      '/\\x28(?:\\xc3\\x84|\\xc3\\xa4)\\x5f(?:[\\x53\\x73]|\\xc5\\xbf)/g',
      true,
    ]);
    expect(await planned('a'.repeat(200), true)).toEqual(['a'.repeat(100), false]);
  });

  test('that are very deep are held against every line', async () => {
    expect(await requiredTexts(regex(new RegExp(`${'(?:'.repeat(5000)}abcd${')'.repeat(5000)}`, 'u')))).toEqual(
      undefined,
    );
  });
});

describe('any file and any pattern', () => {
  const piece = fc.constantFrom(
    'needle',
    'NEEDLE',
    'nee',
    'dle',
    '\n',
    '\r\n',
    '\r',
    ' ',
    'k',
    '\u212a',
    '\u017f',
    's',
    'ä',
    '😀',
    '\xff',
    'x',
  );
  const pieces = fc.array(
    fc.tuple(piece, fc.constantFrom(...Array.from({length: 30}, (_, index) => (index % 3) + 1), 500, 70_000)),
    {maxLength: 25},
  );
  const texts = ['NEedle', 'Äk', 's', 'k😀'];
  const regexes = ['n[ef]{2}dle', 'k[S]|😀{2}$', '(?:ks|sk)x', '(s)k\\1', '[^x]s', 'ä.*NEEDLE'];
  const plain = [
    literal('needle'),
    literal('needle', false),
    regex(/n[e]{2}dle/iu),
    regex(/(?:ks|sk)x/iu),
    regex(/ks|dle$/u),
    regex(/^$/u),
    regex(/ä.*needle/u),
    regex(/[^x]s/iu),
    literal('s', false),
  ];

  test('give what a plain look at every line gives [search.same-answers]', async () => {
    await using tree = await buildTree();
    const compiled = [...texts, ...regexes].map((text) =>
      compilePattern(text, {isLiteral: texts.includes(text), isCaseSensitive: false, parameter: 'pattern'}),
    );
    const patterns = [...plain, ...(await Promise.all(compiled))];
    const find = await Promise.all(
      patterns.map(async (pattern) =>
        createLineFinder(await planMatch({pattern, mostPerFile: Infinity, most: Infinity} as MatchRequest)),
      ),
    );
    const block = createBlock();
    await fc.assert(
      fc.asyncProperty(pieces, fc.nat(patterns.length - 1), async (parts, chosen) => {
        // A pattern that goes back takes the square of what it can begin with; what begins none can be long.
        const content = Buffer.concat(
          parts.map(([text, times]) =>
            Buffer.from(
              text.repeat(/^[x \r\n]/.test(text) ? times : Math.min(times, 500)),
              text === '\xff' ? 'latin1' : 'utf8',
            ),
          ),
        );
        await writeFile(tree.at('f'), content);
        const [finder, pattern] = [find[chosen], patterns[chosen]];
        expect(finder && matchFile(tree.at('f'), finder, block).lines).toEqual(pattern && plainLook(content, pattern));
      }),
      {numRuns: 100},
    );
  });

  function plainLook(
    content: Buffer,
    {script}: LinePattern,
  ): readonly {readonly number: number; readonly text: string}[] {
    const test = new RegExp(script.source, script.flags);
    const lines = content.toString('latin1').split('\n');
    return lines.flatMap((line, index) => {
      const isLast = index === lines.length - 1;
      if (isLast && line === '') return [];
      const bytes = Buffer.from(line.endsWith('\r') ? line.slice(0, -1) : line, 'latin1');
      const found = test.exec(decodeBytes(bytes));
      if (!found) return [];
      return [
        {
          number: index + 1,
          text:
            bytes.length > LONGEST_KEPT
              ? cutLine(decodeBytes(bytes.subarray(0, LONGEST_KEPT)), 0)
              : cutLine(decodeBytes(bytes), found.index),
        },
      ];
    });
  }
});

test('a file of 150 MB is searched in little memory', async () => {
  await using tree = await buildTree();
  const file = await open(tree.at('f'), 'w');
  const line = `${'some words of a line that is not long '.repeat(2)}\n`;
  for (let index = 0; index < 150; index += 1) await file.write(line.repeat(13_000));
  await file.write('needle');
  await file.close();
  const before = process.memoryUsage.rss();
  expect(await linesIn(tree, literal('needle'))).toEqual([`f:${150 * 13_000 + 1}:needle`]);
  expect(process.memoryUsage.rss() - before).toBeLessThan(80 * 2 ** 20);
});
