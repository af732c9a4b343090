/** Line breaks, and characters that control a terminal or are invisible. */
const HIDDEN = /[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** A text from elsewhere, on one line and at most `most` long, so that it cannot imitate output of this program. */
export function oneLine(text: string, most = Infinity): string {
  const line = text.replaceAll(HIDDEN, ' ').trim();
  return line.length > most ? `${line.slice(0, most)}…` : line;
}
