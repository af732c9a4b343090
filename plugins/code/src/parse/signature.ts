import type {CodeSymbol} from '../contract.js';

const LONGEST = 160;

/** A symbol without its body, on one line. */
export function signatureOf(text: string, {start, body, end}: CodeSymbol): string {
  const whole = text.slice(start, Math.min(body < end ? body : end, start + LONGEST * 4));
  const line = whole
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/(?:\s*=>)?\s*[{:]?$/, '');
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}
