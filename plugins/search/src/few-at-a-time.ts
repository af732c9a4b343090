/**
 * Does the work for each item, in order, at most `most` at a time. Throws the first failure once no work is running.
 */
export async function fewAtATime<A, B>(
  pieces: readonly A[],
  most: number,
  work: (piece: A) => Promise<B>,
): Promise<readonly B[]> {
  const results = new Array<B>(pieces.length);
  const waiting = pieces.entries();
  const workers = Array.from({length: Math.min(most, pieces.length)}, async () => {
    for (const [index, piece] of waiting) results[index] = await work(piece);
  });
  const ended = await Promise.allSettled(workers);
  for (const end of ended) if (end.status === 'rejected') throw end.reason;
  return results;
}
