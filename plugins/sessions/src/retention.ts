import {statSync} from 'node:fs';
import {readdir} from 'node:fs/promises';
import {basename, join} from 'node:path';
import type {Settings} from '@gemini-kernel/plugin-settings/contract';
import type {ProjectFolder} from '@gemini-kernel/plugin-workspace/contract';
import {deleteSession, twinsAmong} from './delete-session.js';
import {glanceAt} from './list-sessions.js';
import {ownerOf} from './session-lock.js';
import {startOf, stemOf} from './session-name.js';
import {chatsOf} from './session-store.js';
import {passOver, systemCode} from './system-code.js';

const HOUR = 3_600_000;
const units: Readonly<Record<string, number>> = {h: HOUR, d: 24 * HOUR, w: 7 * 24 * HOUR, m: 30 * 24 * HOUR};

export interface Retention {
  /** Milliseconds. */
  readonly maxAge?: number;
  readonly maxCount?: number;
}

/** Converts `30d`, `12h`, `2w` or `1m` to milliseconds; undefined for anything else. */
export function parseAge(value: unknown): number | undefined {
  const [, count = '', unit = ''] = /^(\d+)([hdwm])$/.exec(typeof value === 'string' ? value : '') ?? [];
  return count === '' || Number(count) === 0 ? undefined : Number(count) * (units[unit] ?? 0);
}

/** The limits from the settings: undefined when there are none, and a sentence when they are not valid. */
export async function readRetention(settings: Settings): Promise<Retention | undefined | string> {
  const [enabled, age = '30d', count, least = '1d'] = await Promise.all(
    ['enabled', 'maxAge', 'maxCount', 'minRetention'].map((key) => settings.get(`general.sessionRetention.${key}`)),
  );
  if (enabled === false) return undefined;
  const [maxAge, minimum] = [parseAge(age), parseAge(least)];
  if (maxAge === undefined)
    return `general.sessionRetention.maxAge must be a duration such as 30d or 12h, not ${JSON.stringify(age)}.`;
  if (minimum === undefined)
    return `general.sessionRetention.minRetention must be a duration such as 1d, not ${JSON.stringify(least)}.`;
  if (maxAge < minimum)
    return `general.sessionRetention.maxAge (${String(age)}) is less than minRetention (${String(least)}).`;
  if (count === undefined) return {maxAge};
  if (typeof count === 'number' && Number.isInteger(count) && count >= 1 && count <= 1000)
    return {maxAge, maxCount: count};
  return `general.sessionRetention.maxCount must be a number from 1 to 1000, not ${JSON.stringify(count)}.`;
}

/** At least this many are deleted on a slow machine too, so that every run makes progress. */
const LEAST = 20;
const AT_ONCE = 10;

/** The result of tidying. */
export interface Tidied {
  readonly deleted: readonly string[];
  /** False when it was stopped while more sessions were due. */
  readonly isDone: boolean;
}

interface Aged {
  readonly name: string;
  readonly changed: number;
}

/**
 * Deletes sessions that are too old or too many, oldest first: only files with the name and the first line of a
 * session, that no process records, and never `current`. Looks at each name once, however many there are.
 */
export async function tidySessions(
  folder: ProjectFolder,
  retention: Retention,
  {current, mostMs}: {readonly current: string; readonly mostMs: number},
): Promise<Tidied> {
  const deadline = performance.now() + mostMs;
  const chats = chatsOf(folder);
  const listed = await readdir(chats).catch((error: unknown) => passOver(error, 'ENOENT') ?? []);
  const names = listed.filter((name) => startOf(name) !== undefined);
  const due = findDue(chats, names, retention);
  const dueNames = new Set(due);
  const byStem = groupByStem(names);
  const there = await listPlaces(folder, listed);
  const isThere = (path: string): boolean => there.has(path);
  const deleted: string[] = [];
  const deleteDue = async (name: string): Promise<string | undefined> => {
    const file = join(chats, name);
    const id = idOf(file);
    if (id === undefined || id === current || (await ownerOf(file))) return undefined;
    const alike = byStem.get(id.slice(0, 8)) ?? [];
    // A unique id prefix identifies a session; files are opened only where prefixes are equal.
    const twins = alike.length < 2 ? [file] : twinsAmong(folder, id, alike);
    // A session in the older format that was continued is part of the newer one.
    if (twins.some((twin) => !dueNames.has(basename(twin)))) return undefined;
    await deleteSession(folder, {id, file, twins, isThere});
    return id;
  };
  for (let at = 0; at < due.length; at += AT_ONCE) {
    if (deleted.length >= LEAST && performance.now() > deadline) return {deleted, isDone: false};
    const ids = await Promise.all(due.slice(at, at + AT_ONCE).map(deleteDue));
    deleted.push(...ids.filter((id) => id !== undefined));
  }
  return {deleted: [...new Set(deleted)], isDone: true};
}

/** Where the files of sessions are. */
async function listPlaces(folder: ProjectFolder, chats: readonly string[]): Promise<ReadonlySet<string>> {
  const {temporary} = folder;
  const places = [temporary, join(temporary, 'logs'), join(temporary, 'tool-outputs')];
  const listed = await Promise.all(
    places.map(async (place) => {
      const names = await readdir(place).catch((error: unknown) => passOver(error, 'ENOENT', 'ENOTDIR') ?? []);
      return names.map((name) => join(place, name));
    }),
  );
  return new Set([...chats.map((name) => join(chatsOf(folder), name)), ...listed.flat()]);
}

/** Names of the files to delete, oldest first. */
function findDue(
  chats: string,
  names: readonly string[],
  {maxAge = Infinity, maxCount = Infinity}: Retention,
): readonly string[] {
  const oldest = Date.now() - maxAge;
  const isTooMany = names.length > maxCount;
  // A session that began too recently to be old need not be opened, unless there are too many.
  const suspects = isTooMany ? names : names.filter((name) => (startOf(name) ?? 0) < oldest);
  const aged = suspects
    .map((name): Aged => ({name, changed: changeOf(join(chats, name))}))
    .sort((a, b) => b.changed - a.changed);
  const due = aged.filter(({changed}, index) => changed < oldest || (isTooMany && index >= maxCount));
  return due.reverse().map(({name}) => name);
}

/** When a file was changed; undefined when it cannot be read. */
function changeOf(file: string): number {
  try {
    return statSync(file).mtimeMs;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return Infinity;
  }
}

function groupByStem(names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const name of names) {
    const stem = stemOf(name) ?? '';
    const group = groups.get(stem);
    if (group) group.push(name);
    else groups.set(stem, [name]);
  }
  return groups;
}

function idOf(file: string): string | undefined {
  try {
    return glanceAt(file)?.id;
  } catch (error) {
    // Missing or unreadable: either way not ours to delete.
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}
