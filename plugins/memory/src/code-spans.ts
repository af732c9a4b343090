/** Places in a Markdown text that are code: a run of backticks up to the next run of the same length. */
export function findCode(text: string): readonly (readonly [start: number, end: number])[] {
  const spans: [number, number][] = [];
  const runs = [...text.matchAll(/`+/g)];
  for (let index = 0; index < runs.length; index += 1) {
    const open = runs[index];
    if (!open) break;
    const close = runs.findIndex((run, at) => at > index && run[0].length === open[0].length);
    const end = runs[close];
    if (!end) continue;
    spans.push([open.index, end.index + end[0].length]);
    index = close;
  }
  return spans;
}
