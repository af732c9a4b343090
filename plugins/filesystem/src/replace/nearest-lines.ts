const MOST_LINES = 50_000;
const SHOWN = 3;
const WORTH_SHOWING = 0.4;

export interface NearLine {
  readonly line: number;
  readonly text: string;
}

/**
 * The lines of a text that are most similar to the longest searched line, best first; for an error that helps to
 * search again.
 */
export function findNearestLines(text: string, old: string): readonly NearLine[] {
  const wanted =
    old
      .split('\n')
      .map((line) => line.trim())
      .sort((a, b) => b.length - a.length)[0] ?? '';
  const pairs = pairsOf(wanted);
  if (pairs.size === 0) return [];
  return text
    .split('\n', MOST_LINES)
    .map((line, index) => ({
      line: index + 1,
      text: line.slice(0, 200),
      likeness: likeness(pairs, line.trim().slice(0, wanted.length * 2)),
    }))
    .filter((near) => near.likeness >= WORTH_SHOWING)
    .sort((a, b) => b.likeness - a.likeness || a.line - b.line)
    .slice(0, SHOWN)
    .map(({line, text: found}) => ({line, text: found}));
}

function likeness(wanted: ReadonlySet<string>, line: string): number {
  const pairs = pairsOf(line);
  let common = 0;
  for (const pair of pairs) if (wanted.has(pair)) common++;
  return (2 * common) / (wanted.size + pairs.size);
}

function pairsOf(text: string): ReadonlySet<string> {
  const pairs = new Set<string>();
  for (let at = 0; at + 1 < text.length; at++) pairs.add(text.slice(at, at + 2));
  return pairs;
}
