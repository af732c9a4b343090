import {stat} from 'node:fs/promises';
import {join} from 'node:path';
import {isFileFault, readRegular} from '@gemini-kernel/files';
import {writeAtomically} from '@gemini-kernel/files/writing';
import type {ProjectFolder} from '@gemini-kernel/plugin-workspace/contract';
import type {Retention} from './retention.js';
import {systemCode} from './system-code.js';

const HOUR = 3_600_000;
const MOST_BYTES = 1024;

/** The file that records when the sessions of a project were last tidied, and by which limits. */
function markOf({temporary}: ProjectFolder): string {
  return join(temporary, 'sessions-tidied');
}

/** Whether the sessions of a project were tidied by these limits within the last hour. */
export async function isTidy(folder: ProjectFolder, retention: Retention): Promise<boolean> {
  try {
    const path = markOf(folder);
    const [{mtimeMs}, text] = await Promise.all([stat(path), readRegular(path, {limit: MOST_BYTES})]);
    return Math.abs(Date.now() - mtimeMs) < HOUR && text.toString('utf8') === JSON.stringify(retention);
  } catch (error) {
    // Without the mark they are checked once more, which costs little.
    if (systemCode(error) === undefined && !isFileFault(error)) throw error;
    return false;
  }
}

/** Records that the sessions of a project are tidy. If that fails, the next run checks again. */
export async function markTidy(folder: ProjectFolder, retention: Retention): Promise<void> {
  try {
    await writeAtomically(markOf(folder), JSON.stringify(retention), {durable: false});
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
  }
}
