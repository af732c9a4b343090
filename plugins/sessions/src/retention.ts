import {readdir, stat} from 'node:fs/promises';
import {join} from 'node:path';
import type {Settings} from '@gemini-kernel/plugin-settings/contract';
import type {ProjectFolder} from '@gemini-kernel/plugin-workspace/contract';
import {deleteSession, twinsOf} from './delete-session.js';
import {glanceAt} from './list-sessions.js';
import {ownerOf} from './session-lock.js';
import {startOf} from './session-name.js';
import {chatsOf} from './session-store.js';
import {passOver, systemCode} from './system-code.js';

const HOUR = 3_600_000;
const units: Readonly<Record<string, number>> = {h: HOUR, d: 24 * HOUR, w: 7 * 24 * HOUR, m: 30 * 24 * HOUR};

export interface Retention {
  /** Milliseconds. */
  readonly maxAge?: number;
  readonly maxCount?: number;
}

/** How long `30d`, `12h`, `2w` or `1m` is, in milliseconds; undefined for anything else. */
export function parseAge(value: unknown): number | undefined {
  const [, count = '', unit = ''] = /^(\d+)([hdwm])$/.exec(typeof value === 'string' ? value : '') ?? [];
  return count === '' || Number(count) === 0 ? undefined : Number(count) * (units[unit] ?? 0);
}

/** What the settings say: nothing when they ask for nothing, and a sentence when they make no sense. */
export async function readRetention(settings: Settings): Promise<Retention | undefined | string> {
  const [enabled, age = '30d', count, least = '1d'] = await Promise.all(['enabled', 'maxAge', 'maxCount', 'minRetention'].map((key) => settings.get(`general.sessionRetention.${key}`)));
  if (enabled === false) return undefined;
  const [maxAge, minimum] = [parseAge(age), parseAge(least)];
  if (maxAge === undefined) return `general.sessionRetention.maxAge is ${JSON.stringify(age)}, which is no time such as 30d or 12h.`;
  if (minimum === undefined) return `general.sessionRetention.minRetention is ${JSON.stringify(least)}, which is no time such as 1d.`;
  if (maxAge < minimum) return `general.sessionRetention.maxAge (${String(age)}) is less than minRetention (${String(least)}).`;
  if (count === undefined) return {maxAge};
  if (typeof count === 'number' && Number.isInteger(count) && count >= 1 && count <= 1000) return {maxAge, maxCount: count};
  return `general.sessionRetention.maxCount is ${JSON.stringify(count)}, which is no number from 1 to 1000.`;
}

/** Deletes sessions that are too old or too many: only files that have the name and the first line of one, that nobody records, and never `current`. */
export async function tidySessions(folder: ProjectFolder, {maxAge, maxCount}: Retention, {current, signal}: {readonly current: string; readonly signal: AbortSignal}): Promise<readonly string[]> {
  const chats = chatsOf(folder);
  const names = (await readdir(chats).catch((error: unknown) => passOver(error, 'ENOENT') ?? [])).filter((name) => startOf(name) !== undefined);
  const oldest = Date.now() - (maxAge ?? Infinity);
  // What began too lately to be old need not be looked at, unless there are too many.
  const suspects = names.length > (maxCount ?? Infinity) ? names : names.filter((name) => (startOf(name) ?? 0) < oldest);
  const aged = await Promise.all(suspects.map(async (name) => ({file: join(chats, name), changed: (await stat(join(chats, name)).catch(() => undefined))?.mtimeMs ?? Infinity})));
  const sorted = aged.sort((a, b) => b.changed - a.changed);
  const due = sorted.filter(({changed}, index) => changed < oldest || (names.length === suspects.length && index >= (maxCount ?? Infinity)));
  const files = new Set(due.map(({file}) => file));
  const deleted: string[] = [];
  for (const {file} of due) {
    signal.throwIfAborted();
    const id = idOf(file);
    if (id === undefined || id === current || (await ownerOf(file))) continue;
    // An older form of a session that has gone on since is a part of it.
    if ((await twinsOf(folder, id)).some((twin) => !files.has(twin))) continue;
    await deleteSession(folder, {id, file});
    deleted.push(id);
  }
  return deleted;
}

function idOf(file: string): string | undefined {
  try {
    return glanceAt(file)?.id;
  } catch (error) {
    // Gone meanwhile, or not to be read: either way not ours to delete.
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}
