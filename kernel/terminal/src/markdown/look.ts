import type {Paint} from '../style.js';

/** How Markdown is rendered. */
export interface Look {
  readonly paint: Paint;
  /** Without colours, the marks of emphasis stay, so that nothing is lost. */
  readonly keepsMarks: boolean;
  /** For screen readers: lines and columns become words. */
  readonly saysWords: boolean;
  /** The maximum width of a table. */
  columns(): number;
  /** For screens that wrap paragraphs at words: starts one whose further rows are indented. */
  readonly paragraph?: (hang: number) => string;
}

/** The same within strong text: a terminal cannot nest it. */
export function withinStrong(look: Look): Look {
  return {...look, paint: (style, text) => (style === 'strong' || style === 'dim' ? text : look.paint(style, text))};
}
