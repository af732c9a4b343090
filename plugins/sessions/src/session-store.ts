import {join} from 'node:path';
import {isFileFault, readRegular} from '@gemini-kernel/files';
import {KernelError} from '@gemini-kernel/kernel';
import type {Entry} from '@gemini-kernel/plugin-agent/contract';
import type {ProjectFolder} from '@gemini-kernel/plugin-workspace/contract';
import {completeHistory} from './complete-history.js';
import type {BrokenSession, Scratchpad, SessionSummary} from './contract.js';
import {lineToEntry} from './line-to-entry.js';
import {glanceAtAll, type Glance} from './list-sessions.js';
import {readSession} from './read-session.js';
import type {Loose} from './records.js';
import {readScratchpad} from './scratchpad/read-scratchpad.js';
import {MOST_BYTES} from './session-bytes.js';
import {isSafeId} from './session-name.js';
import {systemCode, systemReason} from './system-code.js';

/** Where a project's sessions are. */
export function chatsOf({temporary}: ProjectFolder): string {
  return join(temporary, 'chats');
}

/** The folder of a session's other files; Gemini CLI deletes it with the session, too. */
export function ownFolderOf({temporary}: ProjectFolder, id: string): string | undefined {
  return isSafeId(id) ? join(temporary, id) : undefined;
}

/** The sessions of a project, oldest first, each once: of two files for one session, the one that was written last. */
export function listSessions(
  folder: ProjectFolder | undefined,
  current: string,
): {readonly sessions: readonly SessionSummary[]; readonly broken: readonly BrokenSession[]} {
  const {found, broken} = folder ? glanceAtAll(chatsOf(folder)) : {found: [], broken: []};
  const newest = new Map<string, Glance>();
  for (const one of found) {
    const other = newest.get(one.id);
    if (one.isListed && (!other || Date.parse(other.updated) <= Date.parse(one.updated))) newest.set(one.id, one);
  }
  const sorted = [...newest.values()].sort(
    (a, b) => Date.parse(a.started) - Date.parse(b.started) || (a.id < b.id ? -1 : 1),
  );
  return {
    sessions: sorted.map(({isListed: _, ...one}, index) => ({
      ...one,
      number: index + 1,
      isCurrent: one.id === current,
    })),
    broken,
  };
}

/** The session that a person names: by its id, its number, or as `latest`. Throws KernelError SESSION_UNKNOWN. */
export function findSession(sessions: readonly SessionSummary[], given: string): SessionSummary {
  const name = given.trim();
  const found =
    sessions.find(({id}) => id === name) ??
    (name === 'latest' ? sessions.at(-1) : /^\d+$/.test(name) ? sessions[Number(name) - 1] : undefined);
  if (found) return found;
  if (sessions.length === 0)
    throw new KernelError('SESSION_UNKNOWN', 'No previous sessions found for this project.', {
      hint: 'Start one with `gemini`. Sessions belong to the directory that they were started in.',
    });
  throw new KernelError(
    'SESSION_UNKNOWN',
    `Invalid session identifier "${given}": this project has sessions 1 to ${sessions.length}.`,
    {
      hint: 'Run `gemini --list-sessions`, then use a number, a complete id, or latest.',
    },
  );
}

/** A session as it was read. */
export interface ReadConversation {
  readonly metadata: Loose;
  readonly entries: readonly Entry[];
  readonly scratchpad?: Scratchpad;
  readonly notice?: string;
}

/** Reads a session. Throws KernelError SESSION_BROKEN. */
export async function readConversation(file: string): Promise<ReadConversation> {
  const conversation = understand(await readBytes(file));
  if (conversation) return conversation;
  throw new KernelError('SESSION_BROKEN', `${file} is not a session: it has no session id.`, {
    hint: 'The file was not changed. Its lines are JSON, so you can recover readable parts by hand.',
  });
}

async function readBytes(file: string): Promise<Buffer> {
  try {
    return await readRegular(file, {limit: MOST_BYTES, deadlineMs: 60_000});
  } catch (cause) {
    if (systemCode(cause) === undefined) throw cause;
    throw new KernelError('SESSION_BROKEN', `Cannot read the session ${file}: ${systemReason(cause)}.`, {
      cause,
      hint: isFileFault(cause) ? 'It was not changed.' : 'Make it readable for you.',
    });
  }
}

/** The conversation in the bytes of a session file, ready for a model; undefined when it is not a session. */
export function understand(bytes: Buffer): ReadConversation | undefined {
  const content = readSession(bytes);
  if (!content) return undefined;
  const {entries, unanswered} = completeHistory(content.messages.flatMap((line) => lineToEntry(line) ?? []));
  const faults = [
    content.isCut || content.isUnfinished || unanswered > 0
      ? 'The program ended during the last turn; the rest of that turn is missing.'
      : '',
    unanswered > 0
      ? `The ${unanswered === 1 ? 'result of one call is' : `results of ${unanswered} calls are`} unknown.`
      : '',
    content.unreadable > 0
      ? `${content.unreadable === 1 ? 'One line' : `${content.unreadable} lines`} of the session file cannot be read.`
      : '',
  ].filter((fault) => fault !== '');
  const scratchpad = readScratchpad(content.metadata['memoryScratchpad']);
  return {
    metadata: content.metadata,
    entries,
    ...(scratchpad && {scratchpad}),
    ...(faults.length > 0 ? {notice: faults.join(' ')} : {}),
  };
}
