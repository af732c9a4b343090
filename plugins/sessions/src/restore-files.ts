import {constants} from 'node:fs';
import {mkdir, open, rename, rm, symlink, unlink} from 'node:fs/promises';
import {basename, dirname, join, resolve} from 'node:path';
import {sweepBeside, writerMark} from '@gemini-kernel/files/writing';
import {isToolError, type Verdict} from '@gemini-kernel/kernel';
import type {CheckpointRecord} from './checkpoint-log.js';
import type {Restored} from './contract.js';
import {isSameState, stateOf, type FileState, type Snapshots} from './file-state.js';
import {systemCode, systemReason} from './system-code.js';

const MOST = 64 * 1024 * 1024;
/** Never setuid or setgid. */
const PERMISSIONS = 0o777;

/** How to restore a file. */
export interface FilePlan {
  readonly path: string;
  readonly now: FileState;
  readonly target: FileState;
  /** Its content is not what the agent left, or someone changed it between two calls. */
  readonly isForeign: boolean;
}

/** The state of files before the first of these checkpoints, and whether they are still as the last one left them. */
export async function planFiles(records: readonly CheckpointRecord[]): Promise<readonly FilePlan[]> {
  const known = new Map<string, {target: FileState; left: FileState | undefined; isForeign: boolean}>();
  for (const {before, after} of records) {
    for (const {path, state} of before) {
      const left = after?.find((one) => one.path === path)?.state;
      const one = known.get(path);
      if (!one) known.set(path, {target: state, left, isForeign: false});
      else
        known.set(path, {
          target: one.target,
          left,
          isForeign: one.isForeign || (one.left !== undefined && !isSameState(one.left, state)),
        });
    }
  }
  return Promise.all(
    [...known].map(async ([path, {target, left, isForeign}]) => {
      const now = await stateOf(path, {most: MOST});
      return {path, now, target, isForeign: isForeign || left === undefined || !isSameState(left, now)};
    }),
  );
}

export interface RestoreOptions {
  readonly store: Snapshots;
  /** Also overwrite what someone else has changed. */
  readonly force: boolean;
  /** Whether the folder of a path still has that real path, inside the workspace. */
  isInside(path: string): Promise<boolean>;
  /** Checks that an opened file is the one at that path inside the workspace, or throws a ToolError. */
  confirm(path: string, identity: {readonly device: string; readonly inode: string}): Promise<void>;
  /** What rules that name paths decide about writing each of them. */
  guard(paths: readonly string[]): Promise<readonly Verdict[]>;
  /** Paths that a person agreed to, where rules ask. */
  readonly approved: ReadonlySet<string>;
}

interface Outcome {
  readonly restored: string[];
  readonly removed: string[];
  readonly changed: string[];
  readonly guarded: {path: string; reason: string}[];
  readonly lost: {path: string; reason: string}[];
}

/**
 * Restores files. Files that someone else created or changed stay, unless `force`; a file that did not exist is
 * removed only if the agent's version is unchanged. A restore is judged like a call: rules that name a path apply, and
 * nothing is written outside the workspace.
 */
export async function restoreFiles(plans: readonly FilePlan[], options: RestoreOptions): Promise<Restored> {
  const outcome: Outcome = {restored: [], removed: [], changed: [], guarded: [], lost: []};
  // Remove first: a file may be where a folder is needed.
  const due = plans.filter(({now, target}) => !isSameState(now, target));
  const [removals, others] = [
    due.filter(({target}) => target.kind === 'absent'),
    due.filter(({target}) => target.kind !== 'absent'),
  ];
  for (const plan of [...removals, ...others]) await restoreFile(plan, options, outcome);
  return outcome;
}

async function restoreFile(
  {path, now, target, isForeign}: FilePlan,
  options: RestoreOptions,
  outcome: Outcome,
): Promise<void> {
  const fault = target.kind === 'unknown' ? target.reason : await findPlaceFault(path, target, options);
  if (fault !== undefined) return void outcome.lost.push({path, reason: fault});
  if (isForeign && (!options.force || target.kind === 'absent')) return void outcome.changed.push(path);
  const verdict = await judge(path, target, options);
  if (verdict.decision === 'deny') return void outcome.lost.push({path, reason: `a rule denies it: ${verdict.reason}`});
  if (verdict.decision === 'ask' && !options.approved.has(path))
    return void outcome.guarded.push({path, reason: verdict.reason});
  const failure = await bringBack({path, target, now}, options);
  if (failure !== undefined) outcome.lost.push({path, reason: failure});
  else (target.kind === 'absent' ? outcome.removed : outcome.restored).push(path);
}

async function findPlaceFault(
  path: string,
  target: FileState,
  {isInside}: RestoreOptions,
): Promise<string | undefined> {
  if (!(await isInside(path))) return 'it is no longer in the workspace';
  if (target.kind === 'link' && !(await isInside(resolve(dirname(path), target.target))))
    return 'it would be a link to outside the workspace';
  return undefined;
}

/** The strictest decision about the path and about the target of a link there. */
async function judge(path: string, target: FileState, {guard}: RestoreOptions): Promise<Verdict> {
  const verdicts = await guard(target.kind === 'link' ? [path, resolve(dirname(path), target.target)] : [path]);
  const strictest = (['deny', 'ask'] as const)
    .map((decision) => verdicts.find((one) => one.decision === decision))
    .find((one) => one !== undefined);
  return strictest ?? {decision: 'allow', reason: ''};
}

async function bringBack(
  {path, target, now}: Pick<FilePlan, 'path' | 'target' | 'now'>,
  options: RestoreOptions,
): Promise<string | undefined> {
  try {
    if (target.kind === 'absent') {
      await unlink(path);
      return undefined;
    }
    if (now.kind === 'unknown') return now.reason;
    await mkdir(dirname(path), {recursive: true});
    if (target.kind === 'link') return await replace(path, options, (partial) => symlink(target.target, partial));
    if (target.kind !== 'file') return target.reason;
    const content = await options.store.get(target.hash);
    if (!content) return 'its content is no longer saved';
    return await replace(path, options, (partial) =>
      writeFresh(
        {
          path: partial,
          content,
          mode: target.mode & PERMISSIONS,
          ...(now.kind === 'file' ? {exactly: now.mode & PERMISSIONS} : {}),
        },
        options,
      ),
    );
  } catch (error) {
    if (isToolError(error)) return error.message;
    if (systemCode(error) === undefined) throw error;
    return systemReason(error);
  }
}

interface Fresh {
  readonly path: string;
  readonly content: Buffer;
  /** As recorded, minus the umask. */
  readonly mode: number;
  /** Mode of the file that is replaced. */
  readonly exactly?: number;
}

/** Creates a file, after the workspace has confirmed its real path. */
async function writeFresh({path, content, mode, exactly}: Fresh, {confirm}: RestoreOptions): Promise<void> {
  const handle = await open(
    path,
    constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0),
    mode,
  );
  try {
    const {dev, ino} = await handle.stat({bigint: true});
    await confirm(path, {device: String(dev), inode: String(ino)});
    await handle.writeFile(content);
    if (exactly !== undefined) await handle.chmod(exactly);
  } finally {
    await handle.close();
  }
}

/** Replaces what is at the path, never the target of a link there. */
async function replace(
  path: string,
  {isInside}: RestoreOptions,
  make: (partial: string) => Promise<void>,
): Promise<string | undefined> {
  const name = join(dirname(path), `.${basename(path)}.restoring`);
  await sweepBeside(name);
  const partial = `${name}.${writerMark()}.tmp`;
  try {
    await make(partial);
    if (!(await isInside(path))) return 'a parent folder was replaced meanwhile';
    await rename(partial, path);
    return undefined;
  } finally {
    await rm(partial, {force: true});
  }
}
