/** What one size of a work took. */
export interface Sample {
  readonly size: number;
  readonly cost: number;
}

/** The power of the size that the cost grows with: 1 is linear. A line through all points, on logarithmic paper. */
export function exponentOf(samples: readonly Sample[]): number {
  const points = samples.map(({size, cost}) => [Math.log(size), Math.log(Math.max(cost, 1e-9))] as const);
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(points.map(([one]) => one)), mean(points.map(([, one]) => one))];
  const slope = points.reduce((sum, [a, b]) => sum + (a - x) * (b - y), 0);
  return slope / points.reduce((sum, [a]) => sum + (a - x) ** 2, 0);
}

export interface Growing {
  readonly sizes: readonly number[];
  readonly rounds: number;
  /** Makes what a size needs, and gives the work to be measured. */
  prepare(size: number): Promise<() => Promise<unknown>>;
  /** Reads a clock, in any unit. */
  clock(): number;
}

/** The least that each size takes. Rounds go through all sizes, so that each sees the same machine. */
export async function measureGrowth({sizes, rounds, prepare, clock}: Growing): Promise<readonly Sample[]> {
  const costs = new Map<number, number>();
  for (let round = 0; round < rounds; round += 1) {
    for (const size of sizes) {
      const act = await prepare(size);
      const began = clock();
      await act();
      costs.set(size, Math.min(costs.get(size) ?? Infinity, clock() - began));
    }
  }
  return [...costs].map(([size, cost]) => ({size, cost}));
}

/** Milliseconds that this process has computed. */
export function computedMs(): number {
  const {user, system} = process.cpuUsage();
  return (user + system) / 1000;
}
