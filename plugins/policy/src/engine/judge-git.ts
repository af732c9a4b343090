import type {GitUse, ShellAnalysis} from '../bash/analysis.js';
import {isOpen} from '../bash/shape.js';
import {findRepository, type Repository} from './find-repository.js';
import {judgePath, place, type Work} from './judge-part.js';

const MOST_FILES = 20_000;
const HISTORY = 'It shows files of the history, which are unknown until it runs. Name the files, or use --stat.';

/**
 * Why a command of git is not let pass by the product: the repository it would find can run something, or it may show a
 * file that a rule closes. Undefined when there is no reason.
 */
export async function findGitFault(
  work: Work,
  use: GitUse,
  {changes, files}: Pick<ShellAnalysis, 'changes' | 'files'>,
): Promise<string | undefined> {
  if (changes || files.some(({access}) => access === 'write'))
    return 'The line also changes files, which decide what git runs.';
  const {disk, realPaths} = work.world;
  for (const directory of use.directories) {
    if (isOpen(directory)) return 'Only running it would tell which repository it works on.';
    const found = await findRepository({disk, realPaths}, directory);
    if ('fault' in found) return found.fault;
    const fault = found.repository && use.shows ? await findShownFault(work, use, found.repository) : undefined;
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** What a command of git is limited to. */
interface Limits {
  /** Tracked files and folders, from the top of the repository. */
  readonly paths: readonly string[];
  /** Some word may also name a version. */
  readonly isVersion: boolean;
  /** Each of the paths is one tracked file. */
  readonly isSingle: boolean;
}

/** Why it may show a file that a rule closes. */
async function findShownFault(work: Work, use: GitUse, {top, index}: Repository): Promise<string | undefined> {
  const tracked = new Set(index?.files ?? []);
  const limits = await readLimits(work, use, {top, tracked});
  if (namesAll(use, limits)) return undefined;
  if (use.isHistory || limits.isVersion) return HISTORY;
  const shown = [...tracked].filter((file) => limits.paths.length === 0 || isWithin(file, limits.paths));
  if (shown.length > MOST_FILES) return 'It may show more files than can be looked at.';
  const {roots} = work.circumstances;
  const closed = shown.find((file) => {
    const path = place(top === '/' ? `/${file}` : `${top}/${file}`, roots);
    return judgePath(work, path, 'read').finding.decision !== 'allow';
  });
  return closed === undefined ? undefined : `It may show ${closed}, which a rule closes.`;
}

async function readLimits(
  work: Work,
  use: GitUse,
  {top, tracked}: {readonly top: string; readonly tracked: ReadonlySet<string>},
): Promise<Limits> {
  const paths: string[] = [];
  let [isVersion, isSingle] = [use.names.length > 0, true];
  for (const {path, isSure} of use.paths) {
    const relative = path === top ? '' : path.slice(top === '/' ? 1 : top.length + 1);
    const isTracked = tracked.has(relative);
    if (!isTracked && !isSure && (await work.world.disk.kind(path)) === undefined) isVersion = true;
    else {
      paths.push(relative);
      isSingle &&= isTracked;
    }
  }
  return {paths, isVersion, isSingle};
}

/** Whether every file that it can show is named, and judged by its name. */
function namesAll({names, paths}: GitUse, limits: Limits): boolean {
  if (limits.paths.length > 0) return limits.isSingle;
  return names.length > 0 && paths.every(({path}) => names.some((name) => path.endsWith(`:${name}`)));
}

function isWithin(file: string, limits: readonly string[]): boolean {
  return limits.some((limit) => limit === '' || file === limit || file.startsWith(`${limit}/`));
}
