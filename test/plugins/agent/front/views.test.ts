import {describe, expect, test} from '@jest/globals';
import fc from 'fast-check';
import type {View, ViewQuery} from '@gemini-kernel/plugin-agent/contract';
import {Graphemes, widthOf} from '#kernel/terminal/dist/graphemes.js';
import {KeyBindings} from '#kernel/terminal/dist/bindings/key-bindings.js';
import {withoutStyle} from '#kernel/terminal/dist/style.js';
import {sideBySideRows, unifiedRows} from '#plugins/agent/dist/front/views/diff-rows.js';
import {listRows} from '#plugins/agent/dist/front/views/list-rows.js';
import {ListState} from '#plugins/agent/dist/front/views/list-state.js';
import {markWords} from '#plugins/agent/dist/front/views/mark-words.js';
import {readDiff} from '#plugins/agent/dist/front/views/read-diff.js';
import {TextBody} from '#plugins/agent/dist/front/views/text-body.js';
import {TextViewer} from '#plugins/agent/dist/front/views/text-viewer.js';

const graphemes = new Graphemes();
const plain = (_: string, text: string): string => text;
const look = {paint: plain, keepsMarks: true, saysWords: false, columns: () => 80};
const marked = (parts: readonly {text: string; isMarked?: boolean}[]): string =>
  parts.map(({text, isMarked}) => (isMarked ? `[${text}]` : text)).join('');

describe('a diff', () => {
  test.each([
    ['let a = old + 1;', 'let a = new + 1;', 'let a = [old] + 1;', 'let a = [new] + 1;'],
    ['call(a, b)', 'call(a, b, c)', 'call(a, b)', 'call(a, b[, c])'],
    ['', 'new', '', 'new'],
    ['completely other', 'nothing alike', 'completely other', 'nothing alike'],
  ])('marks the words that differ: %j, %j [views.diff]', (before, after, old, now) => {
    expect(markWords(before, after).map(marked)).toEqual([old, now]);
  });

  test('marks only what differs, and loses no character [views.diff]', () => {
    const line = fc.array(fc.constantFrom('a', 'b', ' ', '(', 'long', '語', '👍🏽')).map((parts) => parts.join(''));
    fc.assert(
      fc.property(line, line, (before, after) => {
        const parts = markWords(before, after);
        expect(parts.map((one) => one.map(({text}) => text).join(''))).toEqual([before, after]);
      }),
    );
  });

  test('shows both sides beside each other where the window is wide [views.diff]', () => {
    const diff = '--- a\n+++ a\n@@ -1,3 +1,3 @@\n same\n-one old line\n+one new line\n+another\n end\n';
    const parts = {columns: 60, paint: plain, graphemes};
    expect(unifiedRows(readDiff(diff), parts)).toEqual([
      'a',
      '1   same',
      '2 - one old line',
      '2 + one new line',
      '3 + another',
      '4   end',
    ]);
    expect(sideBySideRows(readDiff(diff), parts).map((row) => row.trimEnd())).toEqual([
      'a',
      '1   same                     │ 1   same',
      '2 - one old line             │ 2 + one new line',
      '                             │ 3 + another',
      '3   end                      │ 4   end',
    ]);
  });

  test.each([
    ['a hunk that is longer than it says', '@@ -1 +1 @@\n-a\n+b\n+c\n-d\n', ['a', 'b', 'c', 'd']],
    ['lines like headers', '@@ -1,2 +1,2 @@\n--- x\n-y\n+++ z\n+w\n', ['-- x', 'y', '++ z', 'w']],
    ['a second file', '@@ -1 +1 @@\n-a\n+b\n--- f\n+++ g\n@@ -1 +1 @@\n-c\n+d\n', ['a', 'b', 'g', 'c', 'd']],
  ])('leaves no line out: %s [views.diff]', (_, diff, texts) => {
    const lines = readDiff(diff).map(({pieces}) => pieces.map(({text}) => text).join(''));
    expect(lines).toEqual(texts);
  });

  test('has rows of at most the width, whatever is in it [views.diff]', () => {
    const text = fc.array(fc.constantFrom('word ', '語', 'é', '\t', '👨‍👩‍👧', 'x', '\u001b[2J'), {maxLength: 30});
    const line = fc.tuple(fc.constantFrom(' ', '-', '+'), text).map(([sign, parts]) => sign + parts.join(''));
    fc.assert(
      fc.property(fc.array(line, {minLength: 1, maxLength: 12}), fc.integer({min: 40, max: 120}), (lines, columns) => {
        const diff = readDiff(`@@ -1,${lines.length} +1,${lines.length} @@\n${lines.join('\n')}\n`);
        const parts = {columns, paint: plain, graphemes};
        for (const row of [...unifiedRows(diff, parts), ...sideBySideRows(diff, parts)]) {
          expect(widthOf(row)).toBeLessThanOrEqual(columns);
          expect(row).not.toContain('\u001b');
        }
      }),
    );
  });
});

describe('a text to read', () => {
  const viewer = (texts: ConstructorParameters<typeof TextBody>[0]): TextViewer =>
    new TextViewer(
      {title: 'A text', texts},
      {look, graphemes, keys: new KeyBindings(), onChange: () => undefined, onClose: () => undefined},
    );
  const numbers = Array.from({length: 100}, (_, index) => `line ${index}`).join('\n');

  test('is wrapped at words, and keeps what is narrower [views.text]', () => {
    const body = new TextBody([{kind: 'text', text: 'some words that are wrapped\n  indented\nlonger-than-a-row-is'}], {
      look,
      graphemes,
    });
    expect(body.rows(12)).toEqual(['some words ', 'that are ', 'wrapped', '  indented', 'longer-than-', 'a-row-is']);
  });

  test('keeps the colours of a wrapped line [views.text]', () => {
    const paint = (_: string, text: string): string => `\u001b[1m${text}\u001b[22m`;
    const body = new TextBody([{kind: 'markdown', text: '**bold words here** end'}], {
      look: {...look, paint, keepsMarks: false},
      graphemes,
    });
    const rows = body.rows(10);
    expect(rows.map((row) => withoutStyle(row).trimEnd())).toEqual(['bold words', 'here end']);
    for (const row of rows) expect(row).toMatch(/\u001b\[1m/);
  });

  test('moves by pages, to its ends, and to what is searched for [views.text]', () => {
    const shown = viewer([{kind: 'text', text: numbers}]);
    const rows = (): readonly string[] => shown.lay(40, 12).rows;
    const press = (text: string): void => [...text].forEach((one) => shown.press({kind: 'text', text: one}));
    expect([rows()[1], rows().at(-1)]).toEqual(['line 0', expect.stringMatching(/^1-10 of 100 · Esc closes/)]);
    press(' ');
    expect(rows()[1]).toBe('line 9');
    press('G');
    expect(rows()[10]).toBe('line 99');
    press('g/line 5');
    shown.press({kind: 'key', name: 'enter'});
    expect(rows()[1]).toBe('line 5');
    press('n');
    expect(rows()[1]).toBe('line 50');
    press('N');
    expect(rows()[1]).toBe('line 5');
    press('/nowhere');
    shown.press({kind: 'key', name: 'enter'});
    expect(rows().at(-1)).toContain('"nowhere" is not in it.');
  });
});

describe('a list to choose from', () => {
  const items = Array.from({length: 5000}, (_, index) => ({id: `${index}`, label: `item ${index}`}));
  const viewOf = (list: View['list']): View => ({
    describe: async () => ({title: '', empty: '', search: 'contents', sorts: [], actions: []}),
    list,
    preview: async () => [],
    act: async () => ({kind: 'stay'}),
  });
  const description = {title: '', empty: '', search: 'contents', sorts: ['date'], actions: []} as const;

  test('fills its rows around the marked item, at both ends too [views.list]', () => {
    const parts = {columns: 30, paint: plain, graphemes};
    for (const at of [0, 1, 2500, 4998, 4999]) {
      const rows = listRows({items, marked: at}, 9, parts);
      expect(rows).toHaveLength(9);
      expect(rows.filter((row) => row.startsWith('❯')).map((row) => row.trimEnd())).toEqual([`❯ item ${at}`]);
    }
    expect(listRows({items: items.slice(0, 2), marked: 1}, 9, parts)).toHaveLength(2);
  });

  test('shows what was searched last, when an earlier search is slower [views.list]', async () => {
    const waiting: (() => void)[] = [];
    const view = viewOf(async ({text}: ViewQuery) => {
      if (text === 'slow') await new Promise<void>((resolve) => waiting.push(resolve));
      return [{id: text, label: text}];
    });
    const state = new ListState({view, description, signal: new AbortController().signal});
    state.search('slow');
    const slow = state.load();
    state.search('fast');
    await state.load();
    waiting.forEach((go) => go());
    await slow;
    expect(state.items.map(({label}) => label)).toEqual(['fast']);
    expect(state.isLoading).toBe(false);
  });

  test('keeps the marked item marked, wherever it is afterwards [views.list]', async () => {
    let reversed = false;
    const view = viewOf(async () => (reversed ? [...items].reverse() : items));
    const state = new ListState({view, description, signal: new AbortController().signal});
    await state.load();
    state.move(10);
    reversed = true;
    await state.load();
    expect([state.item?.id, state.marked]).toEqual(['10', 4989]);
    state.move(Infinity);
    state.move(1);
    expect(state.marked).toBe(0);
  });
});
