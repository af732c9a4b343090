import {messageOf} from '@gemini-kernel/kernel';
import type {Theme} from '@gemini-kernel/terminal';
import type {View, ViewDescription, ViewItem, ViewOutcome, ViewText} from '../../views.js';

interface ThemeViewParts {
  /** The name of the theme in use; empty: the colours of the terminal. */
  readonly current: string;
  list(): Promise<readonly {readonly name: string; readonly origin: string}[]>;
  find(name: string): Promise<{readonly theme: Theme; readonly faults: readonly string[]}>;
  /** Paints with a theme from now on. */
  use(theme: Theme): void;
  keep(name: string): Promise<void>;
}

const OWN = "The terminal's own colours";
const SAMPLE = `# A heading

Text with \`code\`, **strong** words and a [link](https://example.com).

\`\`\`ts
// A comment
const answer: number = 42;
if (answer > 7) print("large");
\`\`\`

- one item
- another one
`;
const DIFF = `--- a/sum.ts
+++ b/sum.ts
@@ -1,3 +1,3 @@
 export function sum(a: number, b: number) {
-  return a - b;
+  return a + b;
 }
`;

/** The themes: the marked one is used while the view is open, and kept when it is chosen. */
export class ThemeView implements View {
  /** Whether one was chosen. */
  isChosen = false;
  /** Whether it is closed: nothing is shown any more. */
  isOver = false;

  constructor(private readonly parts: ThemeViewParts) {}

  async describe(): Promise<ViewDescription> {
    return {
      title: 'Themes',
      empty: 'There are none.',
      search: 'labels',
      sorts: [],
      actions: [{name: 'keep', key: 'u', label: 'use'}],
    };
  }

  /** The one in use is the first one. */
  async list(): Promise<readonly ViewItem[]> {
    const {current, list} = this.parts;
    const themes = [{name: '', origin: ''}, ...(await list())];
    const used = themes.find(({name}) => name === current) ?? {name: current, origin: ''};
    return [used, ...themes.filter(({name}) => name !== current)].map(({name, origin}) => {
      const details = [...(name === current ? ['in use'] : []), ...(origin === '' ? [] : [origin])].join(', ');
      return {id: name, label: name === '' ? OWN : name, ...(details === '' ? {} : {details})};
    });
  }

  async preview(id: string): Promise<readonly ViewText[]> {
    const {find, use} = this.parts;
    const {theme, faults} = id === '' ? {theme: {}, faults: []} : await find(id);
    if (!this.isOver) use(theme);
    return [
      ...(faults.length > 0 ? [{kind: 'text' as const, title: 'What is wrong with it', text: faults.join('\n')}] : []),
      {kind: 'markdown', text: SAMPLE},
      {kind: 'diff', text: DIFF},
    ];
  }

  async act(_: string, id: string): Promise<ViewOutcome> {
    const {faults} = id === '' ? {faults: []} : await this.parts.find(id);
    if (faults.length > 0) return {kind: 'stay', sentence: faults.join(' ')};
    try {
      await this.parts.keep(id);
    } catch (error) {
      return {kind: 'stay', sentence: messageOf(error)};
    }
    this.isChosen = true;
    return {kind: 'leave'};
  }
}
