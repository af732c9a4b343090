/** Whole numbers below a limit: the same ones in every run. */
export function createRandom(start: number): (below: number) => number {
  let seed = start;
  return (below) => {
    seed = (seed + 0x6d2b79f5) | 0;
    const mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    const more = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((more ^ (more >>> 14)) >>> 0) % below;
  };
}
