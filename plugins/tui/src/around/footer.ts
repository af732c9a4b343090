import {fitWidth, safeLine, type Graphemes, type Paint} from '@gemini-kernel/terminal';

/** What the footer can show, by the names that the setting `ui.footer.items` uses. */
export interface FooterFacts {
  readonly workspace: string;
  readonly 'git-branch'?: string;
  readonly 'model-name'?: string;
  readonly 'context-used'?: string;
  readonly 'token-count'?: string;
  /** What the conversation has cost, for models with a price. */
  readonly cost?: string;
  readonly 'code-changes'?: string;
  readonly 'session-id'?: string;
  /** What confines commands. */
  readonly sandbox?: string;
  readonly 'memory-usage'?: string;
  /** The first line of the command of the setting `ui.footer.command`. */
  readonly 'command-output'?: string;
}

interface FooterParts {
  readonly paint: Paint;
  readonly graphemes: Graphemes;
  /** The items, in order. */
  readonly items: readonly (keyof FooterFacts)[];
  /** Finds the facts again. */
  find(): Promise<FooterFacts>;
  onChange(): void;
}

/** All items that a setting can name. */
const ALL_ITEMS: readonly (keyof FooterFacts)[] = [
  ...(['workspace', 'git-branch', 'model-name', 'context-used'] as const),
  ...(['token-count', 'cost', 'code-changes', 'session-id'] as const),
  ...(['sandbox', 'memory-usage', 'command-output'] as const),
];

/** The items without a setting. */
export const USUAL_ITEMS: readonly (keyof FooterFacts)[] = ['workspace', 'git-branch', 'model-name', 'context-used'];

/** The last row: where the conversation is, what answers, and what is switched on. */
export class Footer {
  #facts: FooterFacts = {workspace: ''};
  #isFinding = false;

  constructor(private readonly parts: FooterParts) {}

  /** Finds out what to show, once at a time. An item that cannot be found is not shown. */
  async refresh(): Promise<void> {
    if (this.#isFinding) return;
    this.#isFinding = true;
    try {
      this.#facts = await this.parts.find();
      this.parts.onChange();
    } finally {
      this.#isFinding = false;
    }
  }

  row(columns: number, mode: string | undefined): string {
    const {paint, graphemes, items} = this.parts;
    const shown = items.map((item) => this.#facts[item] ?? '').filter((text) => text !== '');
    const line = [...shown, ...(mode === undefined ? [] : [mode]), '? for keys'].map((text) => safeLine(text));
    return paint('dim', fitWidth(`  ${line.join(' · ')}`, columns - 1, graphemes));
  }
}

/** The items that a setting names, without those that are unknown here. */
export function readItems(value: unknown): readonly (keyof FooterFacts)[] {
  if (!Array.isArray(value)) return USUAL_ITEMS;
  return ALL_ITEMS.filter((item) => value.includes(item)).sort((a, b) => value.indexOf(a) - value.indexOf(b));
}
