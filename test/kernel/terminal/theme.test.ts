import {describe, expect, test} from '@jest/globals';
import {createPainter, colourDepth, findTheme, readTheme, themeNames} from '#kernel/terminal/dist/index.js';
import {colourCode, readColour} from '#kernel/terminal/dist/theme/colours.js';

describe('a colour', () => {
  test.each([
    ['#FF0000', '#ff0000'],
    ['#f80', '#ff8800'],
    [' Tomato ', '#ff6347'],
    ['red', '#ff0000'],
    ['rebeccapurple', '#663399'],
    ['reddish', undefined],
    ['#ff00', undefined],
    ['re', undefined],
    ['.*', undefined],
    ['', undefined],
  ])('%j is %s [themes.colours]', (written, colour) => {
    expect(readColour(written)).toBe(colour);
  });

  test.each([
    ['#ff5555', 24, '38;2;255;85;85'],
    ['#ff5555', 256, '38;5;203'],
    ['#808080', 256, '38;5;244'],
    ['#000000', 256, '38;5;16'],
    ['#ff5555', 16, '31'],
    ['#50fa7b', 16, '32'],
    ['#f1fa8c', 16, '33'],
    ['#6272a4', 16, '36'],
    ['#888888', 16, '90'],
    [36, 24, '36'],
  ] as const)('%s with %s colours is %s [themes.colours]', (colour, depth, code) => {
    expect(colourCode(colour, depth)).toBe(code);
  });

  test.each([
    [{}, 16],
    [{TERM: 'xterm'}, 16],
    [{TERM: 'tmux-256color'}, 256],
    [{TERM: 'xterm-direct'}, 24],
    [{TERM: 'xterm', COLORTERM: 'truecolor'}, 24],
    [{WT_SESSION: '1'}, 24],
  ])('a terminal with %j shows %s [themes.colours]', (variables, depth) => {
    expect(colourDepth(variables)).toBe(depth);
  });
});

describe('a theme', () => {
  test('is one of those that Gemini CLI names [themes.choice]', () => {
    expect([...themeNames()].sort()).toEqual(
      (
        'ANSI|ANSI Light|Atom One|Ayu|Ayu Light|Default|Default Light|Dracula|GitHub|GitHub Dark Colorblind|' +
        'GitHub Light|GitHub Light Colorblind|Google Code|Holiday|Shades Of Purple|Solarized Dark|Solarized Light|' +
        'Tokyo Night|Xcode'
      ).split('|'),
    );
    for (const name of themeNames()) expect(Object.keys(findTheme(name) ?? {})).toHaveLength(6);
    expect(findTheme('tokyo night')).toEqual(findTheme('Tokyo Night'));
  });

  test.each([
    [
      {text: {secondary: 'gray', accent: '#abc'}, status: {success: 'lime'}},
      {secondary: '#808080', accent: '#aabbcc', good: '#00ff00'},
      0,
    ],
    [{Comment: '#111111', AccentRed: 'red', Background: 'nonsense'}, {secondary: '#111111', bad: '#ff0000'}, 0],
    [{text: {accent: 'nonsense'}, AccentPurple: 'plum'}, {}, 1],
    [{text: 3, status: {error: 4}}, {}, 1],
    ['dark', {}, 1],
    [[], {}, 1],
    [null, {}, 1],
  ])('%j has the colours %j [themes.choice]', (value, theme, faults) => {
    const read = readTheme(value);
    expect(read.theme).toEqual(theme);
    expect(read.faults).toHaveLength(faults);
  });

  test('changes the paint, and without one it is as before [themes.colours]', () => {
    const {paint, use} = createPainter(24);
    const before = paint('bad', 'x');
    use({bad: '#ff5555', link: '#0000ff'});
    expect(paint('bad', 'x')).toBe('\u001b[38;2;255;85;85mx\u001b[39m');
    expect(paint('underlined', 'x')).toBe('\u001b[4;38;2;0;0;255mx\u001b[24;39m');
    expect(paint('good', 'x')).toBe('\u001b[32mx\u001b[39m');
    use({});
    expect(paint('bad', 'x')).toBe(before);
  });

  test('changes nothing where there are no colours [themes.colours]', () => {
    const {paint, use} = createPainter(0);
    use({bad: '#ff5555'});
    expect(paint('bad', 'x')).toBe('x');
  });
});
