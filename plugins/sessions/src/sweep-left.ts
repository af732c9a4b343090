import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {isFileFault} from '@gemini-kernel/files';
import {sweepFolder, sweepLock} from '@gemini-kernel/files/writing';
import type {ProjectFolder} from '@gemini-kernel/plugin-workspace/contract';
import {chatsOf} from './session-store.js';
import {passOver} from './system-code.js';

/**
 * Removes what processes that were killed left in a project's folder: locks of sessions, and files that were being
 * written.
 */
export async function sweepLeft(folder: ProjectFolder, signal: AbortSignal): Promise<void> {
  const chats = chatsOf(folder);
  await sweepFolder(folder.temporary);
  await sweepFolder(chats);
  const names = (await readdir(chats).catch((error: unknown) => passOver(error, 'ENOENT'))) ?? [];
  for (const name of names.filter((one) => /^session-.*\.jsonl\.lock$/.test(one))) {
    signal.throwIfAborted();
    await sweepLock(join(chats, name)).catch((error: unknown) => {
      // Something that is not a lock is named when its session is opened.
      if (!isFileFault(error)) throw error;
    });
  }
}
