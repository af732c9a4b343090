/** A typed line, by kind. */
export type Typed =
  | {readonly kind: 'prompt'; readonly text: string}
  | {readonly kind: 'slash'; readonly words: readonly string[]}
  | {readonly kind: 'shell'; readonly text: string};

/** Distinguishes lines: `/words` is a command; `//text` and `/a/path` are prompts; `!line` is for the shell. */
export function readTyped(text: string): Typed {
  const line = text.trim();
  if (line.startsWith('!')) return {kind: 'shell', text: line.slice(1)};
  if (line.startsWith('//')) return {kind: 'prompt', text: line.slice(1)};
  if (!line.startsWith('/') || /^\/(?:\s|$|[^\s"']*\/)/.test(line)) return {kind: 'prompt', text};
  return {kind: 'slash', words: splitWords(line.slice(1))};
}

/** Splits like a shell: spaces separate, quotes join, a backslash escapes the next character. */
export function splitWords(text: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < text.length;) {
    if (/\s/.test(text[at] ?? '')) {
      if (word !== undefined) words.push(word);
      word = undefined;
      at += 1;
    } else {
      const {said, end} = readPiece(text, at);
      word = (word ?? '') + said;
      at = end;
    }
  }
  return word === undefined ? words : [...words, word];
}

/** Part of a word without quotes, and the start of the next part. */
interface Piece {
  readonly said: string;
  readonly end: number;
}

function readPiece(text: string, at: number): Piece {
  const character = text[at] ?? '';
  if (character === "'") return readSingle(text, at + 1);
  if (character === '"') return readDouble(text, at + 1);
  const isEscape = character === '\\' && at + 1 < text.length;
  return isEscape ? {said: text[at + 1] ?? '', end: at + 2} : {said: character, end: at + 1};
}

function readSingle(text: string, from: number): Piece {
  const close = text.indexOf("'", from);
  const end = close < 0 ? text.length : close;
  return {said: text.slice(from, end), end: end + 1};
}

/** In double quotes, a backslash escapes only a quote or a backslash. */
function readDouble(text: string, from: number): Piece {
  let said = '';
  let at = from;
  while (at < text.length && text[at] !== '"') {
    if (text[at] === '\\' && /["\\]/.test(text[at + 1] ?? '')) at += 1;
    said += text[at] ?? '';
    at += 1;
  }
  return {said, end: at + 1};
}
