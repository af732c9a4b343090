import {existsSync} from 'node:fs';
import type {ToolContext} from '@gemini-kernel/kernel';
import type {IgnoreOptions, Workspace} from '@gemini-kernel/plugin-workspace/contract';
import {hasLines} from './context-lines.js';
import {readableText, systemPath} from './engine/bytes.js';
import {NOT_SEARCHED, NOT_SEARCHED_ENDINGS} from './engine/left-out.js';
import type {FileMatches, Matched, Place} from './engine/engine.js';
import {comparePaths} from './engine/path-order.js';
import {fewAtATime} from './few-at-a-time.js';
import {compileFileTest} from './file-test.js';
import {narrowPlaces} from './narrow-places.js';
import type {LinePattern} from './pattern/line-pattern.js';
import type {Search} from './search.js';
import {shownPath} from './shown-path.js';
import {createSteadyCheck} from './steady-paths.js';

export interface Grep {
  readonly pattern: LinePattern;
  readonly except?: LinePattern;
  readonly include?: string;
  readonly places: readonly Place[];
  readonly ignore: IgnoreOptions | false;
  readonly mostPerFile: number;
  readonly most: number;
}

export interface GrepContext extends Pick<ToolContext, 'permits' | 'progress' | 'signal'> {
  readonly search: Pick<Search, 'match'>;
  readonly workspace: Pick<Workspace, 'confirm' | 'locate' | 'roots'>;
}

export interface Grepped extends Matched {
  /** Files that changed while they were searched, and are not shown, in path order. */
  readonly changed: readonly string[];
}

/** So many files are open at the same time at most. */
const MOST_OPEN = 32;

/** Time between two reports of matches. */
const TELL_MS = 100;

/**
 * Searches files for lines. Each file is judged before any of it is shown; of one that may not be read nothing is said,
 * not even that it has matches.
 */
export async function grepFiles(
  {include, places, ignore, ...wanted}: Grep,
  {search, workspace, permits, progress, signal}: GrepContext,
): Promise<Grepped> {
  const placed =
    include === undefined
      ? undefined
      : await compileFileTest(include, places, {isCaseSensitive: true, matchesNames: true});
  const withoutFolders = ignore === false ? ['.git'] : NOT_SEARCHED;
  const narrowed = placed
    ? await narrowPlaces(placed.places, placed.base, {isCaseSensitive: true, withoutFolders})
    : places;
  const judge = createJudge(
    {search, workspace, permits, progress, signal},
    (await workspace.roots()).map(({path}) => path),
  );
  const told = createTeller(progress);
  const changed = new Set<string>();
  const accept = async (files: readonly FileMatches[]): Promise<readonly FileMatches[]> => {
    const judged = await judge(files);
    for (const [index, {path}] of files.entries()) if (judged[index] === 'changed') changed.add(path);
    const shown = files.filter((_, index) => judged[index] === 'shown');
    told(shown);
    return shown;
  };
  const matched = await search.match({
    ...wanted,
    places: narrowed,
    ignore,
    withoutFolders,
    // What is asked for by its ending is meant.
    withoutEndings: ignore === false ? [] : NOT_SEARCHED_ENDINGS.filter((ending) => include?.endsWith(ending) !== true),
    ...(placed ? {wants: placed.test} : {}),
    signal,
    accept,
  });
  return {...matched, changed: counted(changed, matched)};
}

/** Of what is withheld nothing is said. */
type Judged = 'shown' | 'changed' | 'withheld';

/** Says of files with matches whether they may be shown. */
function createJudge(
  {permits, workspace, signal}: GrepContext,
  roots: readonly string[],
): (files: readonly FileMatches[]) => Promise<readonly Judged[]> {
  const checkSteady = createSteadyCheck(roots, Date.now());
  const isPermitted = async (paths: readonly string[]): Promise<readonly boolean[]> =>
    paths.length === 0 ? [] : permits(paths.map((value) => ({kind: 'path', value, access: 'read'})));
  return async (files) => {
    const paths = files.map(({path}) => path);
    const [permitted, located] = await Promise.all([isPermitted(paths), workspace.locate(paths)]);
    const moved = located.filter((real, index) => real !== paths[index]);
    const readable = new Set((await isPermitted(moved)).flatMap((is, index) => (is ? (moved[index] ?? []) : [])));
    const steady = checkSteady(paths);
    return fewAtATime([...files.entries()], MOST_OPEN, async ([index, {path, lines}]): Promise<Judged> => {
      const real = located[index] ?? '';
      if (permitted[index] !== true || (real !== path && !readable.has(real))) return 'withheld';
      // What was a directory when the walk came by may be a link now.
      if (real !== path) return 'changed';
      // It may have been one when the lines were read, and none again: then they are not in the file.
      if (steady[index] === true || (await hasLines(path, lines, {workspace, signal}))) return 'shown';
      return existsSync(systemPath(path)) ? 'changed' : 'withheld';
    });
  };
}

/** Tells who waits, now and then, what was found. */
function createTeller(progress: GrepContext['progress']): (shown: readonly FileMatches[]) => void {
  // Some are found twice.
  const seen = new Set<string>();
  let lines = 0;
  let told = -TELL_MS;
  return (shown) => {
    for (const file of shown) {
      if (!seen.has(file.path)) lines += file.lines.length;
      seen.add(file.path);
    }
    const [first] = shown;
    if (!first || performance.now() - told < TELL_MS) return;
    told = performance.now();
    progress({
      text: `${shownPath(first.path)}:${first.lines[0]?.number}: ${readableText(first.lines[0]?.text ?? '')}`,
      done: lines,
    });
  };
}

/** Those that count, in order: what comes after the last file of a limited answer was met by chance. */
function counted(paths: ReadonlySet<string>, {files, isLimited}: Matched): readonly string[] {
  const shown = new Set(files.map(({path}) => path));
  const last = isLimited ? files.at(-1)?.path : undefined;
  return [...paths]
    .filter((path) => !shown.has(path) && (last === undefined || comparePaths(path, last) < 0))
    .sort(comparePaths);
}
