/** What a terminal would obey instead of showing: control characters but tab and line feed, and marks that turn the writing direction. */
const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** The colours that commands put around words. */
const OWN = /\u001b\[(?:1|2|22|31|32|33|39)m/y;

/** Text for a terminal in which nothing can hide or forge what a person reads: what would be obeyed is spelled out. Our own colours stay, where there are any. */
export function makeVisible(text: string, colour = true): string {
  return text.replace(OBEYED, (character, index: number) => {
    OWN.lastIndex = index;
    return colour && OWN.test(text) ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
