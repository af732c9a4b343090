const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
/** Control characters, and those that turn the direction of text or cannot be seen. */
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cs}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;

/** A text in HTML or SVG, also in an attribute. What cannot be seen is spelled out. */
export function escapeText(text: string): string {
  return text.replaceAll(UNSEEN, spell).replaceAll(/[&<>"']/g, (letter) => ENTITIES[letter] ?? letter);
}

function spell(letter: string): string {
  return `\\u{${(letter.codePointAt(0) ?? 0).toString(16)}}`;
}
