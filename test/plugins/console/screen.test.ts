import {describe, expect, test} from '@jest/globals';
import fc from 'fast-check';
import type {InputView} from '#kernel/terminal/dist/line-input.js';
import {VirtualTerminal} from './virtual-terminal.js';
import type {Screen} from '#plugins/agent/dist/front/screen.js';
import {LiveScreen} from '#plugins/console/dist/live-screen.js';
import {PlainScreen} from '#plugins/console/dist/plain-screen.js';
import {Graphemes, widthOf} from '#kernel/terminal/dist/graphemes.js';

const graphemes = new Graphemes();
const view = (text: string, cursor: number): InputView => ({label: '> ', cells: graphemes.split(text), cursor});

const outputOf = (terminal: {
  readonly columns: number;
  readonly rows: number;
  write(text: string): boolean;
}): NodeJS.WriteStream => terminal as NodeJS.WriteStream;

type Act =
  | {readonly kind: 'print' | 'status'; readonly text: string}
  | {readonly kind: 'prompt'; readonly text: string; readonly at: number; readonly below: string | undefined}
  | {readonly kind: 'none'};
const letters = fc.string({unit: fc.constantFrom('a', 'b', ' ', '日', 'é'), maxLength: 30});
const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({
    kind: fc.constant('print' as const),
    text: fc.string({unit: fc.constantFrom('a', 'b', '日', '\n'), minLength: 1, maxLength: 40}),
  }),
  fc.record({kind: fc.constant('status' as const), text: letters}),
  fc.record({
    kind: fc.constant('prompt' as const),
    text: fc.string({unit: fc.constantFrom('a', '日', '\n', 'é'), maxLength: 50}),
    at: fc.nat(50),
    below: fc.option(letters, {nil: undefined}),
  }),
  fc.constant({kind: 'none' as const}),
);

function perform(screen: Screen, one: Act): void {
  if (one.kind === 'print') screen.print(one.text);
  else if (one.kind === 'status') screen.status(one.text);
  else if (one.kind === 'prompt')
    screen.prompt(view(one.text, Math.min(one.at, graphemes.split(one.text).length)), one.below);
  else screen.prompt(undefined);
}

describe('a live screen', () => {
  test('keeps what was printed, in order and unbroken, whatever the bottom line shows in between', () => {
    fc.assert(
      fc.property(fc.array(act, {maxLength: 30}), fc.integer({min: 4, max: 20}), (acts, columns) => {
        const terminal = new VirtualTerminal(columns, 12, widthOf);
        const screen = new LiveScreen(outputOf(terminal), graphemes);
        for (const one of acts) perform(screen, one);
        screen.prompt(undefined);
        const printed = acts.map((one) => (one.kind === 'print' ? one.text : '')).join('');
        expect(terminal.text.replace(/\n+/g, '')).toBe(printed.replace(/\n+/g, ''));
        expect(terminal.unknown).toEqual([]);
      }),
      {numRuns: 500},
    );
  });

  test('line ends that were not printed appear only where a row was exactly full when the bottom line was shown', () => {
    const terminal = new VirtualTerminal(10, 5, widthOf);
    const screen = new LiveScreen(outputOf(terminal), graphemes);
    for (const piece of ['one two ', 'three fo', 'ur five\nsix', ' seven']) {
      screen.print(piece);
      screen.status('working');
    }
    screen.status(undefined);
    expect(terminal.text).toBe('one two three four five\nsix seven');
  });

  test('a line under the prompt is cut to one row, leaves the cursor where it is, and goes without a trace', () => {
    const terminal = new VirtualTerminal(12, 4, widthOf);
    const screen = new LiveScreen(outputOf(terminal), graphemes);
    screen.prompt(view('see @al', 7), 'alpha.txt  alto/');
    expect([terminal.text, terminal.beforeCursor]).toEqual(['> see @al\nalpha.txt …', '> see @al']);
    screen.prompt(view('see @alt', 8));
    expect([terminal.text, terminal.beforeCursor]).toEqual(['> see @alt', '> see @alt']);
  });

  test('a screen of two rows has one for the prompt and one for the line under it', () => {
    const terminal = new VirtualTerminal(12, 2, widthOf);
    const screen = new LiveScreen(outputOf(terminal), graphemes);
    screen.prompt(view('a\nb\nc', 5), 'found');
    expect([terminal.text, terminal.beforeCursor]).toEqual(['c\nfound', 'c']);
  });

  test.each([
    ['within a row', 'hello', 3, '> hel'],
    ['after wide characters', '日本', 1, '> 日'],
    ['in the row that a long line wraps to', 'abcdefghijkl', 10, 'hij'],
    ['in a second line', 'ab\ncd', 4, 'c'],
  ])('the cursor stands %s', (_, text, cursor, before) => {
    const terminal = new VirtualTerminal(10, 6, widthOf);
    new LiveScreen(outputOf(terminal), graphemes).prompt(view(text, cursor));
    expect(terminal.beforeCursor.trimStart()).toBe(before);
  });

  test('a prompt taller than the screen shows the rows around its cursor', () => {
    const terminal = new VirtualTerminal(20, 4, widthOf);
    const text = Array.from({length: 40}, (_, index) => `line ${index}`).join('\n');
    const screen = new LiveScreen(outputOf(terminal), graphemes);
    screen.print('before\n');
    screen.prompt(view(text, text.indexOf('20')));
    screen.prompt(undefined);
    screen.print('after\n');
    expect(terminal.text).toBe('before\nafter');
  });
});

describe('a plain screen', () => {
  test('writes no escape sequence, and its last line is the prompt after every change', () => {
    const text = fc.string({unit: fc.constantFrom('a', 'b', 'c', '日', '\n'), maxLength: 12});
    fc.assert(
      fc.property(fc.array(fc.record({text, at: fc.nat(12)}), {minLength: 1, maxLength: 20}), (states) => {
        const terminal = new VirtualTerminal(60, 50, widthOf);
        const written: string[] = [];
        const screen = new PlainScreen(
          outputOf({columns: 60, rows: 50, write: (one: string) => (written.push(one), terminal.write(one))}),
          true,
        );
        for (const {text: line, at} of states) {
          const shown = view(line, Math.min(at, graphemes.split(line).length));
          screen.prompt(shown);
          const last = `> ${shown.cells.join('')}`.split('\n').at(-1) ?? '';
          expect(terminal.text.split('\n').at(-1)?.trim()).toBe(
            last.trim() === '' ? terminal.text.split('\n').at(-1)?.trim() : last.trim(),
          );
        }
        expect(written.join('')).not.toMatch(/[\u001b\r]/);
      }),
      {numRuns: 300},
    );
  });
});
