import {isAbsolute} from 'node:path';
import {isKernelError, KernelError} from '@gemini-kernel/kernel';
import type {SessionSummary} from '@gemini-kernel/plugin-sessions/contract';
import type {ListSessionsResponse} from '#sdk';
import type {HeldSessions} from './held-sessions.js';
import type {Setup} from './setup.js';

const PAGE = 100;

interface Recorded extends SessionSummary {
  readonly cwd: string;
}

/**
 * The recorded sessions of a folder, the newest first; without one, those of the folder that the program was started in
 * and of every folder with an open session. Throws KernelError ACP_REQUEST_INVALID.
 */
export async function listSessions(
  setup: Setup,
  sessions: HeldSessions,
  {cwd, cursor}: {readonly cwd?: string | null; readonly cursor?: string | null},
): Promise<ListSessionsResponse> {
  if (typeof cwd === 'string' && !isAbsolute(cwd))
    throw new KernelError('ACP_REQUEST_INVALID', `cwd must be an absolute path, not ${JSON.stringify(cwd)}.`);
  const start = readCursor(cursor);
  const all = await findRecorded(setup, sessions, typeof cwd === 'string' ? [cwd] : foldersOf(setup, sessions));
  const sorted = all.sort((a, b) => (a.updated < b.updated ? 1 : a.updated > b.updated ? -1 : 0));
  const shown = sorted.slice(start, start + PAGE);
  return {
    sessions: shown.map(({id, cwd: folder, title, updated}) => ({
      ...{sessionId: id, cwd: folder, title, updatedAt: updated},
    })),
    ...(sorted.length > start + PAGE ? {nextCursor: String(start + PAGE)} : {}),
  };
}

/** Closes the session if it is open, and deletes what is recorded of it, if anything is. */
export async function deleteSession(setup: Setup, sessions: HeldSessions, id: string): Promise<void> {
  const folders = foldersOf(setup, sessions);
  await sessions.close(id);
  const found = (await findRecorded(setup, sessions, folders)).find((one) => one.id === id);
  if (found) await sessions.during(found.cwd, async (session) => (await session.service('sessions')).delete(id));
}

function foldersOf({kernel}: Setup, sessions: HeldSessions): readonly string[] {
  return [...new Set([kernel.environment.cwd, ...sessions.folders])];
}

async function findRecorded({kernel}: Setup, sessions: HeldSessions, folders: readonly string[]): Promise<Recorded[]> {
  if (!kernel.catalog.services.has('sessions')) return [];
  const lists = await Promise.all(
    folders.map((cwd) =>
      sessions
        .during(cwd, async (session) => (await (await session.service('sessions')).list()).sessions)
        // A folder that is gone has no sessions to continue.
        .catch((error: unknown) => {
          if (isKernelError(error) && error.code === 'ACP_REQUEST_INVALID') return [];
          throw error;
        })
        .then((list) => list.map((one): Recorded => ({...one, cwd}))),
    ),
  );
  return lists.flat();
}

function readCursor(cursor: string | null | undefined): number {
  if (cursor === undefined || cursor === null) return 0;
  if (/^\d{1,7}$/.test(cursor)) return Number(cursor);
  throw new KernelError('ACP_REQUEST_INVALID', `There is no page ${JSON.stringify(cursor)}.`, {
    hint: 'Send nextCursor of the page before it.',
  });
}
