import {readRegular} from '@gemini-kernel/files';
import {writeAtomically} from '@gemini-kernel/files/writing';
import {entryToLine} from './entry-to-line.js';
import {lineToEntry} from './line-to-entry.js';
import {readSession} from './read-session.js';
import {lineOf} from './records.js';
import {MOST_BYTES} from './session-bytes.js';

/**
 * Converts a session of the older format (`.json`, one object) to lines in a file beside it, completely or not at all;
 * the older file stays. Returns the file to continue.
 */
export async function upgradeSession(file: string): Promise<string> {
  if (file.endsWith('.jsonl')) return file;
  const content = readSession(await readRegular(file, {limit: MOST_BYTES}));
  if (!content) return file;
  const entries = content.messages.map((line) => lineToEntry(line)).filter((entry) => entry !== undefined);
  // A scratchpad is about what stands before it.
  const {memoryScratchpad, ...metadata} = content.metadata;
  const lines = [
    {...metadata, kernel: {settled: true}},
    ...entries.map(entryToLine),
    {$set: {...(memoryScratchpad ? {memoryScratchpad} : {}), kernel: {settled: true}}},
  ];
  const newer = `${file}l`;
  await writeAtomically(newer, lines.map(lineOf).join(''));
  return newer;
}
