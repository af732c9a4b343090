import {chmod, lstat, mkdir, rename, rm, symlink, unlink, writeFile} from 'node:fs/promises';
import {dirname} from 'node:path';
import type {CheckpointRecord} from './checkpoint-log.js';
import type {Restored} from './contract.js';
import {isSameState, stateOf, type FileState, type Snapshots} from './file-state.js';
import {passOver, systemCode, systemReason} from './system-code.js';

const MOST = 64 * 1024 * 1024;

/** How a file is brought back. */
export interface FilePlan {
  readonly path: string;
  readonly now: FileState;
  readonly target: FileState;
  /** It is not what the agent left; or somebody changed it between two calls. */
  readonly isForeign: boolean;
}

/** What the files of these checkpoints were before the first of them, and whether they still are what the last one left. */
export async function planFiles(records: readonly CheckpointRecord[]): Promise<readonly FilePlan[]> {
  const known = new Map<string, {target: FileState; left: FileState | undefined; isForeign: boolean}>();
  for (const {before, after} of records) {
    for (const {path, state} of before) {
      const left = after?.find((one) => one.path === path)?.state;
      const one = known.get(path);
      if (!one) known.set(path, {target: state, left, isForeign: false});
      else known.set(path, {target: one.target, left, isForeign: one.isForeign || (one.left !== undefined && !isSameState(one.left, state))});
    }
  }
  return Promise.all([...known].map(async ([path, {target, left, isForeign}]) => {
    const now = await stateOf(path, {most: MOST});
    return {path, now, target, isForeign: isForeign || left === undefined || !isSameState(left, now)};
  }));
}

export interface RestoreOptions {
  readonly store: Snapshots;
  /** Also what somebody else has changed. */
  readonly force: boolean;
  /** Whether a path may be written. */
  isInside(path: string): Promise<boolean>;
}

/** Brings files back. What somebody else has made or changed stays, unless `force`; what is there and was not is taken away only as the agent left it. */
export async function restoreFiles(plans: readonly FilePlan[], options: RestoreOptions): Promise<Restored> {
  const outcome = {restored: [] as string[], removed: [] as string[], changed: [] as string[], lost: [] as {path: string; reason: string}[]};
  for (const plan of plans) {
    const {path, now, target, isForeign} = plan;
    if (isSameState(now, target)) continue;
    if (target.kind === 'unknown') outcome.lost.push({path, reason: target.reason});
    else if (isForeign && (!options.force || target.kind === 'absent')) outcome.changed.push(path);
    else if (!(await options.isInside(path))) outcome.lost.push({path, reason: 'it is not in the workspace any more'});
    else {
      const fault = await bringBack(path, target, now, options.store);
      if (fault !== undefined) outcome.lost.push({path, reason: fault});
      else (target.kind === 'absent' ? outcome.removed : outcome.restored).push(path);
    }
  }
  return outcome;
}

async function bringBack(path: string, target: FileState, now: FileState, store: Snapshots): Promise<string | undefined> {
  try {
    if (target.kind === 'absent') {
      await unlink(path);
      return undefined;
    }
    if (now.kind === 'unknown') return now.reason;
    await mkdir(dirname(path), {recursive: true});
    if (target.kind === 'link') return await replace(path, (partial) => symlink(target.target, partial));
    if (target.kind !== 'file') return target.reason;
    const content = await store.get(target.hash);
    if (!content) return 'its content is not kept any more';
    const mode = (await lstat(path).catch((error: unknown) => passOver(error, 'ENOENT')))?.mode ?? target.mode;
    return await replace(path, async (partial) => {
      await writeFile(partial, content, {flag: 'wx', mode: mode & 0o7777});
      await chmod(partial, mode & 0o7777);
    });
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return systemReason(error);
  }
}

async function replace(path: string, make: (partial: string) => Promise<void>): Promise<undefined> {
  const partial = `${path}.restoring`;
  try {
    await make(partial);
    await rename(partial, path);
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') await rm(partial, {force: true});
    throw error;
  }
}
