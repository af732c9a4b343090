import type {FileTable} from '../table/file-table.js';

const MOST = 5;
const FARTHEST = 3;

/** Names of symbols that are most like a name. */
export function similarNames(table: FileTable, wanted: string): readonly string[] {
  const ids = new Set<number>();
  for (const file of table.files.values()) for (const id of table.symbolNames(file)) ids.add(id);
  const small = wanted.toLowerCase();
  const near: {readonly name: string; readonly distance: number}[] = [];
  for (const id of ids) {
    const name = table.names.name(id);
    const distance = distanceOf(name.toLowerCase(), small);
    if (distance <= FARTHEST) near.push({name, distance});
  }
  return near
    .sort((a, b) => a.distance - b.distance || a.name.length - b.name.length)
    .slice(0, MOST)
    .map(({name}) => name);
}

function distanceOf(name: string, wanted: string): number {
  if (name === wanted) return 0;
  if (wanted.length >= 3 && name.includes(wanted)) return 1;
  if (Math.abs(name.length - wanted.length) > FARTHEST || wanted.length < 3) return Infinity;
  return editsBetween(name, wanted);
}

/** How many letters must be added, removed or changed. */
function editsBetween(one: string, other: string): number {
  let row = Array.from({length: other.length + 1}, (_, index) => index);
  for (let i = 0; i < one.length; i += 1) {
    const next = [i + 1];
    for (let j = 0; j < other.length; j += 1) {
      const change = (row[j] ?? 0) + (one[i] === other[j] ? 0 : 1);
      next.push(Math.min(change, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
