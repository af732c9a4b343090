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

/** Which session a conversation is: a new one, perhaps with a history, or one that goes on in its file. */
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
 * What the flags ask for. A session that goes on is locked; with `--wait` it waits for another process first. Throws
 * KernelError SESSION_FLAGS_CONFLICT, SESSION_UNKNOWN, SESSION_IN_USE, SESSION_EXISTS, SESSION_ID_INVALID,
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
      `${given.map(([, name]) => name).join(' and ')} cannot be given together.`,
      {hint: 'Give one of them.'},
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
 * Continues a session that a conversation asks for while it runs. Throws KernelError SESSION_UNKNOWN, SESSION_IN_USE or
 * SESSION_UNWRITABLE.
 */
export async function continueSession(
  id: string,
  {session, taken}: {readonly session: string; readonly taken: readonly string[]},
  resumed: Omit<Resumed, 'patienceMs'>,
): Promise<SessionChoice> {
  const found = findSession(listSessions(resumed.folder, '').sessions, session);
  if (taken.includes(found.id))
    throw new KernelError('SESSION_IN_USE', `The session ${found.id} is open in this program already.`, {
      hint: 'Continue there, or choose another one: /resume lists them.',
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
    const sentence = 'There is no session of this project to go on with, so this is a new one.';
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
      throw new KernelError('SESSION_UNWRITABLE', `The session ${found.id} cannot be continued: ${cause.message}.`, {
        cause,
        hint: `Remove ${cause.path}, or start from a copy: gemini --session-file ${JSON.stringify(found.file)}`,
      });
    }
    // Where no lock can be made, nothing can be recorded either, which is said then.
    if (found.file.endsWith('.jsonl')) return {id: found.id, file: found.file};
    throw new KernelError(
      'SESSION_UNWRITABLE',
      `The session ${found.id} is of an older form and cannot be written anew: ${systemReason(cause)}.`,
      {
        cause,
        hint: `Start from a copy: gemini --session-file ${JSON.stringify(found.file)}`,
      },
    );
  }
}

function checkNew(id: string, folder: ProjectFolder | undefined): string {
  if (!isSafeId(id)) {
    throw new KernelError('SESSION_ID_INVALID', `${JSON.stringify(id)} cannot be the id of a session.`, {
      hint: 'Use letters, digits, - and _; a few words such as "chats" are taken.',
    });
  }
  if (listSessions(folder, '').sessions.some((one) => one.id === id)) {
    throw new KernelError('SESSION_EXISTS', `There is a session ${id} already.`, {
      hint: `Go on with it: gemini --resume ${id}`,
    });
  }
  return id;
}

/** The error of a session that another process has. */
export function inUse(id: string, file: string, {pid, host, since}: LockOwner): KernelError {
  const copy = `gemini --session-file ${JSON.stringify(file)}`;
  return new KernelError(
    'SESSION_IN_USE',
    `The session ${id} is being recorded by process ${pid} on ${host} since ${since}.`,
    {
      hint: [
        `Wait for it: gemini --resume ${id} --wait.`,
        `Or end that process, or start from a copy: ${copy}.`,
        `If there is no such process, delete ${lockOf(file)}.`,
      ].join(' '),
    },
  );
}
