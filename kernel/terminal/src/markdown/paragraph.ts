/**
 * Starts a paragraph in printed text, for screens that wrap at words: further rows start after this many blanks. It is
 * our own code and never reaches a terminal.
 */
export function startParagraph(hang: number): string {
  return `\u001b]p;${hang}\u0007`;
}

/** What `startParagraph` gives. */
export const paragraphMark = /\u001b\]p;(\d+)\u0007/g;
