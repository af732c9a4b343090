import {Worker} from 'node:worker_threads';
import {EngineRefused} from '../engine/engine.js';
import type {BatchAnswer, BatchResult} from './match-batch.js';
import type {MatchTask} from './match-task.js';

/** Threads that hold files against a pattern. */
export interface MatchPool {
  /** Looks at the files, in their order. Throws EngineRefused when the pattern is too much for a file. */
  run(paths: readonly string[]): Promise<BatchResult>;
  /** Stops all threads, whatever they are doing, and waits until they are gone. */
  end(): Promise<void>;
}

interface Waiting {
  resolve(result: BatchResult): void;
  reject(error: unknown): void;
}

interface Thread {
  readonly worker: Worker;
  /** Batches that it has been given, the oldest first. */
  readonly waiting: Waiting[];
}

/**
 * A pool of at most `size` threads, each of which is started when the others have something to do. They keep the
 * program alive until the pool is ended.
 */
export function createMatchPool(task: MatchTask, size: number): MatchPool {
  const threads: Thread[] = [];
  let failure: unknown;

  const leastBusy = (): Thread => {
    const [first] = [...threads].sort((a, b) => a.waiting.length - b.waiting.length);
    if (first && (first.waiting.length === 0 || threads.length >= size)) return first;
    const thread = startThread(task, (error) => (failure ??= error));
    threads.push(thread);
    return thread;
  };

  return {
    run: (paths) =>
      new Promise((resolve, reject) => {
        if (failure !== undefined) throw failure;
        const {worker, waiting} = leastBusy();
        waiting.push({resolve, reject});
        worker.postMessage(paths);
      }),
    end: async () => {
      failure ??= new Error('The search is over.');
      await Promise.all(threads.splice(0).map(({worker}) => worker.terminate()));
    },
  };
}

function startThread(task: MatchTask, onFailure: (error: unknown) => void): Thread {
  const worker = new Worker(new URL('./match-worker.js', import.meta.url), {workerData: task, env: {}, execArgv: []});
  const waiting: Waiting[] = [];
  const fail = (error: unknown): void => {
    onFailure(error);
    for (const {reject} of waiting.splice(0)) reject(error);
  };
  worker.on('message', (answer: BatchAnswer) => {
    const first = waiting.shift();
    if ('refused' in answer) first?.reject(new EngineRefused(answer.refused));
    else first?.resolve(answer);
  });
  worker.on('error', fail);
  worker.on('exit', () => fail(new Error('A thread of the search has ended before its work was done.')));
  return {worker, waiting};
}
