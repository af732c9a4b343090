import {rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {pid} from 'node:process';
import {makePrivateFolder, readText} from '@gemini-kernel/files';
import {isHeld, isProcess, ownerOfLock, takeLock} from '@gemini-kernel/files/writing';

const OURS = '.learning.lock';
/** Gemini CLI looks at this one only, for its process and its age. */
const THEIRS = '.extraction.lock';
const MOST_BYTES = 4096;
const OLD_MS = 35 * 60_000;

/** Does something while no other process extracts, in either program; undefined: another one does. */
export async function withLock<T>(memory: string, act: () => Promise<T>): Promise<T | undefined> {
  await makePrivateFolder(memory);
  const lock = await takeLock(join(memory, OURS));
  if (!isHeld(lock)) return undefined;
  const theirs = join(memory, THEIRS);
  try {
    if (await isTaken(theirs)) return undefined;
    await rm(theirs, {force: true});
    const text = JSON.stringify({pid, startedAt: new Date().toISOString()});
    await writeFile(theirs, text, {flag: 'wx', mode: 0o600});
    try {
      return await act();
    } finally {
      await rm(theirs, {force: true});
    }
  } finally {
    await lock.release();
  }
}

/** The process that extracts now, if it is one of this program. */
export async function findExtractor(memory: string): Promise<number | undefined> {
  return (await ownerOfLock(join(memory, OURS)))?.pid;
}

/** Whether Gemini CLI extracts. What it left behind counts for nothing. */
async function isTaken(file: string): Promise<boolean> {
  const text = await readText(file, {limit: MOST_BYTES}).catch(() => '');
  const [, number] = /"pid"\s*:\s*(\d+)/.exec(text) ?? [];
  const [, since = ''] = /"startedAt"\s*:\s*"([^"]+)"/.exec(text) ?? [];
  return Date.now() - Date.parse(since) < OLD_MS && isProcess(Number(number));
}
