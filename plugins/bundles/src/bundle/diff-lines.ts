const LARGEST_TABLE = 4_000_000;

/** The removed (`-`) and added (`+`) lines between two texts, in order, without unchanged lines. */
export function diffLines(before: string, after: string): readonly string[] {
  let [a, b] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start += 1;
  [a, b] = [a.slice(start), b.slice(start)];
  while (a.length > 0 && b.length > 0 && a.at(-1) === b.at(-1)) [a, b] = [a.slice(0, -1), b.slice(0, -1)];
  // No one compares longer texts that differ throughout line by line.
  if (a.length * b.length > LARGEST_TABLE) return [...a.map((line) => `-${line}`), ...b.map((line) => `+${line}`)];
  return walk(a, b, lengthsOf(a, b));
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

/** Lengths of the longest common subsequence from each pair of positions on. */
function lengthsOf(a: readonly string[], b: readonly string[]): readonly Uint32Array[] {
  const rows = Array.from({length: a.length + 1}, () => new Uint32Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const [row, next] = [rows[i], rows[i + 1]];
      if (row && next) row[j] = a[i] === b[j] ? (next[j + 1] ?? 0) + 1 : Math.max(next[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  return rows;
}

function walk(a: readonly string[], b: readonly string[], lengths: readonly Uint32Array[]): readonly string[] {
  const lines: string[] = [];
  const lengthAt = (row: number, column: number): number => lengths[row]?.[column] ?? 0;
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i >= a.length) lines.push(`+${b[j++] ?? ''}`);
    else if (j >= b.length) lines.push(`-${a[i++] ?? ''}`);
    else if (a[i] === b[j]) [i, j] = [i + 1, j + 1];
    else if (lengthAt(i + 1, j) >= lengthAt(i, j + 1)) lines.push(`-${a[i++] ?? ''}`);
    else lines.push(`+${b[j++] ?? ''}`);
  }
  return lines;
}
