/** The names closest to what was written, best first, at most three; none when nothing is close. */
export function findNearest(written: string, names: Iterable<string>): readonly string[] {
  const limit = Math.max(2, Math.floor(written.length / 2));
  return [...names]
    .map((name) => ({name, distance: name.startsWith(written) ? 1 : distanceBetween(written, name)}))
    .filter(({distance}) => distance <= limit)
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, 3)
    .map(({name}) => name);
}

/** How many letters have to be added, removed or changed to make one text of the other. */
export function distanceBetween(a: string, b: string): number {
  let row = Array.from({length: b.length + 1}, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      // Indices stay inside both rows by construction.
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length] ?? a.length;
}
