/**
 * The code ranges in a Markdown text: a run of backticks up to the next run of the same length. In order, in linear
 * time.
 */
export function findCode(text: string): readonly (readonly [start: number, end: number])[] {
  const runs = [...text.matchAll(/`+/g)].map(({0: {length}, index}) => ({start: index, length}));
  const next = nextOfSameLength(runs.map(({length}) => length));
  const spans: [number, number][] = [];
  for (let index = 0; index < runs.length; index += 1) {
    const [open, close] = [runs[index], next[index] ?? -1];
    const end = runs[close];
    if (!open || !end) continue;
    spans.push([open.start, end.start + end.length]);
    index = close;
  }
  return spans;
}

/** For each number, the index of its next occurrence. */
function nextOfSameLength(lengths: readonly number[]): readonly (number | undefined)[] {
  const last = new Map<number, number>();
  const next: (number | undefined)[] = [];
  for (let index = lengths.length - 1; index >= 0; index -= 1) {
    const length = lengths[index] ?? 0;
    next[index] = last.get(length);
    last.set(length, index);
  }
  return next;
}
