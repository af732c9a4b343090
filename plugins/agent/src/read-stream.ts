import type {ModelEvent, ModelFailure} from './contract.js';

interface Limits {
  readonly signal: AbortSignal;
  /** How long a model may be silent; 0 = no limit. */
  readonly silenceMs: number;
}

/** The events of a model; too long a silence counts as a failure. Throws only the signal's reason. */
export async function* readStream(
  open: (signal: AbortSignal) => AsyncIterable<ModelEvent>,
  {signal, silenceMs}: Limits,
): AsyncGenerator<ModelEvent> {
  signal.throwIfAborted();
  const connection = new AbortController();
  // One waiter at a time: a promise that outlives many pieces would retain memory for each.
  let waiter: {resolve(value: 'silent'): void; reject(reason: unknown): void} | undefined;
  const onAbort = (): void => {
    connection.abort(signal.reason);
    waiter?.reject(signal.reason);
  };
  signal.addEventListener('abort', onAbort, {once: true});
  const timer = silenceMs === 0 ? undefined : setTimeout(() => waiter?.resolve('silent'), silenceMs);
  const iterator = open(connection.signal)[Symbol.asyncIterator]();
  const next = (): Promise<IteratorResult<ModelEvent> | 'silent'> =>
    new Promise((resolve, reject) => {
      waiter = {resolve, reject};
      iterator.next().then(resolve, reject);
    });
  try {
    for (;;) {
      // The consumer of the last piece may have aborted it.
      signal.throwIfAborted();
      const step = await next();
      if (step === 'silent') {
        yield {kind: 'failed', failure: silentFailure(silenceMs)};
        return;
      }
      if (step.done) return;
      timer?.refresh();
      yield step.value;
    }
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    if (!signal.aborted) connection.abort(new Error('The answer is no longer needed.'));
    // Do not wait for a stream that ignores the abort.
    void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}

function silentFailure(ms: number): ModelFailure {
  return {
    kind: 'network',
    message: `The model has sent nothing for ${secondsOf(ms)}.`,
    hint: 'The setting model.inactivityTimeout is the limit in seconds.',
  };
}

function secondsOf(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return seconds === 1 ? '1 second' : `${seconds} seconds`;
}
