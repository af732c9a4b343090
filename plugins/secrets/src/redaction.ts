import type {Redactor} from './contract.js';
import type {Needle} from './needles.js';
import {createOpenEnd, createTextSearch, type TextSearch} from './text-search.js';

/** Takes a fixed set of texts out of others. */
export interface Redaction {
  redact(text: string): {readonly text: string; readonly count: number};
  redactor(): Redactor;
}

interface Parts {
  readonly search: TextSearch;
  readonly findOpenEnd: ReturnType<typeof createOpenEnd>;
  /** What a text is replaced by. */
  nameOf(text: string): string;
}

/** Prepares the search for some texts. Where they overlap the first wins, then the longest. */
export function createRedaction(needles: readonly Needle[]): Redaction {
  const names = new Map(needles.map(({text, name}) => [text, name]));
  const texts = [...names.keys()];
  if (texts.length === 0)
    return {redact: (text) => ({text, count: 0}), redactor: () => ({reach: 0, push: (text) => text, end: () => ''})};
  const nameOf = (text: string): string => `[redacted: ${names.get(text) ?? ''}]`;
  const parts: Parts = {search: createTextSearch(texts), findOpenEnd: createOpenEnd(texts), nameOf};
  return {redactor: () => createRedactor(parts), redact: (text) => redact(text, parts)};
}

function redact(text: string, {search, nameOf}: Parts): {readonly text: string; readonly count: number} {
  let [clean, at, count] = ['', 0, 0];
  for (const {index, found} of search.find(text)) {
    clean += text.slice(at, index) + nameOf(found);
    at = index + found.length;
    count += 1;
  }
  return count === 0 ? {text, count} : {text: clean + text.slice(at), count};
}

function createRedactor(parts: Parts): Redactor {
  const {search, findOpenEnd, nameOf} = parts;
  let held = '';
  return {
    reach: Math.max(0, search.longest - 1),
    push(piece) {
      const text = held + piece;
      let [out, at, open] = ['', 0, findOpenEnd(text, 0)];
      for (const {found, index} of search.find(text)) {
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
      return redact(rest, parts).text;
    },
  };
}
