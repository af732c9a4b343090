import {readColour, type Colour} from './colours.js';
import type {Theme} from './themes.js';

/** A theme of a person, and what is wrong with it. A colour that is wrong stays the terminal's own. */
export interface ReadTheme {
  readonly theme: Theme;
  readonly faults: readonly string[];
}

/** Where the format of Gemini CLI has each colour, newer keys first. */
const KEYS: Readonly<Record<keyof Theme, readonly string[]>> = {
  secondary: ['text.secondary', 'ui.comment', 'Comment', 'Gray'],
  accent: ['text.accent', 'AccentPurple'],
  link: ['text.link', 'AccentBlue'],
  good: ['status.success', 'AccentGreen'],
  warn: ['status.warning', 'AccentYellow'],
  bad: ['status.error', 'AccentRed'],
};

/** Reads a custom theme of `ui.customThemes`, or of a file. */
export function readTheme(value: unknown): ReadTheme {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return {theme: {}, faults: ['A theme must be an object.']};
  const theme: Record<string, Colour> = {};
  const faults: string[] = [];
  for (const [role, keys] of Object.entries(KEYS)) {
    const key = keys.find((one) => valueAt(value, one) !== undefined);
    const written = key === undefined ? undefined : valueAt(value, key);
    if (written === undefined || written === '') continue;
    const colour = typeof written === 'string' ? readColour(written) : undefined;
    if (colour === undefined)
      faults.push(`${key ?? ''} must be #rrggbb or a name of CSS, not ${JSON.stringify(written)}.`);
    else theme[role] = colour;
  }
  return {theme, faults};
}

function valueAt(value: object, key: string): unknown {
  return key
    .split('.')
    .reduce<unknown>(
      (at, name) => (typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[name] : undefined),
      value,
    );
}
