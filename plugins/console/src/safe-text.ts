import {makeVisible} from '@gemini-kernel/kernel';

/** Text of a model, a tool or a file, in which nothing is left that a terminal obeys, not even our own colours. */
export function safeText(text: string): string {
  return makeVisible(text.replace(/\r\n/g, '\n'), false);
}

/** The same, in one line. */
export function safeLine(text: string): string {
  return safeText(text).replace(/\s*\n\s*/g, ' ').replaceAll('\t', ' ').trim();
}
