import {describe, expect, test} from '@jest/globals';
import headless from '@xterm/headless';
import fc from 'fast-check';
import {Graphemes} from '#kernel/terminal/dist/graphemes.js';
import {KeyBindings} from '#kernel/terminal/dist/bindings/key-bindings.js';
import {startParagraph} from '#kernel/terminal/dist/markdown/paragraph.js';
import {createPaint} from '#kernel/terminal/dist/style.js';
import {WindowScreen} from '#plugins/tui/dist/screen/window-screen.js';

const {Terminal} = headless;
const numRuns = Number(process.env['FUZZ_RUNS'] ?? 100);
const MOST_MS = 30_000 + numRuns * 200;
const paint = createPaint(true);

/** A terminal emulator with a conversation in its whole window. */
class Xterm {
  readonly screen: InstanceType<typeof WindowScreen>;
  readonly #terminal: InstanceType<typeof Terminal>;
  #written = '';
  /** How many characters the screen has written. */
  count = 0;

  constructor(columns: number, rows: number) {
    const terminal = new Terminal({cols: columns, rows, scrollback: 100_000, allowProposedApi: true, convertEol: true});
    this.#terminal = terminal;
    this.screen = new WindowScreen({
      output: {
        write: (text) => {
          this.#written += text;
          this.count += text.length;
        },
        get columns() {
          return terminal.cols;
        },
        get rows() {
          return terminal.rows;
        },
      },
      graphemes: new Graphemes(),
      keys: new KeyBindings(),
      paint: createPaint(false),
      now: () => performance.now(),
    });
  }

  resize(columns: number, rows: number): void {
    this.#terminal.resize(columns, rows);
  }

  async settle(): Promise<void> {
    const text = this.#written;
    this.#written = '';
    await new Promise<void>((resolve) => this.#terminal.write(text, resolve));
  }

  get isAlternate(): boolean {
    return this.#terminal.buffer.active.type === 'alternate';
  }

  /** The rows of the window. */
  get window(): readonly string[] {
    const {active} = this.#terminal.buffer;
    return Array.from({length: this.#terminal.rows}, (_, row) =>
      (active.getLine(active.baseY + row)?.translateToString(false, 0, this.#terminal.cols) ?? '').trimEnd(),
    );
  }

  /** The lines of the normal screen and its scrollback; rows that the terminal wrapped are one. */
  get lines(): readonly string[] {
    const {normal} = this.#terminal.buffer;
    const lines: string[] = [];
    for (let at = 0; at < normal.length; at += 1) {
      const text = normal.getLine(at)?.translateToString(false) ?? '';
      if (normal.getLine(at)?.isWrapped === true) lines.push((lines.pop() ?? '') + text);
      else lines.push(text);
    }
    return lines.map((line) => line.trimEnd());
  }
}

type Act =
  | {readonly kind: 'print'; readonly text: string}
  | {readonly kind: 'show'; readonly rows: readonly string[]}
  | {readonly kind: 'key'; readonly name: string}
  | {readonly kind: 'lend'}
  | {readonly kind: 'resize'; readonly columns: number; readonly rows: number};

const word = fc.string({unit: fc.constantFrom('a', 'b', 'c', '日', 'é', '.'), minLength: 1, maxLength: 12});
const piece = fc.oneof(
  {weight: 6, arbitrary: word},
  {weight: 6, arbitrary: fc.constant(' ')},
  {weight: 3, arbitrary: fc.constant('\n')},
  {weight: 1, arbitrary: fc.nat(6).map((hang) => `\n${startParagraph(hang)}`)},
  {weight: 1, arbitrary: word.map((text) => paint('strong', `${text} ${text}`))},
  {weight: 1, arbitrary: fc.integer({min: 10, max: 90}).map((count) => 'x'.repeat(count))},
);
const acting: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .array(piece, {minLength: 1, maxLength: 25})
      .map((pieces) => ({kind: 'print' as const, text: pieces.join('')})),
  },
  {
    weight: 4,
    arbitrary: fc
      .array(fc.string({unit: fc.constantFrom('q', 'w'), maxLength: 9}), {minLength: 1, maxLength: 6})
      .map((rows) => ({kind: 'show' as const, rows})),
  },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom('pageup', 'pagedown', 'shift+up', 'shift+down', 'shift+home', 'shift+end', 'wheelup', 'escape')
      .map((name) => ({kind: 'key' as const, name})),
  },
  {weight: 1, arbitrary: fc.constant({kind: 'lend' as const})},
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('resize' as const),
      columns: fc.integer({min: 12, max: 50}),
      rows: fc.integer({min: 8, max: 24}),
    }),
  },
);

/** Letters only: a terminal and a line that was interrupted add and remove blanks and line ends. */
function bare(text: string): string {
  return text.replace(/\u001b\[[\d;]*m|\u001b\]p;\d+\u0007|\s/g, '');
}

describe('a conversation in the whole window', () => {
  test(
    'shows what a window drawn at once would show, and leaves each line once in the scrollback [tui.window-lost]',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(acting, {maxLength: 25}), async (acts) => {
          const xterm = new Xterm(30, 12);
          let size = {columns: 30, rows: 12};
          let view = {rows: ['> '], row: 0, column: 2};
          let printed = '';
          let isBack = false;
          xterm.screen.acquire();
          xterm.screen.show(view);
          await xterm.settle();
          for (const act of acts) {
            if (act.kind === 'print') {
              printed += act.text;
              xterm.screen.print(act.text);
            } else if (act.kind === 'show') {
              view = {rows: [...act.rows], row: 0, column: 0};
              xterm.screen.show(view);
            } else if (act.kind === 'resize') {
              size = act;
              xterm.resize(size.columns, size.rows);
              xterm.screen.resize(() => view);
            } else if (act.kind === 'lend') {
              xterm.screen.release();
              xterm.screen.acquire();
            } else isBack = xterm.screen.press({kind: 'key', name: act.name}) || isBack;
            xterm.screen.flush();
            await xterm.settle();
          }
          if (isBack) {
            xterm.screen.press({kind: 'key', name: 'shift+end'});
            xterm.screen.flush();
            await xterm.settle();
          }
          const fresh = new Xterm(size.columns, size.rows);
          fresh.screen.recall(printed);
          fresh.screen.acquire();
          fresh.screen.show(view);
          await fresh.settle();
          expect(xterm.window).toEqual(fresh.window);
          xterm.screen.release();
          await xterm.settle();
          expect(xterm.isAlternate).toBe(false);
          expect(bare(xterm.lines.join('\n'))).toBe(bare(printed));
        }),
        {numRuns},
      );
    },
    MOST_MS,
  );

  const open = async (): Promise<Xterm> => {
    const xterm = new Xterm(40, 10);
    xterm.screen.acquire();
    xterm.screen.print(Array.from({length: 50}, (_, at) => `line ${at}\n`).join(''));
    xterm.screen.show({rows: ['', '> '], row: 1, column: 2});
    await xterm.settle();
    return xterm;
  };
  const press = async (xterm: Xterm, ...names: readonly string[]): Promise<readonly string[]> => {
    for (const name of names)
      xterm.screen.press(name.startsWith('text:') ? {kind: 'text', text: name.slice(5)} : {kind: 'key', name});
    await xterm.settle();
    return xterm.window;
  };

  test('is scrolled by pages and rows, and stays where the person looks while more is printed [tui.window]', async () => {
    const xterm = await open();
    expect(xterm.window.slice(0, 9)).toEqual([...Array.from({length: 8}, (_, at) => `line ${42 + at}`), '']);
    const back = await press(xterm, 'pageup', 'shift+up');
    expect(back[0]).toBe('line 35');
    expect(back[7]).toMatch(/─── 8 more rows below/);
    xterm.screen.print('line 50\n');
    xterm.screen.flush();
    await xterm.settle();
    expect(xterm.window[0]).toBe('line 35');
    expect(xterm.window[7]).toMatch(/─── 9 more rows below/);
    expect((await press(xterm, 'shift+home'))[0]).toBe('line 0');
    expect((await press(xterm, 'end'))[7]).toBe('line 50');
    // At the end, Home and End are keys of the prompt.
    expect(xterm.screen.press({kind: 'key', name: 'home'})).toBe(false);
  });

  test('is searched from its end, match by match, and Esc returns to the prompt [tui.window]', async () => {
    const xterm = await open();
    const found = await press(xterm, 'f3', 'text:LINE 1', 'enter');
    expect(found.slice(0, 4)).toEqual(['line 17', 'line 18', 'line 19', 'line 20']);
    expect(found[8]).toBe('/LINE 1');
    expect((await press(xterm, 'f3'))[2]).toBe('line 18');
    expect((await press(xterm, 'down'))[2]).toBe('line 19');
    const missed = await press(xterm, 'ctrl+u', 'text:nowhere', 'enter');
    expect(missed[9]).toBe('"nowhere" is not in the history.');
    const closed = await press(xterm, 'escape');
    expect(closed.slice(7)).toEqual(['line 49', '', '>']);
    expect(xterm.screen.press({kind: 'key', name: 'escape'})).toBe(false);
  });

  test('writes little more than what is new, and nothing while nothing changes [tui.window]', async () => {
    const xterm = await open();
    const before = xterm.count;
    let printed = 0;
    for (let frame = 0; frame < 100; frame += 1) {
      const text = `another line of text ${frame}\n`;
      printed += text.length;
      xterm.screen.print(text);
      xterm.screen.flush();
    }
    expect((xterm.count - before) / printed).toBeLessThan(3.5);
    await xterm.settle();
    const after = xterm.count;
    xterm.screen.show({rows: ['', '> '], row: 1, column: 2});
    expect(xterm.count).toBe(after);
  });
});
