import type {FileMatches} from '../engine/engine.js';
import {createLineFinder} from './line-finder.js';
import {createBlock, matchFile} from './match-file.js';
import type {MatchTask} from './match-task.js';
import {judgeFailure} from './system-failure.js';

/** What came of a batch of files, in their order. */
export interface BatchResult {
  readonly files: readonly FileMatches[];
  /** Files that exist and could not be read. */
  readonly unreadable: readonly string[];
  /** How many files were looked at: fewer than all when much was found. */
  readonly done: number;
}

/** The result, or why the pattern is too much for a file. */
export type BatchAnswer = BatchResult | {readonly refused: string};

/** A batch ends when its lines take this much memory. */
const MOST_BYTES = 1 << 20;

/** Makes what looks at one batch of files after the other, without waiting for anything. */
export function createBatchMatcher(task: MatchTask): (paths: readonly string[]) => BatchAnswer {
  const find = createLineFinder(task);
  const block = createBlock();

  return (paths) => {
    const files: FileMatches[] = [];
    const unreadable: string[] = [];
    let done = 0;
    let bytes = 0;
    for (const path of paths) {
      if (bytes >= MOST_BYTES) break;
      done += 1;
      try {
        const found = matchFile(path, find, block);
        bytes += found.bytes;
        if (found.lines.length > 0) files.push({path, lines: found.lines});
      } catch (error) {
        // Backtracking expressions run out of memory on some lines of many megabytes.
        if (error instanceof RangeError) return {refused: `The pattern needs too much memory in ${path}.`};
        if (judgeFailure(error) === 'unreadable') unreadable.push(path);
      }
    }
    return {files, unreadable, done};
  };
}
