import type {Redactor} from './contract.js';
import type {Needle} from './needles.js';

/** Takes a fixed set of texts out of others. */
export interface Redaction {
  redact(text: string): {readonly text: string; readonly count: number};
  redactor(): Redactor;
}

interface Search {
  /** The longest first. */
  readonly texts: readonly string[];
  readonly pattern: RegExp;
  /** What a text is replaced by. */
  nameOf(text: string): string;
}

/** Prepares the search for some texts. Where they overlap the first wins, then the longest. */
export function createRedaction(needles: readonly Needle[]): Redaction {
  const names = new Map(needles.map(({text, name}) => [text, name]));
  const texts = [...names.keys()].sort((a, b) => b.length - a.length);
  if (texts.length === 0) return {redact: (text) => ({text, count: 0}), redactor: () => ({reach: 0, push: (text) => text, end: () => ''})};
  const pattern = new RegExp(texts.map((text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|'), 'g');
  const search: Search = {texts, pattern, nameOf: (text) => `[redacted: ${names.get(text) ?? ''}]`};
  return {
    redactor: () => createRedactor(search),
    redact(text) {
      if (!texts.some((needle) => text.includes(needle))) return {text, count: 0};
      let count = 0;
      const clean = text.replace(pattern, (found) => {
        count += 1;
        return search.nameOf(found);
      });
      return {text: clean, count};
    },
  };
}

function createRedactor(search: Search): Redactor {
  const {texts, pattern, nameOf} = search;
  const findOpenEnd = createOpenEnd(texts);
  let held = '';
  return {
    reach: Math.max(0, (texts[0]?.length ?? 0) - 1),
    push(piece) {
      const text = held + piece;
      let [out, at, open] = ['', 0, findOpenEnd(text, 0)];
      for (const {0: found, index} of text.matchAll(pattern)) {
        // What begins there may turn out to be a longer one.
        if (index >= open) break;
        out += text.slice(at, index) + nameOf(found);
        at = index + found.length;
        if (at > open) open = findOpenEnd(text, at);
      }
      held = text.slice(open);
      return out + text.slice(at, open);
    },
    end() {
      const rest = held;
      held = '';
      return rest.replace(pattern, nameOf);
    },
  };
}

/** Finds where the end of a text, from a place on, is the beginning of one that is searched for; the text's length when it is not. */
function createOpenEnd(texts: readonly string[]): (text: string, start: number) => number {
  const first = new Set(texts.map((text) => text[0]));
  const longest = texts[0]?.length ?? 0;
  return (text, start) => {
    for (let at = Math.max(start, text.length - longest + 1); at < text.length; at += 1) {
      if (!first.has(text[at])) continue;
      const rest = text.slice(at);
      if (texts.some((needle) => needle.length > rest.length && needle.startsWith(rest))) return at;
    }
    return text.length;
  };
}
