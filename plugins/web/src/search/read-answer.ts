import type {SearchHit} from '../contract.js';

const MOST_HITS = 10;
const LONGEST = 1000;

/** The value at a dotted path; undefined if a part of the path is missing. */
export function readPath(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((found, name) => {
    const isTable = typeof found === 'object' && found !== null && Object.hasOwn(found, name);
    return isTable ? (found as Readonly<Record<string, unknown>>)[name] : undefined;
  }, value);
}

/** A text without marks of HTML; undefined for anything else, and for an empty one. */
export function readText(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value
    .replace(/<\/?(?:b|strong|em|mark|span)[^>]*>/gi, '')
    .replace(/\s+/g, ' ')
    .trim();
  return text === '' ? undefined : text.slice(0, LONGEST);
}

/** The results in a list that have an address of the web, at most ten. */
export function toHits(
  list: unknown,
  {title = 'title', url = 'url', snippet = 'snippet'}: Readonly<Partial<Record<'title' | 'url' | 'snippet', string>>>,
): readonly SearchHit[] {
  if (!Array.isArray(list)) return [];
  return list
    .flatMap((one: unknown): readonly SearchHit[] => {
      const address = readPath(one, url);
      if (typeof address !== 'string' || !/^https?:\/\//.test(address) || !URL.canParse(address)) return [];
      const text = readText(readPath(one, snippet));
      const {href} = new URL(address);
      return [
        {title: readText(readPath(one, title)) ?? href, url: href, ...(text === undefined ? {} : {snippet: text})},
      ];
    })
    .slice(0, MOST_HITS);
}
