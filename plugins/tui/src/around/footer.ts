import {fitWidth, safeLine, type Graphemes, type Paint} from '@gemini-kernel/terminal';
import type {FooterFacts, FooterItem} from './footer-items.js';

/** What the footer is to show now. */
export interface FooterState {
  readonly facts: FooterFacts;
  /** The items, in order. */
  readonly items: readonly FooterItem[];
  /** Whether the person wants no footer; a mode is shown nevertheless. */
  readonly isHidden?: boolean;
}

interface FooterParts {
  readonly paint: Paint;
  readonly graphemes: Graphemes;
  /** Finds what to show, from the settings and facts of now. */
  find(): Promise<FooterState>;
  onChange(): void;
}

/** The last row: where the conversation is, what answers, and what is switched on. */
export class Footer {
  #state: FooterState = {facts: {workspace: ''}, items: []};
  #isFinding = false;

  constructor(private readonly parts: FooterParts) {}

  /** Finds out what to show, once at a time. An item that cannot be found is not shown. */
  async refresh(): Promise<void> {
    if (this.#isFinding) return;
    this.#isFinding = true;
    try {
      this.#state = await this.parts.find();
      this.parts.onChange();
    } finally {
      this.#isFinding = false;
    }
  }

  rows(columns: number, mode: string | undefined): readonly string[] {
    const {paint, graphemes} = this.parts;
    if (this.#state.isHidden && mode === undefined) return [];
    return [paint('dim', fitWidth(`  ${footerText(this.#state, mode)}`, columns - 1, graphemes))];
  }
}

/** The footer as text. */
export function footerText({facts, items, isHidden}: FooterState, mode?: string): string {
  if (isHidden) return safeLine(mode ?? '');
  const shown = items.map((item) => facts[item] ?? '').filter((text) => text !== '');
  return [...shown, ...(mode === undefined ? [] : [mode]), '? for keys'].map((text) => safeLine(text)).join(' · ');
}
