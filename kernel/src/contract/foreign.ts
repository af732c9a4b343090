const FRAME = 'untrusted_context';
/** What a reader does not see, or sees in another order: controls, tags and selectors that hide text, directions. */
const UNSEEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e01ef}]/gu;
const OPENING = /[<\ufe64\uff1c]/g;
const BETWEEN = /[\s/\p{Cf}]/u;

/**
 * Text of others for a model, in a frame that it cannot close in any spelling: data, whatever it says. What a reader
 * would not see of it is taken out.
 */
export function markForeign(text: string, source?: string): string {
  const from = source === undefined ? '' : ` source=${JSON.stringify(source).replace(/[<>]/g, encodeURIComponent)}`;
  const seen = text.replace(UNSEEN, '');
  const inner = seen.replace(OPENING, (sign, at: number) => (namesFrame(seen, at + sign.length) ? '&lt;' : sign));
  return `<${FRAME}${from}>\n${inner}\n</${FRAME}>`;
}

/** Whether the name of the frame follows, whatever stands between its letters that shows nothing. */
function namesFrame(text: string, start: number): boolean {
  let found = 0;
  for (let at = start; at < text.length && found < FRAME.length;) {
    const letter = String.fromCodePoint(text.codePointAt(at) ?? 0);
    at += letter.length;
    if (BETWEEN.test(letter)) continue;
    const plain = letter.normalize('NFKC').toLowerCase();
    if (!FRAME.startsWith(plain, found)) return false;
    found += plain.length;
  }
  return found === FRAME.length;
}
