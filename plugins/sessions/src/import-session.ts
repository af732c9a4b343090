import {readRegular} from '@gemini-kernel/files';
import {KernelError} from '@gemini-kernel/kernel';
import type {Entry} from '@gemini-kernel/plugin-agent/contract';
import {completeHistory} from './complete-history.js';
import {lineToEntry} from './line-to-entry.js';
import {objectOf, type Loose} from './records.js';
import {MOST_BYTES} from './session-bytes.js';
import {understand} from './session-store.js';
import {systemCode, systemReason} from './system-code.js';

/**
 * The conversation in a file that a person names: a session of any release, a saved conversation, or a list of
 * messages. Throws KernelError SESSION_FILE_UNREADABLE.
 */
export async function importSession(file: string, newId: () => string): Promise<readonly Entry[]> {
  let bytes: Buffer;
  try {
    bytes = await readRegular(file, {limit: MOST_BYTES, deadlineMs: 60_000});
  } catch (cause) {
    if (systemCode(cause) === undefined) throw cause;
    throw unreadable(file, systemReason(cause), cause);
  }
  const entries = understand(bytes)?.entries ?? readMessages(bytes, newId);
  if (!entries || entries.length === 0) throw unreadable(file, 'it contains no conversation');
  const time = new Date().toISOString();
  return [
    {
      id: newId(),
      time,
      kind: 'note',
      severity: 'info',
      message: {role: 'user', pieces: [{kind: 'text', text: `This conversation was imported from ${file}.`}]},
    },
    ...entries,
  ];
}

/** The entries in messages of the API, bare or in the `history` of a saved conversation. */
export function readMessages(bytes: Buffer, newId: () => string): readonly Entry[] | undefined {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
  const list: unknown = Array.isArray(value) ? value : objectOf(value)?.['history'];
  if (!Array.isArray(list)) return undefined;
  const timestamp = new Date().toISOString();
  const lines = list.map(objectOf).filter((one): one is Loose => one !== undefined && Array.isArray(one['parts']));
  const entries = lines.flatMap(
    ({role, parts}) =>
      lineToEntry({id: newId(), timestamp, type: role === 'model' ? 'gemini' : 'user', content: parts, kernel: {}}) ??
      [],
  );
  return completeHistory(entries).entries;
}

function unreadable(file: string, reason: string, cause?: unknown): KernelError {
  return new KernelError('SESSION_FILE_UNREADABLE', `Cannot start from ${file}: ${reason}.`, {
    cause,
    hint: 'Create such a file with `gemini sessions export <session> --format json`.',
  });
}
