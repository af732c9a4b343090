/**
 * What a terminal would obey instead of showing: control characters but tab and line feed, and marks that turn the
 * writing direction.
 */
const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** The colours that commands put around words. */
const OWN = /\u001b\[(?:1|2|22|31|32|33|39)m/y;

/**
 * What shows as nothing, or as a plain space: default ignorable characters, format and control characters, separators,
 * blank letters, halves of pairs.
 */
const HIDDEN = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Zs}\u2800]/gu;
/** Characters that join two pictures, or choose how one is drawn. */
const JOINER = '\u200d';
const DRAWN = '\ufe0f';

/**
 * Text for a terminal in which nothing can hide or forge what a person reads: what would be obeyed is spelled out. Our
 * own colours stay, where there are any.
 */
export function makeVisible(text: string, colour = true): string {
  return text.replace(OBEYED, (character, index: number) => {
    OWN.lastIndex = index;
    return colour && OWN.test(text) ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/**
 * Text that a person decides about: like `makeVisible`, but invisible characters and unusual spaces are spelled out
 * too. Tabs, line feeds, spaces and the joiners inside an emoji stay.
 */
export function revealHidden(text: string, colour = true): string {
  const shown = text.replace(HIDDEN, (character, index: number) => {
    if ('\t\n '.includes(character) || character === '\u001b' || isInsideEmoji(text, character, index))
      return character;
    const code = (character.codePointAt(0) ?? 0).toString(16).padStart(4, '0');
    return code.length > 4 ? `\\u{${code}}` : `\\u${code}`;
  });
  return makeVisible(shown, colour);
}

function isInsideEmoji(text: string, character: string, index: number): boolean {
  if (character !== JOINER && character !== DRAWN) return false;
  const isAfter = /[\p{Extended_Pictographic}\p{Emoji_Modifier}]\ufe0f?$/u.test(
    text.slice(Math.max(0, index - 3), index),
  );
  if (character === DRAWN) return isAfter && text[index - 1] !== DRAWN;
  return isAfter && /^\p{Extended_Pictographic}/u.test(text.slice(index + 1, index + 3));
}

/** A name from outside, for a sentence: quoted, with its line ends spelled out, unless it is plain. */
export function quoteName(name: string): string {
  return /^[\w.:@/ -]+$/.test(name) ? name : revealHidden(JSON.stringify(name), false);
}
