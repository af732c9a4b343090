import {lstatSync} from 'node:fs';
import {basename} from 'node:path';
import {
  collectChanges,
  MOST_CHANGED,
  MOST_COMPARED,
  stateInGit,
  tooMany,
  type ChangedFile,
  type CommandChanges,
} from '../command-changes.js';
import type {FileState} from '../file-state.js';
import type {IndexEntry} from '../git-index.js';
import {isSameLook, lookAt, type Look} from '../scan-files.js';
import {systemCode} from '../system-code.js';
import {baseOf, gatherPaths, type Gathered} from './gather-paths.js';
import type {Happened} from './tree-watch.js';
import {walkFolders} from './walk-folders.js';
import type {Base, Watched} from './watched-workspace.js';

export interface CommandSpan {
  readonly happened: Happened;
  /** When the command began, in milliseconds since the epoch. */
  readonly since: number;
  /** Check all files, not only those that events name. */
  readonly looksAtAll: boolean;
}

export interface Found {
  readonly changes: CommandChanges;
  /** Ignore rules changed. */
  readonly isRuled: boolean;
  /** Of all files that changed. */
  readonly count: number;
}

/** The state of a path before the command, and how to compare it. */
type Former = {readonly kind: 'state'; readonly state: FileState} | {readonly kind: 'held'; readonly entry: IndexEntry};

interface Suspect {
  readonly path: string;
  readonly former: Former;
}

const RULES = new Set(['.gitignore', '.geminiignore', '.aiexclude']);
const UNTOLD: FileState = {kind: 'unknown', reason: 'it is ignored, and was changed before'};
/** File system clocks tick slowly. */
const TICK_MS = 50;

/** Determines what a command changed, given what was known before it. Afterwards the new state is known. */
export async function findChanges(watched: Watched, span: CommandSpan): Promise<Found> {
  const gathered = await gatherPaths(watched, span.happened.isLost ? new Map() : span.happened.paths);
  const gaps: string[] = [];
  const files = new Set(gathered.files);
  if (span.looksAtAll) for (const path of await lookAtAll(watched, gaps)) files.add(path);
  const isRuled = [...files].some((path) => RULES.has(basename(path)) && hasChanged(watched, path));
  const doubt = (path: string): boolean => isDoubtful(path, {gathered, span, isRuled});
  const changed: ChangedFile[] = [];
  let count = 0;
  for (const base of watched.bases) {
    const own = [...files].filter((path) => baseOf(watched.bases, path) === base);
    const folders = gathered.folders.filter((path) => baseOf(watched.bases, path) === base);
    const suspects = await suspectsIn(watched, base, {own, folders, doubt, gaps});
    count += suspects.length;
    changed.push(...(await settle(watched, base, suspects.slice(0, MOST_CHANGED - changed.length))));
    for (const {path} of suspects.slice(MOST_CHANGED)) watched.known.note(path);
  }
  if (count > MOST_CHANGED) gaps.push(tooMany(count));
  return {changes: collectChanges(changed, gaps), isRuled, count};
}

/** Whether a path that an event names is not known to be unchanged. */
function hasChanged({known}: Watched, path: string): boolean {
  const file = known.get(path);
  return !file || !isSameLook(file.look, lookAt(path));
}

/** Every file that could have changed without an event. */
async function lookAtAll({bases, known, workspace, signal}: Watched, gaps: string[]): Promise<ReadonlySet<string>> {
  const paths = new Set(known.paths());
  for (const {root, git} of bases) {
    const listed = git && (await Promise.all([git.loose(), git.replaced()]));
    for (const path of listed?.flatMap((one) => one ?? []) ?? []) paths.add(path);
    if (listed?.includes(undefined)) gaps.push(`Git does not report what changed in ${root}.`);
    const onFile = (path: string): void => void paths.add(path);
    if (!git) await walkFolders(root, {ignores: await workspace.ignoreWalk(), signal, repository: undefined, onFile});
  }
  return paths;
}

interface Circumstances {
  readonly gathered: Gathered;
  readonly span: CommandSpan;
  readonly isRuled: boolean;
}

/** Whether an unknown file could have existed before, ignored. */
function isDoubtful(path: string, {gathered, span, isRuled}: Circumstances): boolean {
  // A new name means that the file was created; a file that was only written to existed before.
  if (gathered.files.has(path) && !gathered.named.has(path)) return true;
  if (!isRuled) return false;
  try {
    return lstatSync(path).birthtimeMs < span.since - TICK_MS;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return true;
  }
}

interface Question {
  readonly own: readonly string[];
  readonly folders: readonly string[];
  readonly gaps: string[];
  doubt(path: string): boolean;
}

/** The paths of a base that have changed. */
async function suspectsIn(watched: Watched, {root, git}: Base, question: Question): Promise<readonly Suspect[]> {
  const {own, folders, gaps, doubt} = question;
  const {suspects, strange} = knownSuspects(watched, own);
  if (strange.length + folders.length === 0) return suspects;
  const held = await git?.held([...new Set([...strange, ...folders])]);
  if (git && !held) gaps.push(`Git does not report what it held in ${root}.`);
  for (const suspect of heldSuspects(watched, held ?? new Map())) suspects.push(suspect);
  const made = held || !git ? strange.filter((path) => !held?.has(path) && lookAt(path)) : [];
  if (made.length === 0) return suspects;
  const shown = git ? await git.untracked(made) : await notIgnored(watched.workspace, made);
  for (const path of made.filter((one) => shown.has(one)))
    suspects.push({path, former: {kind: 'state', state: stateBefore(doubt(path))}});
  return suspects;
}

function stateBefore(isDoubtful: boolean): FileState {
  return isDoubtful ? {kind: 'unknown', reason: 'it may have existed before, ignored'} : {kind: 'absent'};
}

/** The known paths that have changed, and the unknown ones. */
function knownSuspects(
  {known}: Watched,
  paths: readonly string[],
): {readonly suspects: Suspect[]; readonly strange: readonly string[]} {
  const suspects: Suspect[] = [];
  const strange: string[] = [];
  for (const path of paths) {
    const file = known.get(path);
    if (!file) strange.push(path);
    else if (!isSameLook(file.look, lookAt(path))) suspects.push({path, former: {kind: 'state', state: file.state}});
  }
  return {suspects, strange};
}

/** Files in git that were not otherwise known and have changed. */
function heldSuspects({known, untold}: Watched, held: ReadonlyMap<string, IndexEntry>): readonly Suspect[] {
  return [...held].flatMap(([path, entry]): readonly Suspect[] => {
    if (known.get(path) || isAsHeld(entry, lookAt(path))) return [];
    return [{path, former: untold.has(path) ? {kind: 'state', state: UNTOLD} : {kind: 'held', entry}}];
  });
}

async function notIgnored(workspace: Watched['workspace'], paths: readonly string[]): Promise<ReadonlySet<string>> {
  const ignored = await workspace.ignored(paths);
  return new Set(paths.filter((_, index) => ignored[index] === false));
}

function isAsHeld({size, mtimeMs, mode}: IndexEntry, look: Look | undefined): boolean {
  // A folder where git held a file is a nested repository, which is left alone.
  if (mode === '160000') return true;
  return (
    look?.size === size &&
    Math.abs(look.mtimeMs - mtimeMs) < 0.01 &&
    ((look.mode & 0o100) !== 0) === (mode === '100755' || mode === '120000')
  );
}

async function settle(
  {known, store}: Watched,
  {git}: Base,
  suspects: readonly Suspect[],
): Promise<readonly ChangedFile[]> {
  const oids = suspects.flatMap(({former}) => (former.kind === 'held' ? [former.entry.oid] : []));
  const contents = oids.length > 0 ? await git?.contents([...new Set(oids)]) : undefined;
  const changed: ChangedFile[] = [];
  for (const {path, former} of suspects) {
    const before =
      former.kind === 'state' ? former.state : await stateInGit(former.entry, contents?.get(former.entry.oid), store);
    changed.push({path, before, after: await known.renew(path, MOST_COMPARED)});
  }
  return changed;
}
