/**
 * Does the work for each, in order, for at most so many at the same time. The first failure is thrown when nothing is
 * under way any more.
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
