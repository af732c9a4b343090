import {isAbsolute} from 'node:path';
import {setTimeout} from 'node:timers/promises';
import {limits, notifications, TRUNCATED} from '../../protocol.js';
import {meetCompanion} from './mcp-stranger.js';
import type {Told} from './listen-to.js';
import type {Check} from './subject.js';
import {demand, Unfit} from './unfit.js';

/** How long to listen for updates after the first, in milliseconds. */
const HEARD_MS = 300;
const WATCHED_MS = 1_000;
/** One every 50 ms, and one more. */
const MOST = WATCHED_MS / limits.debounceMs + 1;

const isUpdate = ({method}: Told): boolean => method === notifications.contextUpdate;

/** The checks of what a companion reports about the editor. */
export const contextChecks: readonly Check[] = [
  {
    name: 'context-first',
    says: 'As soon as the stream of a session is open, ide/contextUpdate reports what is open.',
    needs: 'session',
    async run(subject) {
      await using stranger = await meetCompanion(subject);
      await stranger.ear.waitFor(isUpdate);
    },
  },
  {
    name: 'context-form',
    says:
      `Every report is well-formed: at most ${limits.files} files with absolute paths, only the newest active, a ` +
      `selection of at most ${limits.selectionCharacters} characters, a cursor that counts from 1.`,
    needs: 'session',
    extraMs: HEARD_MS,
    async run(subject) {
      await using stranger = await meetCompanion(subject);
      await stranger.ear.waitFor(isUpdate);
      await setTimeout(HEARD_MS, undefined, {signal: subject.signal});
      const fault = stranger.ear.fault();
      demand(fault === undefined, String(fault));
      for (const {params} of stranger.ear.told.filter(isUpdate)) demandUpdate(params);
    },
  },
  {
    name: 'context-pace',
    says: `Updates are limited to one every ${limits.debounceMs} ms.`,
    needs: 'session',
    extraMs: WATCHED_MS,
    async run(subject) {
      await using stranger = await meetCompanion(subject);
      const before = stranger.ear.told.length;
      await setTimeout(WATCHED_MS, undefined, {signal: subject.signal});
      const {length} = stranger.ear.told.slice(before).filter(isUpdate);
      demand(length <= MOST, `${length} updates came in a second.`);
    },
  },
];

function demandUpdate(params: unknown): void {
  const state = objectOf(objectOf(params, 'The parameters are').workspaceState ?? {}, 'workspaceState is');
  demand(['undefined', 'boolean'].includes(typeof state.isTrusted), `isTrusted is ${JSON.stringify(state.isTrusted)}.`);
  const files = state.openFiles ?? [];
  demand(Array.isArray(files), `openFiles is ${JSON.stringify(files)}.`);
  demand(files.length <= limits.files, `${files.length} files are reported.`);
  const all = files.map((file: unknown) => demandFile(objectOf(file, 'A file is')));
  const active = all.filter(({isActive}) => isActive);
  demand(active.length <= 1, `${active.length} files are active.`);
  demand(
    active.every(({timestamp}) => all.every((other) => other.timestamp <= timestamp)),
    'The active file is not the newest.',
  );
}

function demandFile({path, timestamp, isActive = false, selectedText = '', cursor}: Record<string, unknown>): {
  readonly timestamp: number;
  readonly isActive: boolean;
} {
  demand(typeof path === 'string' && isAbsolute(path), `The path ${JSON.stringify(path)} is not absolute.`);
  const said = `of ${JSON.stringify(path)} is`;
  demand(
    typeof timestamp === 'number' && Number.isFinite(timestamp),
    `timestamp ${said} ${JSON.stringify(timestamp)}.`,
  );
  demand(typeof isActive === 'boolean', `isActive ${said} ${JSON.stringify(isActive)}.`);
  demand(typeof selectedText === 'string', `selectedText ${said} not a string.`);
  demand(
    selectedText.length <= limits.selectionCharacters + TRUNCATED.length,
    `selectedText ${said} ${selectedText.length} characters long.`,
  );
  if (cursor === undefined) return {timestamp, isActive};
  const {line, character} = objectOf(cursor, `cursor ${said}`);
  demand(
    [line, character].every((value) => Number.isInteger(value) && Number(value) >= 1),
    `cursor ${said} ${JSON.stringify(cursor)}.`,
  );
  return {timestamp, isActive};
}

function objectOf(value: unknown, said: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Unfit(`${said} ${JSON.stringify(value)}, not an object.`);
  return value as Record<string, unknown>;
}
