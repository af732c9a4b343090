/** The normal quantile of 95 %, both sides. */
const Z = 1.959963984540054;

/** Wilson's interval of a rate, with 95 %: also of use for few repetitions, and for rates of 0 and 1. */
export function wilson(passed: number, count: number): readonly [low: number, high: number] {
  if (count === 0) return [0, 1];
  const rate = passed / count;
  const square = Z ** 2 / count;
  const middle = (rate + square / 2) / (1 + square);
  const half = (Z / (1 + square)) * Math.sqrt((rate * (1 - rate)) / count + square / (4 * count));
  return [passed === 0 ? 0 : Math.max(0, middle - half), passed === count ? 1 : Math.min(1, middle + half)];
}
