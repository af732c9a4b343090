import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {isFileFault} from '@gemini-kernel/files';
import {sweepFolder, sweepLock} from '@gemini-kernel/files/writing';
import type {ProjectFolder} from '@gemini-kernel/plugin-workspace/contract';
import {chatsOf} from './session-store.js';
import {passOver} from './system-code.js';

/** Removes what killed processes left in a project's folder: locks of sessions, and unfinished files. */
export async function sweepLeft(folder: ProjectFolder, signal: AbortSignal): Promise<void> {
  const chats = chatsOf(folder);
  await sweepFolder(folder.temporary);
  await sweepFolder(chats);
  const names = (await readdir(chats).catch((error: unknown) => passOver(error, 'ENOENT'))) ?? [];
  for (const name of names.filter((one) => /^session-.*\.jsonl\.lock$/.test(one))) {
    signal.throwIfAborted();
    await sweepLock(join(chats, name)).catch((error: unknown) => {
      // Something else at the path of a lock is reported when its session is opened.
      if (!isFileFault(error)) throw error;
    });
  }
}
