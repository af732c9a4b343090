import {describe, expect, test} from '@jest/globals';
import {imagePrograms, readPrinted} from '#plugins/agent/dist/front/clipboard-image.js';

const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

describe('the image of the clipboard', () => {
  test.each<[string, NodeJS.Platform, Record<string, string>, readonly string[]]>([
    ['Wayland and X', 'linux', {WAYLAND_DISPLAY: 'wayland-0', DISPLAY: ':0'}, ['wl-paste', 'xclip']],
    ['X alone', 'linux', {DISPLAY: ':0'}, ['xclip']],
    ['no display', 'linux', {}, []],
    ['macOS', 'darwin', {}, ['osascript']],
    ['Windows', 'win32', {}, ['powershell.exe']],
    ['a remote session', 'linux', {DISPLAY: ':0', SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22'}, []],
  ])('is asked for by the programs of %s [tui.image]', (_, platform, variables, expected) => {
    const programs = imagePrograms({platform, variables});
    expect(programs.map(({command}) => command)).toEqual(expected);
    // Each word is one argument: nothing of the environment or the clipboard is in a line of a shell.
    expect(programs.flatMap(({words}) => words).filter((word) => word.includes(':0') || word.includes('way'))).toEqual(
      [],
    );
  });

  test.each([
    ['bytes', png, png],
    ['base64', Buffer.from(png.toString('base64')), png],
    // As osascript of macOS 14 prints it.
    ['applescript', Buffer.from(`«data PNGf${png.toString('hex').toUpperCase()}»\n`), png],
    ['bytes', Buffer.from('text'), undefined],
    ['bytes', Buffer.alloc(0), undefined],
    ['base64', Buffer.from('not base64 at all'), undefined],
    ['applescript', Buffer.from('«data TIFF4D4D»'), undefined],
    ['applescript', Buffer.from("execution error: Can't make some data into the expected type. (-1700)"), undefined],
  ] as const)('printed as %s is read [tui.image]', (prints, printed, expected) => {
    expect(readPrinted(printed, prints)).toEqual(expected);
  });
});
