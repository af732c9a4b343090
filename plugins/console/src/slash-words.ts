/** A line that was typed, as what it is. */
export type Typed =
  | {readonly kind: 'prompt'; readonly text: string}
  | {readonly kind: 'slash'; readonly words: readonly string[]}
  | {readonly kind: 'shell'; readonly text: string};

/** Tells commands from prompts: `/words` is a command; `//text` and `/a/path` are prompts; `!line` is for a shell. */
export function readTyped(text: string): Typed {
  const line = text.trim();
  if (line.startsWith('!')) return {kind: 'shell', text: line.slice(1)};
  if (line.startsWith('//')) return {kind: 'prompt', text: line.slice(1)};
  if (!line.startsWith('/') || /^\/(?:\s|$|[^\s"']*\/)/.test(line)) return {kind: 'prompt', text};
  return {kind: 'slash', words: splitWords(line.slice(1))};
}

/** Splits as a shell does: blanks part, quotes hold together, a backslash takes the next character as it is. */
export function splitWords(text: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    const escapes =
      character === '\\' && at + 1 < text.length && quote !== "'" && (quote === '' || /["\\]/.test(text[at + 1] ?? ''));
    if (escapes) {
      at += 1;
      word = (word ?? '') + (text[at] ?? '');
    } else if (quote !== '') {
      if (character === quote) quote = '';
      else word = (word ?? '') + character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + character;
  }
  return word === undefined ? words : [...words, word];
}
