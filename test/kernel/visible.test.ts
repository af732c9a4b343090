import {expect, test} from '@jest/globals';
import {makeVisible, quoteName, revealHidden} from '@gemini-kernel/command/visible';

/**
 * Every character that Unicode calls invisible, or that looks like a space without being one; a terminal shows them as
 * nothing or as a gap.
 */
const hidden = [
  0xad, 0x34f, 0x115f, 0x1160, 0x17b4, 0x180e, 0x200b, 0x200c, 0x200d, 0x200e, 0x2028, 0x2029, 0x202e, 0x2060, 0x2064,
  0x2066, 0x206f, 0x2800, 0x3000, 0x3164, 0xa0, 0xfe00, 0xfe0f, 0xfeff, 0xffa0, 0xd, 0x0, 0x1b, 0x7f, 0x85, 0x1d173,
  0xe0001, 0xe0041, 0xe007f, 0xe0100,
];

test('whatever shows as nothing is spelled out where a person decides [approvals.reveal]', () => {
  const left = hidden.filter(
    (code) =>
      revealHidden(`rm${String.fromCodePoint(code)}x`).replace(/^rm\\u(?:\{[0-9a-f]{5}\}|[0-9a-f]{4})x$/, '') !== '',
  );
  expect(left.map((code) => code.toString(16))).toEqual([]);
});

test('words of every script, tabs, lines and pictures stay as they are [approvals.reveal]', () => {
  const plain = 'Straße żółć 日本語 עברית עַרבית ไทย\n\t👩‍💻 ❤️ 👍🏽 👨‍👩‍👧';
  expect(revealHidden(plain)).toBe(plain);
});

test('a joint that joins no pictures hides nothing', () => {
  expect(revealHidden('a\u200db ❤\ufe0f\ufe0f 👩\u200dx')).toBe('a\\u200db ❤\ufe0f\\ufe0f 👩\\u200dx');
});

test('our own colours stay, where there are any', () => {
  expect([revealHidden('\u001b[31mno\u001b[39m'), revealHidden('\u001b[31mno', false)]).toEqual([
    '\u001b[31mno\u001b[39m',
    '\\u001b[31mno',
  ]);
});

test('what is only shown keeps its letters: zero width joiners stand inside words', () => {
  expect(makeVisible('नमस्\u200dते')).toBe('नमस्\u200dते');
});

test('a name from outside stands in one line [approvals.reveal]', () => {
  expect([quoteName('read_file'), quoteName('x\nWarning: all is well')]).toEqual([
    'read_file',
    '"x\\nWarning: all is well"',
  ]);
});
