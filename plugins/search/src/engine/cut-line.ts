/** Longer lines are cut. */
export const LONGEST_LINE = 2000;
export const CUT_MARK = '... [truncated]';

const LEAD = 200;

/** Of a line with more bytes than this only the beginning is kept, wherever the match is. */
export const LONGEST_KEPT = 65_536;

/**
 * A line as it is shown: at most 2000 characters, around the match that begins at `start`, with a mark where something
 * was left out.
 */
export function cutLine(text: string, start: number): string {
  if (text.length <= LONGEST_LINE) return text;
  const from =
    start + LEAD <= LONGEST_LINE ? 0 : Math.min(whole(text, start - LEAD), whole(text, text.length - LONGEST_LINE));
  const to = whole(text, from + LONGEST_LINE);
  return `${from > 0 ? CUT_MARK : ''}${text.slice(from, to)}${to < text.length ? CUT_MARK : ''}`;
}

/** Not between the halves of a character. */
function whole(text: string, at: number): number {
  return /[\udc00-\udfff]/.test(text[at] ?? '') && /[\ud800-\udbff]/.test(text[at - 1] ?? '') ? at - 1 : at;
}
