import {colourCode, type ColourDepth} from './theme/colours.js';
import type {Theme} from './theme/themes.js';

/** The meaning of a piece of text. */
export type Style = 'strong' | 'emphasis' | 'underlined' | 'struck' | 'dim' | 'code' | 'good' | 'warn' | 'bad';

/** Applies a style to text that is already safe to show. */
export type Paint = (style: Style, text: string) => string;

/** A paint, and how its colours change. */
export interface Painter {
  readonly paint: Paint;
  /** Uses the colours of a theme from now on; without one, those of the terminal. */
  use(theme: Theme): void;
}

const PLAIN: Readonly<Record<Style, readonly [on: string, off: string]>> = {
  strong: ['1', '22'],
  emphasis: ['3', '23'],
  underlined: ['4', '24'],
  struck: ['9', '29'],
  dim: ['2', '22'],
  code: ['36', '39'],
  good: ['32', '39'],
  warn: ['33', '39'],
  bad: ['31', '39'],
};
const ROLES: Readonly<Partial<Record<Style, keyof Theme>>> = {
  underlined: 'link',
  dim: 'secondary',
  code: 'accent',
  good: 'good',
  warn: 'warn',
  bad: 'bad',
};

/** The paint of a terminal with so many colours; without any, text is unchanged. */
export function createPainter(depth: ColourDepth): Painter {
  let codes = PLAIN;
  return {
    paint: (style, text) => {
      const [on, off] = codes[style];
      return depth > 0 && text !== '' ? `\u001b[${on}m${text}\u001b[${off}m` : text;
    },
    use: (theme) => {
      const coloured = Object.entries(ROLES).flatMap(([style, role]) => {
        const colour = theme[role];
        if (colour === undefined) return [];
        const code = colourCode(colour, depth);
        return [[style, style === 'underlined' ? [`4;${code}`, '24;39'] : [code, '39']] as const];
      });
      codes = {...PLAIN, ...Object.fromEntries(coloured)};
    },
  };
}

/** The paint of a terminal in its own colours; without colour, text is unchanged. */
export function createPaint(colour: boolean): Paint {
  return createPainter(colour ? 16 : 0).paint;
}

/** Text with its colours exchanged: a selection. */
export function invert(text: string): string {
  return `\u001b[7m${text}\u001b[27m`;
}

/** The text without our own colours. */
export function withoutStyle(text: string): string {
  return text.replace(/\u001b\[[\d;]*m/g, '');
}
