import type {IndexEntry} from './git-index.js';
import {isSameState, type FileState, type PathState, type Snapshots} from './file-state.js';

const MIB = 1024 * 1024;
/** Limits for files that git does not hold, saved before commands: for one file, and in total. */
export const MOST_EACH = MIB;
export const MOST_KEPT = 32 * MIB;
/** Of a file whose content is only compared. */
export const MOST_COMPARED = 64 * MIB;
export const MOST_CHANGED = 2000;

/** What a command changed, and what could not be determined. */
export interface CommandChanges {
  readonly before: readonly PathState[];
  readonly after: readonly PathState[];
  /** Sentences about what cannot be restored. */
  readonly gaps: readonly string[];
  /** Sentences about execute permission, which is not restored. */
  readonly modes: readonly string[];
}

/** A file before a command and after it. */
export interface ChangedFile {
  readonly path: string;
  readonly before: FileState;
  readonly after: FileState;
}

/** Leaves out unchanged files, and names those of which only the permissions changed. */
export function collectChanges(files: readonly ChangedFile[], gaps: readonly string[]): CommandChanges {
  const changed = files.filter(({before, after}) => !isSameState(before, after));
  const modes = files.filter(
    ({before, after}) =>
      before.kind === 'file' && after.kind === 'file' && isExecutable(before) !== isExecutable(after),
  );
  return {
    before: changed.map(({path, before}) => ({path, state: before})),
    after: changed.map(({path, after}) => ({path, state: after})),
    gaps,
    modes: modes.map(({path}) => `The command changed the execute permission of ${path}, which is not restored.`),
  };
}

/** The only permission that git keeps. */
function isExecutable({mode}: {readonly mode: number}): boolean {
  return (mode & 0o100) !== 0;
}

/** Stores what git held of a file among the saved contents. */
export async function stateInGit(
  {mode, size, isHidden}: IndexEntry,
  content: Buffer | undefined,
  store: Snapshots,
): Promise<FileState> {
  if (isHidden) return {kind: 'unknown', reason: 'git is configured to ignore changes of it'};
  // Another length means that git stores it in another form (line ends, filters), not byte by byte.
  if (content?.length !== size) return {kind: 'unknown', reason: 'git does not return its exact former content'};
  if (mode === '120000') return {kind: 'link', target: content.toString('utf8')};
  return {kind: 'file', hash: await store.put(content), mode: mode === '100755' ? 0o755 : 0o644};
}

/** A file that was not copied. */
export function unkept(size: number): FileState {
  const why = size > MOST_EACH ? `it is larger than ${MOST_EACH / MIB} MiB` : 'the limit for saved content was reached';
  return {kind: 'unknown', reason: `git does not hold it, and ${why}`};
}

/** The gap of a command that changed more files than are recorded. */
export function tooMany(count: number): string {
  return `The command changed ${count} files; only the first ${MOST_CHANGED} can be restored.`;
}
