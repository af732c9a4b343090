/** A path that a prompt names with `@`, and its position. */
export interface Mention {
  /** Without the `@`, quotes and backslashes. */
  readonly path: string;
  /** The whole token, from `start` up to `end`. */
  readonly start: number;
  readonly end: number;
  /** Whether it directly follows a letter, as in an address. */
  readonly isInWord: boolean;
}

/** Characters that end an unquoted path. */
const STOPS = new Set([' ', '\t', '\n', '\r', ',', ';', '!', '?', '(', ')', '[', ']', '{', '}']);

/**
 * Every `@path` in a prompt: quoted, with backslashes, or bare up to white space or punctuation. `\@` and a lone `@`
 * are text.
 */
export function findMentions(text: string): readonly Mention[] {
  const found: Mention[] = [];
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '\\') {
      at += 1;
      continue;
    }
    if (text[at] !== '@') continue;
    const mention = readMention(text, at);
    if (!mention) continue;
    found.push(mention);
    at = mention.end - 1;
  }
  return found;
}

function readMention(text: string, start: number): Mention | undefined {
  const {path, at} = readPath(text, start + 1);
  // A dot at the end of a sentence is not part of the path.
  const isSentenceEnd = path.endsWith('.') && text[at - 1] === '.' && !/(^|\/)\.{1,2}$/.test(path);
  const end = isSentenceEnd ? at - 1 : at;
  const clean = isSentenceEnd ? path.slice(0, -1) : path;
  return clean === '' ? undefined : {path: clean, start, end, isInWord: /[\w%+-]/.test(text[start - 1] ?? '')};
}

/** The path that starts at `from`, without quotes and backslashes, and its end. */
function readPath(text: string, from: number): {readonly path: string; readonly at: number} {
  let path = '';
  let at = from;
  while (at < text.length) {
    const letter = text[at] ?? '';
    if (letter === '"') {
      const close = text.indexOf('"', at + 1);
      if (close < 0) break;
      path += text.slice(at + 1, close);
      at = close + 1;
    } else if (letter === '\\' && at + 1 < text.length) {
      path += text[at + 1] ?? '';
      at += 2;
    } else if (STOPS.has(letter)) break;
    else {
      path += letter;
      at += 1;
    }
  }
  return {path, at};
}
