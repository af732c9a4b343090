import {open, readFile, rename, rm} from 'node:fs/promises';
import {entryToLine} from './entry-to-line.js';
import {lineToEntry} from './line-to-entry.js';
import {readSession} from './read-session.js';
import {lineOf} from './records.js';

/** Writes a session of the older form (`.json`, one object) beside it as lines, whole or not at all; the older file stays. Gives the file to go on in. */
export async function upgradeSession(file: string): Promise<string> {
  if (file.endsWith('.jsonl')) return file;
  const content = readSession(await readFile(file));
  if (!content) return file;
  const entries = content.messages.map((line) => lineToEntry(line)).filter((entry) => entry !== undefined);
  const lines = [{...content.metadata, kernel: {settled: true}}, ...entries.map(entryToLine), {$set: {kernel: {settled: true}}}];
  const newer = `${file}l`;
  const temporary = `${newer}.tmp`;
  try {
    const handle = await open(temporary, 'w', 0o600);
    try {
      await handle.writeFile(lines.map(lineOf).join(''));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, newer);
  } finally {
    await rm(temporary, {force: true});
  }
  return newer;
}
