/**
 * Works on what a source gives, on several at a time, and gives the results in the order of the source. Begins no more
 * than `most` pieces of work before the first of them is taken. Ending it early ends the source, without waiting for
 * what was begun.
 */
export async function* inOrder<A, B>(
  source: AsyncGenerator<A, void>,
  work: (piece: A) => Promise<B>,
  most: number,
): AsyncGenerator<B, void> {
  const begun: Promise<B>[] = [];
  let next: Promise<IteratorResult<A, void>> | undefined;
  let isOver = false;
  try {
    for (;;) {
      if (next === undefined && !isOver && begun.length < most) next = handled(source.next());
      const [first] = begun;
      if (!first && !next) return;
      const came = await Promise.race([
        ...(next ? [next.then((step) => ({step}))] : []),
        ...(first ? [first.then((result) => ({result}))] : []),
      ]);
      if ('result' in came) {
        void begun.shift();
        yield came.result;
      } else {
        next = undefined;
        if (came.step.done) isOver = true;
        else begun.push(handled(work(came.step.value)));
      }
    }
  } finally {
    void handled(source.return());
  }
}

/** Marks a failure as handled: no caller waits for this promise. */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
