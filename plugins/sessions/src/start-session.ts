import {resolve} from 'node:path';
import {isFileFault} from '@gemini-kernel/files';
import {KernelError, type ServiceContext, type Tell} from '@gemini-kernel/kernel';
import type {Entry} from '@gemini-kernel/plugin-agent/contract';
import type {ProjectFolder} from '@gemini-kernel/plugin-workspace/contract';
import {importSession} from './import-session.js';
import {type LockOwner, lockOf} from './session-lock.js';
import {isSafeId} from './session-name.js';
import {findSession, listSessions} from './session-store.js';
import {systemCode, systemReason} from './system-code.js';
import {upgradeSession} from './upgrade-session.js';
import {patienceOf, waitForSession} from './wait-for-session.js';

/** Which session a conversation is: a new one, possibly with a history, or a resumed one with its file. */
export interface SessionChoice {
  readonly id: string;
  readonly file?: string;
  readonly imported?: readonly Entry[];
}

const flagNames = {
  'session.resume': '--resume',
  'session.id': '--session-id',
  'session.file': '--session-file',
} as const;

/**
 * The session that the flags ask for. A resumed session is locked; with `--wait`, waits for another process first.
 * Throws KernelError SESSION_FLAGS_CONFLICT, SESSION_UNKNOWN, SESSION_IN_USE, SESSION_EXISTS, SESSION_ID_INVALID,
 * SESSION_WAIT_INVALID or SESSION_FILE_UNREADABLE.
 */
export async function chooseSession(
  id: string,
  {environment, tell}: Pick<ServiceContext, 'environment' | 'tell'>,
  findFolder: () => Promise<ProjectFolder | undefined>,
): Promise<SessionChoice> {
  const {flags, cwd, newId} = environment;
  const given = Object.entries(flagNames).filter(([key]) => flags[key] !== undefined);
  if (given.length > 1) {
    throw new KernelError(
      'SESSION_FLAGS_CONFLICT',
      `${given.map(([, name]) => name).join(' and ')} cannot be used together.`,
      {hint: 'Use one of them.'},
    );
  }
  const [[key = ''] = []] = given;
  const value = String(flags[key] ?? '');
  if (key === 'session.resume') {
    const patienceMs = patienceOf(flags['session.wait']);
    return resumeSession(id, value.trim() || 'latest', {folder: await findFolder(), tell, patienceMs});
  }
  if (key === 'session.id') return {id: checkNew(value, await findFolder())};
  if (key === 'session.file') return {id, imported: await importSession(resolve(cwd, value), newId)};
  return {id};
}

/**
 * Resumes a session in a running conversation. Throws KernelError SESSION_UNKNOWN, SESSION_IN_USE or
 * SESSION_UNWRITABLE.
 */
export async function continueSession(
  id: string,
  {session, taken}: {readonly session: string; readonly taken: readonly string[]},
  resumed: Omit<Resumed, 'patienceMs'>,
): Promise<SessionChoice> {
  const found = findSession(listSessions(resumed.folder, '').sessions, session);
  if (taken.includes(found.id))
    throw new KernelError('SESSION_IN_USE', `The session ${found.id} is already open in this program.`, {
      hint: 'Continue it there, or choose another one from /resume.',
    });
  return resumeSession(id, found.id, {...resumed, patienceMs: 0});
}

interface Resumed {
  readonly folder: ProjectFolder | undefined;
  readonly patienceMs: number;
  readonly tell: Tell;
}

async function resumeSession(id: string, name: string, {folder, tell, patienceMs}: Resumed): Promise<SessionChoice> {
  const {sessions} = listSessions(folder, '');
  if (sessions.length === 0 && name === 'latest') {
    const sentence = 'This project has no session to continue, so this is a new one.';
    tell({code: 'SESSION_NOT_RESUMED', sentence});
    return {id};
  }
  const found = findSession(sessions, name);
  try {
    const file = await upgradeSession(found.file);
    const owner = await waitForSession(file, {patienceMs, tell});
    if (owner) throw inUse(found.id, file, owner);
    return {id: found.id, file};
  } catch (cause) {
    if (systemCode(cause) === undefined) throw cause;
    if (isFileFault(cause)) {
      throw new KernelError('SESSION_UNWRITABLE', `Cannot continue the session ${found.id}: ${cause.message}.`, {
        cause,
        hint: `Remove ${cause.path}, or start from a copy: gemini --session-file ${JSON.stringify(found.file)}`,
      });
    }
    // Where no lock can be created, nothing can be recorded either; that is reported later.
    if (found.file.endsWith('.jsonl')) return {id: found.id, file: found.file};
    throw new KernelError(
      'SESSION_UNWRITABLE',
      `The session ${found.id} is in an older format and cannot be converted: ${systemReason(cause)}.`,
      {
        cause,
        hint: `Start from a copy: gemini --session-file ${JSON.stringify(found.file)}`,
      },
    );
  }
}

function checkNew(id: string, folder: ProjectFolder | undefined): string {
  if (!isSafeId(id)) {
    throw new KernelError('SESSION_ID_INVALID', `${JSON.stringify(id)} is not a valid session id.`, {
      hint: 'Use letters, digits, - and _; a few words such as "chats" are reserved.',
    });
  }
  if (listSessions(folder, '').sessions.some((one) => one.id === id)) {
    throw new KernelError('SESSION_EXISTS', `A session with the id ${id} already exists.`, {
      hint: `To continue it, run: gemini --resume ${id}`,
    });
  }
  return id;
}

/** The error for a session that another process has. */
export function inUse(id: string, file: string, {pid, host, since}: LockOwner): KernelError {
  const copy = `gemini --session-file ${JSON.stringify(file)}`;
  return new KernelError(
    'SESSION_IN_USE',
    `Process ${pid} on ${host} has been recording the session ${id} since ${since}.`,
    {
      hint: [
        `Wait for it: gemini --resume ${id} --wait.`,
        `Or end that process, or start from a copy: ${copy}.`,
        `If that process does not exist, delete ${lockOf(file)}.`,
      ].join(' '),
    },
  );
}
