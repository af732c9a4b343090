import {describe, expect, test} from '@jest/globals';
import fc from 'fast-check';
import {LineInput} from '#kernel/terminal/dist/line-input.js';
import type {Act} from '#kernel/terminal/dist/line-settings.js';
import {Graphemes} from '#kernel/terminal/dist/graphemes.js';
import {keyCommands} from '#kernel/terminal/dist/bindings/key-commands.js';

const graphemes = new Graphemes();

/**
 * Presses keys: `<name>` is a key, the rest is typed. Gives the text with `|` at the cursor, and what was asked for
 * last.
 */
function press(
  keys: string,
  history: readonly string[] = [],
): {readonly seen: string; readonly act: Act | undefined; readonly input: InstanceType<typeof LineInput>} {
  const input = new LineInput(graphemes, {history});
  let act: Act | undefined;
  for (const word of keys.match(/<[^>]+>|[^<]/gu) ?? [])
    act = input.press(word.startsWith('<') ? {kind: 'key', name: word.slice(1, -1)} : {kind: 'text', text: word});
  const {cells, cursor} = input.view;
  return {seen: [...cells.slice(0, cursor), '|', ...cells.slice(cursor)].join(''), act, input};
}

describe('how an earlier prompt continues', () => {
  const history = ['fix the old test', 'fix the tests\nof today', 'fix', 'say hello'];
  const offered = (keys: string, offersEarlier = true): readonly [string, string] => {
    const input = new LineInput(graphemes, {history, offersEarlier});
    for (const word of keys.match(/<[^>]+>|[^<]/gu) ?? [])
      input.press(word.startsWith('<') ? {kind: 'key', name: word.slice(1, -1)} : {kind: 'text', text: word});
    return [input.text, input.ghost];
  };

  test.each([
    ['fi', 'fi', ''],
    ['fix', 'fix', ' the tests'],
    ['fix the o', 'fix the o', 'ld test'],
    ['fix the o<right>', 'fix the old test', ''],
    ['fix the o<end>!', 'fix the old test!', ''],
    ['fix the o<left>', 'fix the o', ''],
    ['fix the o<left><right>', 'fix the o', 'ld test'],
    ['fix the x<right>', 'fix the x', ''],
    ['say hello', 'say hello', ''],
    ['fix<ctrl+j>', 'fix\n', ''],
  ])('is offered and taken: %j [tui.ghost]', (keys, text, ghost) => {
    expect(offered(keys)).toEqual([text, ghost]);
  });

  test('is neither offered nor taken where it is not shown [tui.ghost]', () => {
    expect(offered('fix the o<right>', false)).toEqual(['fix the o', '']);
  });
});

describe('editing', () => {
  test.each([
    ['abc<left><left>x', 'ax|bc'],
    ['abc<ctrl+a>x<ctrl+e>y', 'xabcy|'],
    ['one two<alt+b><alt+b>x', 'x|one two'],
    ['one two<ctrl+a><alt+f>x', 'onex| two'],
    ['one two.py<alt+backspace>', 'one two.|'],
    ['one two.py<ctrl+w>', 'one |'],
    ['one two<ctrl+a><alt+d>', '| two'],
    ['one two<ctrl+w><ctrl+w><ctrl+y>', 'one two|'],
    ['ab<ctrl+u>cd<ctrl+u><ctrl+y><alt+y>', 'ab|'],
    ['ab<ctrl+j>cd<ctrl+a><ctrl+k><ctrl+k>', 'ab\n|'],
    ['ab<ctrl+j>cd<ctrl+a><ctrl+u>', 'ab|cd'],
    ['ab<ctrl+j>c<up>x', 'ax|b\nc'],
    ['abcd<ctrl+j>e<ctrl+j>abcd<up><up>x', 'abcdx|\ne\nabcd'],
    ['ab<ctrl+t>', 'ba|'],
    ['e\u0301x<left><backspace>', '|x'],
    ['👩‍👩‍👧b<left><left><delete>', '|b'],
    ['one two<alt+z>', 'one|'],
    ['one two<alt+z><alt+shift+z>', 'one two|'],
    ['one<ctrl+u>two<alt+z><ctrl+_>', 'one|'],
    ['a\tb', 'a    b|'],
    ['a<ctrl+d>', 'a|'],
    ['ab<left><ctrl+d>', 'a|'],
    ['a\\<enter>b', 'a\nb|'],
    ['a<alt+enter>b<shift+enter>c<ctrl+enter>d', 'a\nb\nc\nd|'],
  ])('%s gives %s', (keys, seen) => {
    expect(press(keys).seen).toBe(seen);
  });

  test.each([
    ['a<enter>', 'submit'],
    ['a\\\\<enter>', 'submit'],
    ['a\\<left><enter>', 'submit'],
    ['<ctrl+d>', 'end'],
    ['<ctrl+c>', 'interrupt'],
    ['<escape>', 'escape'],
    ['/h<tab>', 'complete'],
    ['<ctrl+l>', 'clear'],
    ['<ctrl+g>', 'editor'],
    ['?', 'keys'],
    ['a?', undefined],
  ])('%s asks for %s', (keys, act) => {
    expect(press(keys).act).toBe(act);
  });

  test('no key does harm: the cursor stands between characters, and undoing everything gives the empty prompt', () => {
    const keys = fc.array(
      fc.oneof(
        fc.constantFrom(
          ...keyCommands()
            .filter(({place, act}) => place === 'prompt' && act !== 'search')
            .flatMap(({keys: names}) => names.map((name) => `<${name}>`)),
        ),
        fc.constantFrom('a', ' ', '\\', '日', 'e\u0301', '👩‍👩‍👧'),
      ),
      {maxLength: 60},
    );
    fc.assert(
      fc.property(keys, (pressed) => {
        const {input} = press(pressed.join(''), []);
        const {text, cursor} = input.draft;
        expect([0, ...graphemes.split(text).map((_, index, all) => all.slice(0, index + 1).join('').length)]).toContain(
          cursor,
        );
        for (let count = 0; count < 200; count += 1) input.press({kind: 'key', name: 'alt+z'});
        expect(input.text).toBe('');
      }),
    );
  });
});

describe('pasting', () => {
  const many = Array.from({length: 5000}, (_, index) => `line ${index}`).join('\n');

  test('a long paste is one character to look at and to delete, and is sent whole', () => {
    const {input} = press('see ');
    input.press({kind: 'paste', text: many.replaceAll('\n', '\r')});
    input.press({kind: 'text', text: ' ok'});
    expect([input.view.cells.join(''), input.text]).toEqual(['see [pasted 5000 lines] ok', `see ${many} ok`]);
    for (let count = 0; count < 4; count += 1) input.press({kind: 'key', name: 'backspace'});
    expect(input.text).toBe('see ');
    input.press({kind: 'key', name: 'alt+z'});
    expect(input.text).toBe(`see ${many}`);
  });

  test('a short paste keeps its lines and is not sent', () => {
    const {input} = press('');
    expect([input.press({kind: 'paste', text: 'a\r\nb\rc\n'}), input.text]).toEqual([undefined, 'a\nb\nc\n']);
  });

  test('what a terminal would obey is shown spelled out, and sent as it is', () => {
    const {input} = press('');
    input.press({kind: 'paste', text: 'a\u001b[2Jb\u202ec'});
    expect([input.view.cells.join(''), input.text]).toEqual(['a\\u001b[2Jb\\u202ec', 'a\u001b[2Jb\u202ec']);
  });
});

describe('earlier prompts', () => {
  const history = ['first', 'second\nline', 'third one'];

  test.each([
    ['<up>', 'third one|'],
    ['<up><up>', 'second\nline|'],
    ['<up><up><up>', 'seco|nd\nline'],
    ['<up><up><up><up>', 'first|'],
    ['<up><up><up><up><up><up>', 'first|'],
    ['draft<up><down>', 'draft|'],
    ['draft<ctrl+p><ctrl+n><ctrl+n>', 'draft|'],
    ['<ctrl+r>on', 'third one|'],
    ['<ctrl+r>e<ctrl+r>', 'second\nline|'],
    ['<ctrl+r>fir<enter>', 'first|'],
    ['<ctrl+r>fir<ctrl+a>x', 'x|first'],
    ['draft<ctrl+r>fir<escape>', 'draft|'],
    ['draft<ctrl+r>zzz', '|'],
    ['<ctrl+r>fix<backspace>r', 'first|'],
  ])('%s shows %s', (keys, seen) => {
    expect(press(keys, history).seen).toBe(seen);
  });

  test('a search says what it looks for, and that it found nothing', () => {
    expect(
      [press('<ctrl+r>fi', history), press('<ctrl+r>q\u001b', history)].map(({input}) => input.view.label),
    ).toEqual(['(search "fi") ', '(no match for "q\\u001b") ']);
  });
});
