import stringWidth from 'string-width';

/** The boundaries between visible characters: emoji and combining marks stay whole. */
export class Graphemes {
  readonly #segmenter = new Intl.Segmenter('en', {granularity: 'grapheme'});

  split(text: string): readonly string[] {
    return Array.from(this.#segmenter.segment(text), ({segment}) => segment);
  }

  /** The start of the character before `index`. */
  before(text: string, index: number): number {
    return index <= 0 ? 0 : (this.#segmenter.segment(text).containing(index - 1)?.index ?? 0);
  }

  /** The end of the character at `index`. */
  after(text: string, index: number): number {
    const found = index >= text.length ? undefined : this.#segmenter.segment(text).containing(index);
    return found ? found.index + found.segment.length : text.length;
  }
}

/** The width of a text in columns; colours take none. */
export function widthOf(text: string): number {
  if (/^[\u0020-\u007e]*$/.test(text)) return text.length;
  // A fast path for most of Chinese, Japanese and Korean.
  return /^[\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]$/.test(text) ? 2 : stringWidth(text);
}

/** The text, cut to at most `columns`, with a mark if it was cut. */
export function fitWidth(text: string, columns: number, graphemes: Graphemes): string {
  if (widthOf(text) <= columns) return text;
  let fitted = '';
  let width = 1;
  for (const one of graphemes.split(text.slice(0, columns * 8))) {
    width += widthOf(one);
    if (width > columns) break;
    fitted += one;
  }
  return columns < 1 ? '' : `${fitted}…`;
}
