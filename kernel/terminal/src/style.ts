/** The meaning of a piece of text. */
export type Style = 'strong' | 'emphasis' | 'underlined' | 'struck' | 'dim' | 'code' | 'good' | 'warn' | 'bad';

/** Applies a style to text that is already safe to show. */
export type Paint = (style: Style, text: string) => string;

const codes: Readonly<Record<Style, readonly [number, number]>> = {
  strong: [1, 22],
  emphasis: [3, 23],
  underlined: [4, 24],
  struck: [9, 29],
  dim: [2, 22],
  code: [36, 39],
  good: [32, 39],
  warn: [33, 39],
  bad: [31, 39],
};

/** The paint of a terminal; without colour, text is unchanged. */
export function createPaint(colour: boolean): Paint {
  return (style, text) => {
    const [on, off] = codes[style];
    return colour && text !== '' ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  };
}

/** Text with its colours exchanged: a selection. */
export function invert(text: string): string {
  return `\u001b[7m${text}\u001b[27m`;
}

/** The text without our own colours. */
export function withoutStyle(text: string): string {
  return text.replace(/\u001b\[[\d;]*m/g, '');
}
