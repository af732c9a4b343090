import {readdir, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {writeHint} from '@gemini-kernel/files/writing';
import {KernelError} from '@gemini-kernel/kernel';
import type {ProjectFolder} from '@gemini-kernel/plugin-workspace/contract';
import {glanceAt} from './list-sessions.js';
import {lockOf} from './session-lock.js';
import {isSafeId, stemOf} from './session-name.js';
import {chatsOf, ownFolderOf} from './session-store.js';
import {passOver, systemCode, systemReason} from './system-code.js';

export interface DeletedSession {
  readonly id: string;
  readonly file: string;
  /** Its other files, if known. */
  readonly twins?: readonly string[];
  /** Whether something exists at a path, if known: most sessions have one file and nothing else. */
  isThere?(path: string): boolean;
}

/**
 * Deletes a session: its files in both formats, those of its subagents, its tool output, and its checkpoints. Throws
 * KernelError SESSION_UNWRITABLE.
 */
export async function deleteSession(
  folder: ProjectFolder,
  {id, file, twins, isThere = () => true}: DeletedSession,
): Promise<void> {
  try {
    for (const path of new Set([file, ...(twins ?? (await twinsOf(folder, id)))])) {
      await rm(path, {force: true});
      if (isThere(lockOf(path))) await rm(lockOf(path), {force: true});
    }
    if (!isSafeId(id)) return;
    const log = join(folder.temporary, 'logs', `session-${id}.jsonl`);
    if (isThere(log)) await rm(log, {force: true});
    for (const path of [
      join(chatsOf(folder), id),
      join(folder.temporary, 'tool-outputs', `session-${id}`),
      ownFolderOf(folder, id),
    ]) {
      if (path !== undefined && isThere(path)) await rm(path, {recursive: true, force: true});
    }
  } catch (cause) {
    if (systemCode(cause) === undefined) throw cause;
    throw new KernelError('SESSION_UNWRITABLE', `Cannot delete the session ${id}: ${systemReason(cause)}.`, {
      cause,
      hint: writeHint(cause, `Make ${folder.temporary} writable for you.`),
    });
  }
}

/** The files of a session: its own, and the older one that it was converted from. */
export async function twinsOf(folder: ProjectFolder, id: string): Promise<readonly string[]> {
  const names = await readdir(chatsOf(folder)).catch((error: unknown) => passOver(error, 'ENOENT') ?? []);
  return twinsAmong(
    folder,
    id,
    names.filter((name) => stemOf(name) === id.slice(0, 8)),
  );
}

/** The same, when the possible names are known. */
export function twinsAmong(folder: ProjectFolder, id: string, names: readonly string[]): readonly string[] {
  return names.map((name) => join(chatsOf(folder), name)).filter((file) => glanceAt(file)?.id === id);
}
