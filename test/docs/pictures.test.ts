import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {atTerminal} from '../journeys/run-at-terminal.js';
import {drawSvg} from '../pictures/draw-svg.js';
import {makePictures} from '../pictures/make-pictures.js';
import {normalise} from '../pictures/normalise.js';
import {picturesFolder, readScenes} from '../pictures/read-scenes.js';
import {Screen} from '../pictures/screen.js';

const HINT = 'Run npm run docs:pictures, look at the difference, and commit it with your change.';

async function readPictures(): Promise<ReadonlyMap<string, string>> {
  const names = (await readdir(picturesFolder)).filter((name) => name.endsWith('.svg')).sort();
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(picturesFolder, name), 'utf8')] as const)),
  );
}

/** The lines of a picture as a person reads them, before those of the drawing: they say best what differs. */
function describePicture(svg: string | undefined): readonly string[] {
  const lines = svg?.split('\n') ?? ['There is no such picture.'];
  return [...lines.map((line) => line.replaceAll(/<[^>]*>/g, '')).filter(Boolean), ...lines];
}

atTerminal(
  'every picture shows what the program prints [docs.pictures]',
  async () => {
    const [recorded, kept] = [await makePictures(), await readPictures()];
    const names = [...new Set([...recorded.keys(), ...kept.keys()])];
    const stale = names.filter((name) => recorded.get(name) !== kept.get(name));
    const show = (pictures: ReadonlyMap<string, string>) => ({
      names: [...pictures.keys()],
      stale: stale.map((name) => describePicture(pictures.get(name))),
    });
    expect({...show(kept), hint: stale.length > 0 ? HINT : ''}).toEqual({...show(recorded), hint: ''});
  },
  60_000,
);

test('a picture is small, names itself, and reaches for nothing outside', async () => {
  const scenes = await readScenes();
  const pictures = await readPictures();
  expect([...pictures.keys()]).toEqual(scenes.flatMap(({name}) => [`${name}-dark.svg`, `${name}-light.svg`]));
  for (const [name, svg] of pictures) {
    const {title = ''} = scenes.find((scene) => name.startsWith(`${scene.name}-`)) ?? {};
    const foreign = svg.replace('http://www.w3.org/2000/svg', '').match(/<script|href|url\(|https?:|\/tmp\//g);
    expect({
      name,
      isSmall: Buffer.byteLength(svg) < 30_000,
      isTitled: svg.includes(`<title id="title">${title}</title>`),
      foreign,
    }).toEqual({name, isSmall: true, isTitled: true, foreign: null});
  }
});

describe('the screen of a picture', () => {
  test.each([
    ['one\r\ntwo', ['one', 'two']],
    ['waiting\r\u001b[Jdone', ['done']],
    ['a\r\nb\r\nc\u001b[1A\r\u001b[Jx', ['a', 'x']],
    ['abc\u001b[2Dx\u001b[K', ['ax']],
    ['abc\u001b[1K', []],
    ['\u001b[5Gx\u001b[1Gy', ['y   x']],
    ['\u001b]0;a title\u0007text\u001b[?25l', ['text']],
    ['12345678901234567890over', ['12345678901234567890', 'over']],
    ['é\u200d\u001b[3D✨x', ['✨x']],
    ['a\tb', ['a       b']],
    ['lost\u001b[2J\u001b[Hfound', ['found']],
  ])('shows %j as %j', (output, lines) => {
    const screen = new Screen(20, 5);
    screen.write(output);
    expect(screen.lines).toEqual(lines);
  });

  test('keeps what scrolled away, and moves up no further than what is on it', () => {
    const screen = new Screen(20, 2);
    screen.write('a\r\nb\r\nc\u001b[9A\rx');
    expect(screen.lines).toEqual(['a', 'x', 'c']);
  });

  test.each(['\u001b[3L', '\u001b[38;5;200mx', '\u001bM', '\u001b[1J'])('refuses %j, which it cannot show', (output) =>
    expect(() => new Screen(20, 5).write(output)).toThrow('A picture cannot show'),
  );
});

test('a picture has colours, marks and backgrounds, each where it stands', () => {
  const screen = new Screen(20, 5);
  screen.write('<a> \u001b[1;31mred\u001b[22;39m \u001b[7mback\u001b[0m');
  const svg = drawSvg({rows: screen.rows, columns: 20, title: 'A & B'}, 'light');
  expect(svg.split('\n').slice(6)).toEqual([
    '<rect x="85.2" y="43" width="33.6" height="19" fill="#1f2429"/>',
    '<text y="57"><tspan x="18" textLength="33.6">&lt;a&gt; </tspan>' +
      '<tspan x="51.6" textLength="25.2" class="b" fill="#c2212d">red</tspan>' +
      '<tspan x="76.8" textLength="8.4"> </tspan>' +
      '<tspan x="85.2" textLength="33.6" fill="#ffffff">back</tspan></text>',
    '</svg>',
    '',
  ]);
  expect(svg).toContain('<title id="title">A &amp; B</title>');
});

test.each([
  ['in /tmp/ab1c/project', 'in /home/you/project'],
  ['gemini 7.8.9 on node 24.1.0', 'gemini 1.0.0 on node 22.0.0'],
  ['load   26.4 ms  create  126.4 ms', 'load    1.2 ms  create    1.2 ms'],
  ['\n  126.45 ms  tool:judge', '\n     1.2 ms  tool:judge'],
  ['\u001b[2m1234 ms\u001b[22m', '\u001b[2m12 ms\u001b[22m'],
  ['ran, 1.3 s, 2031-12-30 23:59:59 UTC', 'ran, 12 ms, 2026-01-05 09:30:00 UTC'],
  ['$ gemini plugins install ./a\r\nGetting ./a …\r\na 1.0.0', '$ gemini plugins install ./a\r\na 1.0.0'],
  ['read_file__9769eb20-1', 'read_file__3f2a9c1e-1'],
])('what differs from run to run is replaced: %j', (output, shown) =>
  expect(normalise(output, {home: '/tmp/ab1c', version: '7.8.9'})).toBe(shown),
);
