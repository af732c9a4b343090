import {readRegular} from '@gemini-kernel/files';
import {writeAtomically} from '@gemini-kernel/files/writing';
import {entryToLine} from './entry-to-line.js';
import {lineToEntry} from './line-to-entry.js';
import {readSession} from './read-session.js';
import {lineOf} from './records.js';
import {MOST_BYTES} from './session-bytes.js';

/**
 * Writes a session of the older form (`.json`, one object) beside it as lines, whole or not at all; the older file
 * stays. Gives the file to go on in.
 */
export async function upgradeSession(file: string): Promise<string> {
  if (file.endsWith('.jsonl')) return file;
  const content = readSession(await readRegular(file, {limit: MOST_BYTES}));
  if (!content) return file;
  const entries = content.messages.map((line) => lineToEntry(line)).filter((entry) => entry !== undefined);
  const lines = [
    {...content.metadata, kernel: {settled: true}},
    ...entries.map(entryToLine),
    {$set: {kernel: {settled: true}}},
  ];
  const newer = `${file}l`;
  await writeAtomically(newer, lines.map(lineOf).join(''));
  return newer;
}
