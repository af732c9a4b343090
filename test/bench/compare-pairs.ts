import {median, type Outcome} from './measure.js';

interface Pair {
  ours(): Promise<unknown>;
  theirs(): Promise<unknown>;
}

const PAIRS = 15;
const WARM_UPS = 3;

/** Runs both sides in turn and gives the ratio of their medians. */
export async function comparePairs({ours, theirs}: Pair): Promise<Outcome> {
  const times = {ours: [] as number[], theirs: [] as number[]};
  for (let pair = -WARM_UPS; pair < PAIRS; pair++) {
    const taken = {ours: await timeOf(ours), theirs: await timeOf(theirs)};
    if (pair < 0) continue;
    times.ours.push(taken.ours);
    times.theirs.push(taken.theirs);
  }
  const [mine, other] = [median(times.ours), median(times.theirs)];
  return {ratio: mine / other, detail: `${mine.toFixed(2)} ms / ${other.toFixed(2)} ms, medians of ${PAIRS}`};
}

async function timeOf(act: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await act();
  return performance.now() - started;
}
