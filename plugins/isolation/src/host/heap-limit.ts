import {mkdir, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

interface HeapLimit {
  /** Arguments of Node. */
  readonly words: readonly string[];
  /** What is shown to it elsewhere than where it lies. */
  readonly lent: readonly {readonly path: string; readonly source: string}[];
}

const HEAP_MIB = 256;
/** Node takes half of the memory that there is for its heap. */
const MEMORY_BYTES = 2 * HEAP_MIB * 2 ** 20;
const PLACE = '/sys/fs/cgroup';
const FOLDER = 'limits';
/** Where Node reads how much memory there is for it: control groups of the second version, and of the first. */
const FILES = [
  ...['memory.max', 'memory.high'],
  ...['memory/memory.limit_in_bytes', 'memory/memory.soft_limit_in_bytes'],
];

/**
 * What has the heap of V8 end at 256 MiB. Under a sandbox Node finds files that say it has twice as much: with a flag
 * for V8 it does not use the compiled form of its own modules, and takes half as long again to start. `entry` lies in
 * `dist`.
 */
export function heapLimit(entry: string, isConfined: boolean): HeapLimit {
  if (!isConfined) return {words: [`--max-old-space-size=${HEAP_MIB}`], lent: []};
  return {words: [], lent: [{path: PLACE, source: join(dirname(entry), FOLDER)}]};
}

/** Writes the files that say how much memory there is. */
export async function makeLimits(): Promise<void> {
  const folder = fileURLToPath(new URL(`../${FOLDER}`, import.meta.url));
  await mkdir(join(folder, 'memory'), {recursive: true});
  for (const file of FILES) await writeFile(join(folder, file), `${MEMORY_BYTES}\n`);
}
