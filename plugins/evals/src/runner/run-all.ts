/** Tasks that are worked on, a few at once. What works on them elsewhere, such as a fleet, takes this place. */
export interface Running<T, R> {
  readonly atOnce: number;
  readonly signal: AbortSignal;
  run(task: T): Promise<R>;
  /** Called for each that ended, one after the other. */
  onResult(task: T, result: R): Promise<void>;
  /** Whether a task is left out, asked when its turn comes. */
  isLeftOut(task: T): boolean;
}

/** Works on tasks in their order. Gives those that were left out. Throws the first error, when all have stopped. */
export async function runAll<T, R>(tasks: readonly T[], running: Running<T, R>): Promise<readonly T[]> {
  const {atOnce, signal, run, onResult, isLeftOut} = running;
  const leftOut: T[] = [];
  let next = 0;
  let failure: {readonly error: unknown} | undefined;
  let told = Promise.resolve();
  const work = async (): Promise<void> => {
    while (next < tasks.length && failure === undefined && !signal.aborted) {
      const task = tasks[next] as T;
      next += 1;
      if (isLeftOut(task)) {
        leftOut.push(task);
        continue;
      }
      const result = await run(task);
      told = told.then(() => onResult(task, result));
      await told;
    }
  };
  const workers = Array.from({length: Math.min(atOnce, tasks.length)}, () =>
    work().catch((error: unknown) => {
      failure ??= {error};
    }),
  );
  await Promise.all(workers);
  signal.throwIfAborted();
  if (failure) throw failure.error;
  return leftOut;
}
