import {fitWidth, widthOf, type Graphemes} from '@gemini-kernel/terminal';

/** Keys take at most this share of a line. */
const MOST_KEYS = 0.6;

interface StatusParts {
  readonly columns: number;
  readonly graphemes: Graphemes;
  /** Whether the description is cut before the keys are. */
  readonly isKept?: boolean;
}

/** What gemini does, and what keys do, in one line: a long description is cut, and keys only where they do not fit. */
export function statusLine(
  doing: string,
  keys: readonly (string | undefined)[],
  {columns, graphemes, isKept = true}: StatusParts,
): string {
  const shown = keys.filter((key) => key !== undefined);
  if (!isKept) return fitWidth([doing, ...shown].join(' · '), columns, graphemes);
  while (shown.length > 0 && widthOf(shown.join(' · ')) > columns * MOST_KEYS) shown.shift();
  const right = shown.map((key) => ` · ${key}`).join('');
  return fitWidth(doing, columns - widthOf(right), graphemes) + right;
}
