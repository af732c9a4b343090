import {makeVisible, revealHidden} from '@gemini-kernel/command/visible';

/** Text of a model, a tool or a file, in which nothing is left that a terminal obeys, not even our own colours. */
export function safeText(text: string): string {
  return makeVisible(text.replace(/\r\n/g, '\n'), false);
}

/** The same, in one line. */
export function safeLine(text: string): string {
  return inOneLine(safeText(text));
}

/** Text that a person decides about: what would show as nothing is spelled out as well. */
export function revealedText(text: string): string {
  return revealHidden(text.replace(/\r\n/g, '\n'), false);
}

/** The same, in one line. */
export function revealedLine(text: string): string {
  return inOneLine(revealedText(text));
}

function inOneLine(text: string): string {
  return text
    .replace(/\s*\n\s*/g, ' ')
    .replaceAll('\t', ' ')
    .trim();
}
