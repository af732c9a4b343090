import {describe, expect, test} from '@jest/globals';
import fc from 'fast-check';
import {Graphemes} from '#kernel/terminal/dist/graphemes.js';
import {LineInput} from '#kernel/terminal/dist/line-input.js';
import type {Act} from '#kernel/terminal/dist/line-settings.js';

const graphemes = new Graphemes();

/** A prompt with a text, in normal mode at its start, after some keys: `<name>` is a key, the rest is typed. */
function press(text: string, keys: string): {readonly seen: string; readonly input: LineInput; readonly act?: Act} {
  const input = new LineInput(graphemes, {isVim: true, history: ['earlier']});
  input.set(text);
  let act: Act | undefined;
  for (const word of `<escape>gg0${keys}`.match(/<[a-z+]+>|[^]/gu) ?? [])
    act = input.press(/^<.+>$/.test(word) ? {kind: 'key', name: word.slice(1, -1)} : {kind: 'text', text: word});
  const {text: whole, cursor} = input.draft;
  return {seen: `${whole.slice(0, cursor)}|${whole.slice(cursor)}`, input, ...(act ? {act} : {})};
}

describe('in normal mode', () => {
  test.each([
    // Motions
    ['one two', 'w', 'one |two'],
    ['one two three', '2w', 'one two |three'],
    ['one.two', 'w', 'one|.two'],
    ['one.two x', 'W', 'one.two |x'],
    ['one two', 'e', 'on|e two'],
    ['one two', 'wwb', 'one |two'],
    ['one two', '$ge', 'on|e two'],
    ['  one', '$^', '  |one'],
    ['one', '$0', '|one'],
    ['one', '9l', 'on|e'],
    ['ab\ncd', 'j', 'ab\n|cd'],
    ['abc\nd\nefg', '$jj', 'abc\nd\n|efg'],
    ['a\nb\nc', 'G', 'a\nb\n|c'],
    ['a\nb\nc', '2G', 'a\n|b\nc'],
    ['a\nb\nc', 'Ggg', '|a\nb\nc'],
    ['a-b-c', 'f-', 'a|-b-c'],
    ['a-b-c', 'f-;', 'a-b|-c'],
    ['a-b-c', 'f-;,', 'a|-b-c'],
    ['a-b-c', 't-', '|a-b-c'],
    ['ab-b-c', 't-;', 'ab-|b-c'],
    ['a-b-c', '$F-', 'a-b|-c'],
    ['a-b-c', '$T-', 'a-b-|c'],
    ['f(a[b])', '%', 'f(a[b]|)'],
    ['f(a[b])', '%%', 'f|(a[b])'],
    ['a\n\nb', '}', 'a\n|\nb'],
    // Operators
    ['one two three', 'dw', '|two three'],
    ['one two three', '2dw', '|three'],
    ['one two three', 'd2w', '|three'],
    ['one two', 'wdw', 'one| '],
    ['one\ntwo', 'dw', '|\ntwo'],
    ['one two', 'de', '| two'],
    ['one two', 'd$', '|'],
    ['one two', 'wD', 'one| '],
    ['a b\nc\nd', 'dd', '|c\nd'],
    ['a\nb\nc', '2dd', '|c'],
    ['a\nb', 'jdd', '|a'],
    ['a\nb\nc', 'dj', '|c'],
    ['abc', 'x', '|bc'],
    ['abc', '2x', '|c'],
    ['abc', '$X', 'a|c'],
    ['one two', 'cwsix<escape>', 'si|x two'],
    ['a b', 'cwx<escape>', '|x b'],
    ['one two', 'wCx<escape>', 'one |x'],
    ['a\nb', 'ccx<escape>', '|x\nb'],
    ['ab', 'sx<escape>', '|xb'],
    ['one', 'ct xx', '|e'],
    ['one', 'guu', '|one'],
    ['One', 'gUU', '|ONE'],
    ['One two', 'g~w', '|oNE two'],
    ['a\nb', '>>', '  |a\nb'],
    ['    a', '<<', '  |a'],
    // Text objects
    ['one two three', 'wdiw', 'one | three'],
    ['one two three', 'wdaw', 'one |three'],
    ['say "a b" now', 'fadi"', 'say "|" now'],
    ['say "a b" now', 'ci"x<escape>', 'say "|x" now'],
    ['say "a b" now', 'da"', 'say |now'],
    ['f(a, (b), c)', 'fbci(x<escape>', 'f(a, (|x), c)'],
    ['f(a, (b), c)', 'facibx<escape>', 'f(|x)'],
    ['f{a}', 'fada{', '|f'],
    ['a\nb\n\nc', 'dap', '|c'],
    // Other commands
    ['abc', 'rx', '|xbc'],
    ['abc', '2rx', 'x|xc'],
    ['abc', '~~', 'AB|c'],
    ['a\nb', 'J', 'a| b'],
    ['a\n  b\nc', '3J', 'a b| c'],
    ['ab', 'xp', 'b|a'],
    ['a\nb', 'ddp', 'b\n|a'],
    ['a\nb', 'yyP', '|a\na\nb'],
    ['a', 'yy2p', 'a\n|a\na'],
    ['one two', 'yww"0P', 'one one| two'],
    ['a b c', '"xdwdw"xP', 'a| c'],
    ['a b c', '"xdw"Xdw"xP', 'a b| c'],
    ['ab', '"_xp', '|b'],
    ['ab', 'Ixy<escape>', 'x|yab'],
    ['ab', 'Ax<escape>', 'ab|x'],
    ['ab', 'ax<escape>', 'a|xb'],
    ['ab', 'ox<escape>', 'ab\n|x'],
    ['ab', 'Ox<escape>', '|x\nab'],
    ['ab', '3ix<escape>', 'xx|xab'],
    // Repetition and undo
    ['one two three', 'dw.', '|three'],
    ['a b c d', 'dw2.', '|d'],
    ['a b c', 'cwx<escape>w.', 'x |x c'],
    ['a b', 'Ax<escape>.', 'a bx|x'],
    ['abc', 'xu', '|abc'],
    ['abc', 'xxuu', '|abc'],
    ['abc', 'xu<ctrl+r>', '|bc'],
    // Visual mode
    ['one two', 'ved', '| two'],
    ['one two', 'vey$p', 'one twoon|e'],
    ['a\nb\nc', 'Vjd', '|c'],
    ['one two', 'wviwcx<escape>', 'one |x'],
    ['one', 'vU', '|One'],
    ['one', 'v$rx', '|xxx'],
    ['abcd', 'lvlohd', '|d'],
    ['abcd', 'vld.', '|'],
    ['a\nb\nc', 'vjJ', 'a| b\nc'],
    ['a b', 'yiwwviwp', 'a |a'],
    ['abc', 'v<escape>x', '|bc'],
    // Escape, and a key so soon that a terminal sends both as Alt
    ['one two', 'Ax<alt+b>', 'one |twox'],
    ['one two', 'd<alt+w>', 'one |two'],
    // Nothing happens
    ['abc', 'Q', '|abc'],
    ['abc', 'd<escape>x', '|bc'],
    ['abc', 'fz', '|abc'],
    ['abc', 'dfz', '|abc'],
    ['abc', ';', '|abc'],
    ['abc', '<ctrl+w><ctrl+k>', '|abc'],
    ['', 'xddpJ~.u', '|'],
    // Characters of several code points
    ['é👩‍👩‍👧x', 'xx', '|x'],
    ['é 👩‍👩‍👧', 'w', 'é |👩‍👩‍👧'],
  ])('%j with %s is %j [keys.vim]', (text, keys, seen) => {
    expect(press(text, keys).seen).toBe(seen);
  });

  test('keys of the prompt itself still work [keys.vim]', () => {
    expect(press('ab', '<enter>').act).toBe('submit');
    expect(press('ab', '<escape>').act).toBe('escape');
    expect(press('ab', '<shift+tab>').act).toBe('mode');
    expect(press('ab', 'k').seen).toBe('earlier|');
  });

  test('an emptied prompt is in insert mode again [keys.vim]', () => {
    const {input} = press('ab', 'x');
    expect(input.vimMode).toBe('normal');
    input.clear();
    expect(input.vimMode).toBe('insert');
  });

  test('a selection is shown with exchanged colours [keys.vim]', () => {
    const {input} = press('abc', 'lvl');
    expect(input.view.cells).toEqual(['a', '\u001b[7mb\u001b[27m', '\u001b[7mc\u001b[27m']);
  });

  test('switched off, all keys type again [keys.vim]', () => {
    const {input} = press('ab', '');
    expect(input.toggleVim()).toBe(false);
    input.press({kind: 'text', text: 'x'});
    expect(input.text).toBe('xab');
  });
});

test('no keys lose the cursor, and all changes can be undone [keys.vim]', () => {
  const keys = fc.array(
    fc.oneof(
      fc.constantFrom(...'hjklwbeWBEG0^$fFtT;,%dcy<>gUuxXDCsSYJpPiaIAoOvVr~."123é{}', 'gg', 'iw', 'a(', '\n'),
      fc.constantFrom('<escape>', '<left>', '<backspace>', '<ctrl+r>', '<ctrl+j>'),
    ),
    {maxLength: 40},
  );
  fc.assert(
    fc.property(fc.constantFrom('', 'one two\n  (three) "x y"\n\nend', '日本 é👩‍👩‍👧\nb'), keys, (text, pressed) => {
      const {input} = press(text, pressed.join(''));
      const {text: now, cursor} = input.draft;
      const places = graphemes.split(now).map((_, index, all) => all.slice(0, index + 1).join('').length);
      expect([0, ...places]).toContain(cursor);
      for (let count = 0; count < 300; count += 1) input.press({kind: 'key', name: 'escape'});
      for (let count = 0; count < 300; count += 1) input.press({kind: 'text', text: 'u'});
      expect(['', text, 'earlier']).toContain(input.text);
    }),
    {numRuns: 400},
  );
});
