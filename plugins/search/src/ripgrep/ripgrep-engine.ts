import type {Workspace} from '@gemini-kernel/plugin-workspace/contract';
import {boundedTest, TestTooLong} from '../bounded-test.js';
import type {EngineInfo} from '../contract.js';
import {Collector} from '../engine/collector.js';
import {EngineRefused, type Engine, type FileMatches, type Matched, type MatchRequest} from '../engine/engine.js';
import {comparePaths} from '../engine/path-order.js';
import {FileNames} from './file-names.js';
import {planRuns} from './plan-runs.js';
import type {Program} from './program.js';
import {MatchReader} from './read-matches.js';
import {matchArguments, walkArguments, type Run} from './rg-arguments.js';
import {runRg, type RgStart} from './rg-process.js';
import {sieveFor} from './sieve.js';

export interface RipgrepOptions {
  readonly info: EngineInfo;
  readonly program: Program;
  readonly workspace: Pick<Workspace, 'ignored' | 'ignoreSources' | 'roots'>;
}

type ListRequest = Parameters<Engine['list']>[0];

/** The engine that runs ripgrep. */
export function createRipgrepEngine(options: RipgrepOptions): Engine {
  const {info, program, workspace} = options;
  return {
    info,
    list: async (request) => {
      const walked = await together(await planRuns(request, workspace), request.signal, (run, signal) =>
        listRun({...request, signal}, run, options),
      );
      return {unreadable: [...new Set(walked.flat())].sort(comparePaths)};
    },
    match: async (request) => matchRuns(request, await planRuns(request, workspace), options),
    canMatch: ({isLiteral, rust, pcre}) => isLiteral || rust !== undefined || (pcre !== undefined && program.hasPcre),
  };
}

function start({program}: RipgrepOptions, run: Run, args: readonly string[], signal: AbortSignal): RgStart {
  return {program: program.path, args, paths: run.places.map(({path}) => path), directory: run.directory, signal};
}

async function listRun(request: ListRequest, run: Run, options: RipgrepOptions): Promise<readonly string[]> {
  const names = new FileNames();
  const sift = sieveFor(request, run, options.workspace);
  return runRg(
    start(options, run, [...walkArguments(request, run), '--files', '--null'], request.signal),
    async (chunk) => {
      const paths = await sift(names.push(chunk), (path) => path);
      if (paths.length > 0 && !request.signal.aborted) request.onPaths(paths);
      return false;
    },
  );
}

/**
 * With all its threads the program is fastest, but has to read everything to know what comes first. So once there is
 * more than is wanted, a second one goes through the same places in order and stops when it has enough. Whichever ends
 * first has the answer.
 */
async function matchRuns(request: MatchRequest, runs: readonly Run[], options: RipgrepOptions): Promise<Matched> {
  const over = new AbortController();
  const shared = {...request, signal: AbortSignal.any([request.signal, over.signal])};
  const started: Promise<Matched>[] = [];
  try {
    return await new Promise<Matched>((resolve, reject) => {
      const begin = (isOrdered: boolean): void => {
        const searching = searchRuns(shared, runs, options, {
          isOrdered,
          onLimit: () => (started.length === 1 ? begin(true) : undefined),
        });
        started.push(searching);
        searching.then(resolve, reject);
      };
      begin(false);
    });
  } finally {
    over.abort(new Error('The other search was first.'));
    await Promise.allSettled(started);
  }
}

interface Way {
  readonly isOrdered: boolean;
  readonly onLimit: () => void;
}

/** One search of all runs: side by side, or one after the other in path order until there is enough. */
async function searchRuns(
  request: MatchRequest,
  runs: readonly Run[],
  options: RipgrepOptions,
  {isOrdered, onLimit}: Way,
): Promise<Matched> {
  const collector = new Collector(request);
  const counts = lineTest(request);
  const runOne = async (run: Run, signal: AbortSignal): Promise<readonly string[]> => {
    if (isOrdered && isBeyond(collector, run.places[0]?.path)) return [];
    let isEnough = false;
    const reader = new MatchReader({mostPerFile: Math.min(request.mostPerFile, request.most + 1), counts});
    const sift = sieveFor(request, run, options.workspace);
    const unreadable = await runRg(
      start(options, run, [...walkArguments(request, run), ...matchArguments(request, {inOrder: isOrdered})], signal),
      async (chunk) => {
        const found = reader.push(chunk);
        await collector.add(await sift<FileMatches>(found, ({path}) => path));
        if (collector.isLimited) onLimit();
        isEnough = isOrdered && isBeyond(collector, found.at(-1)?.path);
        return isEnough;
      },
    );
    if (!isEnough && !reader.isComplete) throw new EngineRefused(`${options.program.path} ended before it was done.`);
    return unreadable;
  };
  const unreadable: string[] = [];
  if (isOrdered) for (const run of runs) unreadable.push(...(await runOne(run, request.signal)));
  else unreadable.push(...(await together(runs, request.signal, runOne)).flat());
  return {files: collector.files, isLimited: collector.isLimited, unreadable: collector.met(unreadable)};
}

/** Whether nothing from this path on can be among the first any more. */
function isBeyond({isLimited, files}: Collector, path: string | undefined): boolean {
  const last = files.at(-1)?.path;
  return isLimited && path !== undefined && last !== undefined && comparePaths(path, last) >= 0;
}

/**
 * Does the work of all runs side by side. If one fails, the others are cancelled, and this throws its error once
 * they have ended.
 */
async function together<T>(
  runs: readonly Run[],
  signal: AbortSignal,
  work: (run: Run, signal: AbortSignal) => Promise<T>,
): Promise<readonly T[]> {
  const failed = new AbortController();
  const shared = AbortSignal.any([signal, failed.signal]);
  const working = runs.map((run) => work(run, shared));
  try {
    return await Promise.all(working);
  } catch (error) {
    failed.abort(error);
    await Promise.allSettled(working);
    throw error;
  }
}

/** Whether a line counts. Who needs too long for one is looked at in threads of our own, which can be ended. */
function lineTest({except}: MatchRequest): (line: string) => boolean {
  if (!except) return () => true;
  const fits = boundedTest(new RegExp(except.script.source, except.script.flags));
  return (line) => {
    try {
      return !fits(line);
    } catch (error) {
      if (error instanceof TestTooLong) throw new EngineRefused(error.message, {cause: error});
      throw error;
    }
  };
}
