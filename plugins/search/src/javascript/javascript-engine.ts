import type {Workspace} from '@gemini-kernel/plugin-workspace/contract';
import type {EngineInfo} from '../contract.js';
import {Collector} from '../engine/collector.js';
import type {Engine, Matched, MatchRequest, Place, Walked, WalkRequest} from '../engine/engine.js';
import {comparePaths} from '../engine/path-order.js';
import type {LinePattern} from '../pattern/line-pattern.js';
import {inBatches} from './in-batches.js';
import {inOrder} from './in-order.js';
import {createMatchPool, type MatchPool} from './match-pool.js';
import {planMatch} from './match-task.js';
import {untilAborted} from '../until-aborted.js';
import {walkFiles} from './walk.js';

export interface JavascriptOptions {
  readonly info: EngineInfo;
  readonly workspace: Pick<Workspace, 'ignoreWalk'>;
  /** How many threads can run at the same time. */
  readonly cores: number;
}

type ListRequest = Parameters<Engine['list']>[0];

/** What all places of a search share. */
interface Matching {
  readonly pool: MatchPool;
  readonly collector: Collector;
  readonly unreadable: string[];
  /** Batches under way. */
  readonly most: number;
}

/** More threads than this wait for each other. */
const MOST_THREADS = 4;
/** So many batches for each thread are under way, or wait for an earlier one. */
const BATCHES = 3;

/** The engine that needs no other program: reads directories itself, and files in worker threads. */
export function createJavascriptEngine({info, workspace, cores}: JavascriptOptions): Engine {
  const threads = Math.max(1, Math.min(cores, MOST_THREADS));

  /** Opens what walks through one place after the other. */
  const openWalk = async (
    request: WalkRequest & {readonly signal: AbortSignal},
    unreadable: string[],
  ): Promise<(place: Place) => AsyncGenerator<readonly string[], void>> => {
    const ignored = request.ignore === false ? undefined : await workspace.ignoreWalk(request.ignore);
    return (place) =>
      walkFiles(place, request, {ignored, signal: request.signal, onUnreadable: (path) => unreadable.push(path)});
  };

  const list = async (request: ListRequest): Promise<Walked> => {
    const unreadable: string[] = [];
    const walk = await openWalk(request, unreadable);
    for (const place of request.places) for await (const paths of walk(place)) request.onPaths(paths);
    return {unreadable: unreadable.sort(comparePaths)};
  };

  const match = async (request: MatchRequest, pool: MatchPool): Promise<Matched> => {
    const unreadable: string[] = [];
    const collector = new Collector(request);
    const walk = await openWalk(request, unreadable);
    for (const place of request.places) {
      // They are in order: what is not wanted of this one is not wanted of those after it.
      if (hasAllBefore(collector, place.path)) break;
      await matchPlace(walk(place), {pool, collector, unreadable, most: threads * BATCHES});
    }
    return {files: collector.files, isLimited: collector.isLimited, unreadable: collector.met(unreadable)};
  };

  return {
    info,
    list: (request) => untilAborted(request.signal, () => list(request)),
    match: async (request) => {
      request.signal.throwIfAborted();
      const pool = createMatchPool(await planMatch(request), threads);
      try {
        return await untilAborted(request.signal, () => match(request, pool));
      } finally {
        await pool.end();
      }
    },
    canMatch,
  };
}

function canMatch({script}: LinePattern): boolean {
  try {
    return new RegExp(script.source, script.flags) !== undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return false;
  }
}

/** Holds the files of one place against the pattern, until nothing that still comes in it can be among the first. */
async function matchPlace(
  files: AsyncGenerator<readonly string[], void>,
  {pool, collector, unreadable, most}: Matching,
): Promise<void> {
  for await (const {batch, first} of inOrder(
    inBatches(files),
    async (paths) => ({batch: paths, first: await pool.run(paths)}),
    most,
  )) {
    let [part, rest] = [first, batch];
    for (;;) {
      unreadable.push(...part.unreadable);
      await collector.add(part.files);
      const last = rest[part.done - 1];
      if (last !== undefined && hasAllBefore(collector, last)) return;
      rest = rest.slice(part.done);
      if (rest.length === 0) break;
      part = await pool.run(rest);
    }
  }
}

/** Whether there is enough, and nothing at this path or after it can be among the first. */
function hasAllBefore({isLimited, files}: Collector, path: string): boolean {
  const last = files.at(-1);
  return isLimited && (last === undefined || comparePaths(path, last.path) >= 0);
}
