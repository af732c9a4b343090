const SMALLEST = 8;
const LARGEST = 128;
/** So many batches are of the same size before there are larger ones. */
const GROWS_AFTER = 6;
/** What waits longer goes out in a batch that is not full. */
const LONGEST_MS = 20;

/**
 * Joins and cuts the pieces that a walk gives to batches, the first ones small, so that something is found soon and
 * little is read in vain.
 */
export async function* inBatches(pieces: AsyncIterable<readonly string[]>): AsyncGenerator<readonly string[], void> {
  let batch: string[] = [];
  let given = 0;
  let since = performance.now();
  for await (const piece of pieces) {
    const size = Math.min(SMALLEST * 2 ** Math.floor(given / GROWS_AFTER), LARGEST);
    const isLate = performance.now() - since > LONGEST_MS;
    batch.push(...piece);
    let start = 0;
    for (; batch.length - start >= (isLate ? 1 : size); start += size) {
      yield batch.slice(start, start + size);
      given += 1;
    }
    if (start === 0) continue;
    batch = batch.slice(start);
    since = performance.now();
  }
  if (batch.length > 0) yield batch;
}
