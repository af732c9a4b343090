import {makeVisible, revealHidden} from '@gemini-kernel/command/visible';

/** Text of a model, a tool or a file, without anything that a terminal obeys, including our own colours. */
export function safeText(text: string): string {
  return makeVisible(text.replace(/\r\n/g, '\n'), false);
}

/** The same, on one line. */
export function safeLine(text: string): string {
  return inOneLine(safeText(text));
}

/** Text for a decision: invisible characters are spelled out as well. */
export function revealedText(text: string): string {
  return revealHidden(text.replace(/\r\n/g, '\n'), false);
}

/** The same, on one line. */
export function revealedLine(text: string): string {
  return inOneLine(revealedText(text));
}

function inOneLine(text: string): string {
  return text
    .replace(/\s*\n\s*/g, ' ')
    .replaceAll('\t', ' ')
    .trim();
}
