import type {Colour} from './colours.js';

/** The colours of a theme; what is absent keeps the terminal's own. */
export interface Theme {
  /** What is less important. */
  readonly secondary?: Colour;
  /** Code, and what is marked. */
  readonly accent?: Colour;
  readonly link?: Colour;
  readonly good?: Colour;
  readonly warn?: Colour;
  readonly bad?: Colour;
}

const rows: Readonly<Record<string, readonly Colour[]>> = {
  ANSI: [90, 36, 34, 32, 33, 31],
  'ANSI Light': [90, 34, 34, 32, 33, 31],
  'Atom One': ['#5c6370', '#c678dd', '#61afef', '#98c379', '#e5c07b', '#e06c75'],
  Ayu: ['#6c7680', '#d2a6ff', '#39bae6', '#aad94c', '#e6b450', '#f26d78'],
  'Ayu Light': ['#8a9199', '#a37acc', '#399ee6', '#86b300', '#f2ae49', '#f07171'],
  Default: ['#7f849c', '#cba6f7', '#89b4fa', '#a6e3a1', '#f9e2af', '#f38ba8'],
  'Default Light': ['#6c6f85', '#8839ef', '#1e66f5', '#40a02b', '#df8e1d', '#d20f39'],
  Dracula: ['#6272a4', '#ff79c6', '#8be9fd', '#50fa7b', '#f1fa8c', '#ff5555'],
  GitHub: ['#8b949e', '#d2a8ff', '#58a6ff', '#3fb950', '#d29922', '#f85149'],
  'GitHub Dark Colorblind': ['#8b949e', '#d2a8ff', '#58a6ff', '#58a6ff', '#d29922', '#ec8e2c'],
  'GitHub Light': ['#6e7781', '#8250df', '#0969da', '#1a7f37', '#9a6700', '#cf222e'],
  'GitHub Light Colorblind': ['#6e7781', '#8250df', '#0969da', '#0969da', '#9a6700', '#b35900'],
  'Google Code': ['#5f6368', '#660066', '#1a73e8', '#008800', '#b06000', '#c5221f'],
  Holiday: ['#8fbc8f', '#ffd700', '#87cefa', '#3cb371', '#ffef8f', '#ff6347'],
  'Shades Of Purple': ['#a599e9', '#ff9d00', '#9effff', '#a5ff90', '#fad000', '#ec3a37'],
  'Solarized Dark': ['#586e75', '#6c71c4', '#268bd2', '#859900', '#b58900', '#dc322f'],
  'Solarized Light': ['#93a1a1', '#6c71c4', '#268bd2', '#859900', '#b58900', '#dc322f'],
  'Tokyo Night': ['#565f89', '#bb9af7', '#7aa2f7', '#9ece6a', '#e0af68', '#f7768e'],
  Xcode: ['#5d6c79', '#aa0d91', '#0f68a0', '#007400', '#826b28', '#c41a16'],
};
const ROLES = ['secondary', 'accent', 'link', 'good', 'warn', 'bad'] as const;

/** The names of the built-in themes. */
export function themeNames(): readonly string[] {
  return Object.keys(rows);
}

/** A built-in theme; case does not count. */
export function findTheme(name: string): Theme | undefined {
  const found = Object.keys(rows).find((one) => one.toLowerCase() === name.trim().toLowerCase());
  const colours = found === undefined ? undefined : rows[found];
  return colours && Object.fromEntries(ROLES.map((role, index) => [role, colours[index]]));
}
