import type {Paint} from '../style.js';

/** How Markdown is shown. */
export interface Look {
  readonly paint: Paint;
  /** Without colours the marks of emphasis stay, so that nothing is lost. */
  readonly keepsMarks: boolean;
  /** For who listens: what lines and columns show is said in words. */
  readonly saysWords: boolean;
  /** How wide a table may be. */
  columns(): number;
}

/** The same inside of what is strong already: a terminal knows no strong within strong. */
export function withinStrong(look: Look): Look {
  return {...look, paint: (style, text) => (style === 'strong' || style === 'dim' ? text : look.paint(style, text))};
}
