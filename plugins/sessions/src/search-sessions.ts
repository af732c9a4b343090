import type {SessionMatch, SessionSummary} from './contract.js';
import {readConversation} from './session-store.js';
import {isPrompt, shorten, textOfEntry} from './session-texts.js';

/** Where the prompts and answers of sessions contain a text. Rejects with the signal's reason. */
export async function searchSessions(
  sessions: readonly SessionSummary[],
  text: string,
  signal: AbortSignal,
): Promise<readonly SessionMatch[]> {
  const needle = text.toLowerCase();
  const matches: SessionMatch[] = [];
  for (const session of sessions) {
    signal.throwIfAborted();
    const {entries} = await readConversation(session.file);
    for (const entry of entries) {
      const line =
        (isPrompt(entry) || entry.kind === 'model') &&
        textOfEntry(entry)
          .split('\n')
          .find((one) => one.toLowerCase().includes(needle));
      if (line) matches.push({session, entry: entry.id, role: entry.message.role, line: around(line, needle)});
    }
  }
  return matches;
}

function around(line: string, needle: string): string {
  const at = line.toLowerCase().indexOf(needle);
  return shorten(at > 40 ? `...${line.slice(at - 30)}` : line);
}
