import {availableParallelism} from 'node:os';
import {Worker} from 'node:worker_threads';
import {stampAt} from '../parse/source-file.js';
import type {ParsedFile} from './parsed-file.js';

/** Files that a thread is given at once. */
const BATCH = 16;
/** One batch may not keep the others waiting: parsing is bounded, but a file system may not answer. */
const BATCH_MS = 60_000;
const MOST_THREADS = 4;

interface PoolOptions {
  /** Given files as they are read, in any order. */
  take(files: readonly ParsedFile[]): void;
  readonly signal: AbortSignal;
}

/**
 * Parses many files with threads that end with the work. A thread that dies costs the files that it was at: they have
 * no symbols, and say so.
 */
export async function parseWithThreads(paths: readonly string[], {take, signal}: PoolOptions): Promise<void> {
  const batches: (readonly string[])[] = [];
  for (let at = 0; at < paths.length; at += BATCH) batches.push(paths.slice(at, at + BATCH));
  const size = Math.min(MOST_THREADS, availableParallelism(), batches.length);
  await Promise.all(
    Array.from({length: size}, async () => {
      for (let batch = batches.shift(); batch; batch = batches.shift()) {
        const lost = await runThread([batch], {batches, take, signal});
        take(lost.map(lostFile));
      }
    }),
  );
}

function lostFile(path: string): ParsedFile {
  const none = new Int32Array(0);
  return {
    path,
    stamp: stampAt(path) ?? '',
    fault: 'ended the thread that read it',
    words: [''],
    symbols: none,
    imports: none,
  };
}

/** Runs one thread until there are no more batches; gives the paths that it was at when it died. */
function runThread(
  first: readonly (readonly string[])[],
  {batches, take, signal}: PoolOptions & {readonly batches: (readonly string[])[]},
): Promise<readonly string[]> {
  signal.throwIfAborted();
  const worker = new Worker(new URL('./parse-worker.js', import.meta.url), {
    env: {},
    execArgv: [],
    resourceLimits: {maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 256},
  });
  return new Promise((resolve, reject) => {
    let now = first[0] ?? [];
    let timer: NodeJS.Timeout;
    const end = async (settle: () => void): Promise<void> => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      worker.removeAllListeners('exit');
      await worker.terminate();
      settle();
    };
    const lose = (): void => void end(() => resolve(now));
    const stop = (): void => void end(() => reject(signal.reason as Error));
    const send = (batch: readonly string[]): void => {
      now = batch;
      timer = setTimeout(lose, BATCH_MS);
      worker.postMessage(batch);
    };
    signal.addEventListener('abort', stop, {once: true});
    worker.once('error', lose);
    worker.once('exit', lose);
    worker.on('message', (files: readonly ParsedFile[]) => {
      clearTimeout(timer);
      take(files);
      const next = batches.shift();
      if (next) send(next);
      else void end(() => resolve([]));
    });
    send(now);
  });
}
