import {join} from 'node:path';
import {KernelError} from '@gemini-kernel/kernel';
import type {Entry} from '@gemini-kernel/plugin-agent/contract';
import type {ProjectFolder} from '@gemini-kernel/plugin-workspace/contract';
import {Recorder} from './recorder.js';
import {chatsOf} from './session-store.js';

/** Writes a new session that begins with a history. Throws KernelError SESSION_UNWRITABLE. */
export async function createSession(
  folder: ProjectFolder,
  {id, entries, title}: {readonly id: string; readonly entries: readonly Entry[]; readonly title: string},
): Promise<string> {
  const chats = chatsOf(folder);
  const file = join(chats, `session-${Date.now()}-${id.slice(0, 8)}.jsonl`);
  const start = new Date().toISOString();
  const faults: string[] = [];
  const recorder = new Recorder({
    file,
    goesOn: false,
    tell: ({sentence}) => void faults.push(sentence),
    metadata: {
      sessionId: id,
      projectHash: folder.hash,
      startTime: start,
      lastUpdated: start,
      kind: 'main',
      summary: title,
    },
  });
  await recorder.change({kind: 'replace', entries, why: 'start'});
  await recorder.change({kind: 'settled'});
  await recorder.close();
  const [fault] = faults;
  if (fault === undefined) return id;
  throw new KernelError('SESSION_UNWRITABLE', `Cannot write the session ${file}.`, {hint: fault});
}
