import {withRun} from './agent.js';
import {median, type Program} from './measure.js';

/** What differs between two homes, in a unit of the measure. */
export interface Difference {
  readonly difference: number;
  readonly without: number;
}

interface Homes {
  /** Writes files into a home; the second one also gets what is compared. */
  prepare(program: Program, isWith: boolean): Promise<void>;
  measure(program: Program): Promise<number> | number;
  readonly rounds: number;
}

/** Measures the program in a home with something against one without it, in turns. */
export async function compareHomes({prepare, measure, rounds}: Homes): Promise<Difference> {
  return withRun(async (without) =>
    withRun(async (withIt) => {
      await prepare(without, false);
      await prepare(withIt, true);
      // The first run fills what is remembered.
      for (const one of [without, withIt]) await measure(one);
      const pairs: [number, number][] = [];
      // In turns, so that neither side is always the first.
      for (let round = 0; round < rounds; round += 1) {
        const [first, second] = round % 2 === 0 ? [withIt, without] : [without, withIt];
        const [a, b] = [await measure(first), await measure(second)];
        pairs.push(round % 2 === 0 ? [a, b] : [b, a]);
      }
      return {
        difference: median(pairs.map(([a, b]) => a - b)),
        without: median(pairs.map(([, b]) => b)),
      };
    }),
  );
}
