import {expect, test} from '@jest/globals';
import fc from 'fast-check';
import {KeyDecoder, type Input} from '#kernel/terminal/dist/keys.js';

/** Keys as words; text that came in several pieces is one. */
function namesOf(keys: readonly Input[]): readonly string[] {
  const names: string[] = [];
  let text = '';
  for (const key of keys) {
    if (key.kind === 'text') {
      text += key.text;
      continue;
    }
    if (text !== '') names.push(JSON.stringify(text));
    text = '';
    if (key.kind === 'position') names.push(`position ${key.row}`);
    else if (key.kind === 'focus') names.push(key.isFocused ? 'focus' : 'blur');
    else names.push(key.kind === 'key' ? key.name : `paste ${JSON.stringify(key.text)}`);
  }
  return text === '' ? names : [...names, JSON.stringify(text)];
}

function decode(...chunks: readonly string[]): readonly string[] {
  const decoder = new KeyDecoder();
  const keys = chunks.flatMap((chunk) => decoder.push(chunk));
  return namesOf([...keys, ...decoder.flush()]);
}

const cases: readonly (readonly [string, string, readonly string[]])[] = [
  ['text', 'aé日👩‍👩‍👧', ['"aé日👩‍👩‍👧"']],
  ['the row of the cursor, as the terminal reports it', 'a\u001b[12;40Rb', ['"a"', 'position 12', '"b"']],
  ['the focus of the window', 'a\u001b[O\u001b[I\u001bOC', ['"a"', 'blur', 'focus', 'right']],
  [
    'the wheel, and buttons of the mouse, which are no keys',
    '\u001b[<64;10;5M\u001b[<65;1;1M\u001b[<0;1;1M\u001b[<0;1;1m',
    ['wheelup', 'wheeldown'],
  ],
  ['function keys of two kinds', '\u001bOP\u001b[15~\u001b[24;2~', ['f1', 'f5', 'shift+f12']],
  ['Enter', '\r', ['enter']],
  ['Ctrl+J', '\n', ['ctrl+j']],
  ['control letters', '\u0001\u0003\u0012\u001a', ['ctrl+a', 'ctrl+c', 'ctrl+r', 'ctrl+z']],
  ['Ctrl+_', '\u001f', ['ctrl+_']],
  ['Backspace of both kinds', '\u007f\b', ['backspace', 'backspace']],
  ['arrows', '\u001b[A\u001b[B\u001bOC\u001bOD', ['up', 'down', 'right', 'left']],
  ['Home and End of four terminals', '\u001b[H\u001b[1~\u001bOF\u001b[8~', ['home', 'home', 'end', 'end']],
  ['Ctrl and Alt with arrows', '\u001b[1;5D\u001b[1;3C\u001b[1;8A', ['ctrl+left', 'alt+right', 'ctrl+alt+shift+up']],
  ['Alt with letters', '\u001bb\u001bF\u001b\u007f\u001b\r', ['alt+b', 'alt+f', 'alt+backspace', 'alt+enter']],
  ['Shift+Enter as kitty and as xterm tell it', '\u001b[13;2u\u001b[27;2;13~', ['shift+enter', 'shift+enter']],
  ['letters as kitty tells them', '\u001b[99;5u\u001b[122;6u\u001b[97u', ['ctrl+c', 'ctrl+shift+z', '"a"']],
  ['Shift+Tab', '\u001b[Z', ['shift+tab']],
  ['Escape', '\u001b', ['escape']],
  ['Escape twice', '\u001b\u001b', ['escape', 'escape']],
  ['a paste', '\u001b[200~a\r\nb\u001b[A\u001b[201~c', ['paste "a\\r\\nb\\u001b[A"', '"c"']],
  [
    'answers of the terminal and unknown sequences',
    '\u001b[?62;4c\u001b]11;rgb:0/0/0\u0007\u001bP>|x\u001b\\\u001b[99~z',
    ['"z"'],
  ],
  ['a broken sequence', '\u001b[1\u0001', ['ctrl+a']],
  ['a private character, which marks pastes', 'a\u{f0000}b', ['"ab"']],
];

test.each(cases)('%s', (_, sent, names) => {
  expect(decode(sent)).toEqual(names);
});

test('the same keys come out however what is sent is cut', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...cases.slice(0, 13).map(([, sent]) => sent), cases[15]?.[1] ?? '')),
      fc.infiniteStream(fc.integer({min: 1, max: 4})),
      (sent, sizes) => {
        const characters = [...sent.join('')];
        const chunks: string[] = [];
        while (characters.length > 0) chunks.push(characters.splice(0, Number(sizes.next().value)).join(''));
        expect(decode(...chunks)).toEqual(decode(sent.join('')));
      },
    ),
  );
});

test('nothing that a terminal can send makes text with control characters', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.string({
          unit: fc.constantFrom(
            '\u001b',
            '[',
            'O',
            ']',
            '1',
            ';',
            '~',
            'u',
            'A',
            '\u0007',
            '\u009b',
            '\r',
            'x',
            '\u{f0001}',
          ),
        }),
      ),
      (chunks) => {
        const decoder = new KeyDecoder();
        for (const key of chunks.flatMap((chunk) => decoder.push(chunk)))
          if (key.kind === 'text') expect(key.text).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u{f0000}-\u{10ffff}]/u);
      },
    ),
  );
});
