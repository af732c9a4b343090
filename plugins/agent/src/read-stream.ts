import type {ModelEvent, ModelFailure} from './contract.js';

interface Limits {
  readonly signal: AbortSignal;
  /** How long a model may be silent; 0 = as long as it likes. */
  readonly silenceMs: number;
}

/** The events of a model, where silence that lasts too long is a failure too. Throws only the reason of the signal. */
export async function* readStream(
  open: (signal: AbortSignal) => AsyncIterable<ModelEvent>,
  {signal, silenceMs}: Limits,
): AsyncGenerator<ModelEvent> {
  signal.throwIfAborted();
  const connection = new AbortController();
  // One waiter at a time: a promise that outlives many pieces would keep something of each.
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
      // It may have been aborted by who was given the last piece.
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
    if (!signal.aborted) connection.abort(new Error('The answer is not needed any more.'));
    // A stream that does not listen is left to itself.
    void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}

function silentFailure(ms: number): ModelFailure {
  return {
    kind: 'network',
    message: `The model has said nothing for ${Math.round(ms / 1000)} seconds.`,
    hint: 'The setting model.inactivityTimeout says how many seconds it may.',
  };
}
