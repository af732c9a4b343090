import type {GitUse, ShellAnalysis} from '../bash/analysis.js';
import {isOpen} from '../bash/shape.js';
import {findRepository, type Repository} from './find-repository.js';
import {judgePath, place, type Work} from './judge-part.js';

const MOST_FILES = 20_000;

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

/** Why it may show a file that a rule closes. */
async function findShownFault(work: Work, use: GitUse, {top, index}: Repository): Promise<string | undefined> {
  const tracked = new Set(index?.files ?? []);
  const relative = (path: string): string => (path === top ? '' : path.slice(top === '/' ? 1 : top.length + 1));
  const limits: string[] = [];
  let [isVersion, isSingle] = [use.names.length > 0, true];
  for (const {path, isSure} of use.paths) {
    const isThere = tracked.has(relative(path)) || (await work.world.disk.kind(path)) !== undefined;
    if (!isSure && !isThere) {
      isVersion = true;
      continue;
    }
    limits.push(relative(path));
    isSingle &&= tracked.has(relative(path));
  }
  // Every file that it can show is named, and judged by its name.
  if (
    limits.length > 0
      ? isSingle
      : use.names.length > 0 && use.paths.every(({path}) => use.names.some((name) => path.endsWith(`:${name}`)))
  )
    return undefined;
  if (use.isHistory || isVersion)
    return (
      'It shows files of the history, which nobody can list without running it; name the ' + 'files, or ask for --stat.'
    );
  const shown = [...tracked].filter(
    (file) =>
      limits.length === 0 || limits.some((limit) => limit === '' || file === limit || file.startsWith(`${limit}/`)),
  );
  if (shown.length > MOST_FILES) return 'It may show more files than can be looked at.';
  const closed = shown.find(
    (file) =>
      judgePath(work, place(top === '/' ? `/${file}` : `${top}/${file}`, work.circumstances.roots), 'read').finding
        .decision !== 'allow',
  );
  return closed === undefined ? undefined : `It may show ${closed}, which a rule closes.`;
}
