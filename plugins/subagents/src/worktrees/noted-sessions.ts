import {appendFile} from 'node:fs/promises';
import {join} from 'node:path';
import {readText} from '@gemini-kernel/files';

/** Ids of sessions that were in a worktree, a line each, in the folder in which the repository keeps it. */
const FILE = 'gemini-sessions';

export async function noteSession(own: string, session: string): Promise<void> {
  if (!(await hasSession(own, session))) await appendFile(join(own, FILE), `${session}\n`);
}

export async function hasSession(own: string, session: string): Promise<boolean> {
  const text = await readText(join(own, FILE), {limit: 1 << 20}).catch(() => '');
  return text.split('\n').includes(session);
}
