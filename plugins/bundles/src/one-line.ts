/** Breaks, and what steers a terminal or shows nothing. */
const HIDDEN = /[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/**
 * A text that somebody else wrote, on one line and not longer than `most`, so that it cannot pass for lines of this
 * program.
 */
export function oneLine(text: string, most = Infinity): string {
  const line = text.replaceAll(HIDDEN, ' ').trim();
  return line.length > most ? `${line.slice(0, most)}…` : line;
}
