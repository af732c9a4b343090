import {availableParallelism} from 'node:os';
import {Worker} from 'node:worker_threads';
import {stampAt} from '../parse/source-file.js';
import type {NameTable} from './name-table.js';
import type {ParsedBatch} from './parse-worker.js';
import {fileWithout, renumber, type ParsedFile} from './parsed-file.js';

/** Files that a thread is given at once. */
const BATCH = 16;
/** One batch may not keep the others waiting: parsing is bounded, but a file system may not answer. */
const BATCH_MS = 60_000;
const MOST_THREADS = 4;

interface PoolOptions {
  /** Where the names of the files get their numbers. */
  readonly names: NameTable;
  /** Given files as they are read, in any order. */
  take(files: readonly ParsedFile[]): void;
  readonly signal: AbortSignal;
}

/**
 * Parses many files with threads that end with the work. A thread that dies costs the files that it was at: they have
 * no symbols, and say so.
 */
export async function parseWithThreads(paths: readonly string[], options: PoolOptions): Promise<void> {
  const batches: (readonly string[])[] = [];
  for (let at = 0; at < paths.length; at += BATCH) batches.push(paths.slice(at, at + BATCH));
  const size = Math.min(MOST_THREADS, availableParallelism(), batches.length);
  await Promise.all(
    Array.from({length: size}, async () => {
      for (let batch = batches.shift(); batch; batch = batches.shift()) {
        const lost = await runThread([batch], {batches, ...options});
        options.take(lost.map(lostFile));
      }
    }),
  );
}

function lostFile(path: string): ParsedFile {
  return fileWithout({path, stamp: stampAt(path) ?? '', fault: 'ended the thread that read it'});
}

/** Gives the names of what a thread parsed their numbers in a table. */
function takesNumbersOf(names: NameTable): (batch: ParsedBatch) => readonly ParsedFile[] {
  let ids: number[] = [];
  return ({names: added, isFresh, files}) => {
    if (isFresh) ids = [];
    for (const name of added) ids.push(names.add(name));
    for (const file of files) renumber(file, (id) => ids[id] ?? 0);
    return files;
  };
}

/** Runs one thread until there are no more batches; gives the paths that it was at when it died. */
function runThread(
  first: readonly (readonly string[])[],
  {batches, names, take, signal}: PoolOptions & {readonly batches: (readonly string[])[]},
): Promise<readonly string[]> {
  signal.throwIfAborted();
  const worker = new Worker(new URL('./parse-worker.js', import.meta.url), {
    env: {},
    execArgv: [],
    resourceLimits: {maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 256},
  });
  const renumbered = takesNumbersOf(names);
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
    worker.on('message', (batch: ParsedBatch) => {
      clearTimeout(timer);
      take(renumbered(batch));
      const next = batches.shift();
      if (next) send(next);
      else void end(() => resolve([]));
    });
    send(now);
  });
}
