/** What passed of two runs of the same thing. */
export interface Pair {
  readonly passedA: number;
  readonly countA: number;
  readonly passedB: number;
  readonly countB: number;
}

/** Rounding of probabilities that are equal. */
const SLACK = 1 + 1e-9;

/**
 * The exact conditional test that two rates are the same, two-sided, over one pair or many that differ in difficulty:
 * for one pair it is Fisher's test. Given how many passed of each pair in all, it adds the probabilities of all
 * outcomes that are no more likely than the one that was found.
 */
export function exactTest(pairs: readonly Pair[]): number {
  let sums: readonly number[] = [1];
  let found = 0;
  for (const pair of pairs) {
    const {least, chances} = hypergeometric(pair);
    found += pair.passedA - least;
    sums = convolve(sums, chances);
  }
  const limit = (sums[found] ?? 0) * SLACK;
  return Math.min(
    1,
    sums.filter((chance) => chance <= limit).reduce((total, chance) => total + chance, 0),
  );
}

/** The chances of each number of passes in A, from the least possible one on, if A and B are alike. */
function hypergeometric({passedA, countA, passedB, countB}: Pair): {
  readonly least: number;
  readonly chances: readonly number[];
} {
  const passed = passedA + passedB;
  const least = Math.max(0, passed - countB);
  const most = Math.min(countA, passed);
  const logs = Array.from({length: most - least + 1}, (_, index) => {
    const inA = least + index;
    return logChoose(countA, inA) + logChoose(countB, passed - inA) - logChoose(countA + countB, passed);
  });
  return {least, chances: logs.map((log) => Math.exp(log))};
}

function logChoose(count: number, chosen: number): number {
  return logFactorial(count) - logFactorial(chosen) - logFactorial(count - chosen);
}

function logFactorial(count: number): number {
  let sum = 0;
  for (let factor = 2; factor <= count; factor += 1) sum += Math.log(factor);
  return sum;
}

function convolve(a: readonly number[], b: readonly number[]): readonly number[] {
  const sums = new Array<number>(a.length + b.length - 1).fill(0);
  for (const [i, x] of a.entries()) for (const [j, y] of b.entries()) sums[i + j] = (sums[i + j] ?? 0) + x * y;
  return sums;
}

/** Holm's correction of many tests: what each is worth when all are looked at together. */
export function holm(values: readonly number[]): readonly number[] {
  const order = values.map((value, index) => ({value, index})).sort((a, b) => a.value - b.value);
  const adjusted = new Array<number>(values.length).fill(1);
  let most = 0;
  for (const [rank, {value, index}] of order.entries()) {
    most = Math.max(most, Math.min(1, value * (values.length - rank)));
    adjusted[index] = most;
  }
  return adjusted;
}
