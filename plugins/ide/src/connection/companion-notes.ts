import {notifications, type ContextUpdate, type OpenFile} from '../protocol.js';

/** The outcome of a diff, as reported by a companion. */
export type DiffNews =
  | {readonly path: string; readonly decision: 'accepted'; readonly text: string}
  | {readonly path: string; readonly decision: 'rejected'};

type Loose = Readonly<Record<string, unknown>>;

/** Reads a notification about a diff; undefined for any other, or one in an unknown form. */
export function readDiffNews(method: string, parameters: unknown): DiffNews | undefined {
  const {filePath, content} = asObject(parameters);
  if (typeof filePath !== 'string') return undefined;
  if (method === notifications.diffAccepted)
    return typeof content === 'string' ? {path: filePath, decision: 'accepted', text: content} : undefined;
  return method === notifications.diffRejected || method === notifications.diffClosed
    ? {path: filePath, decision: 'rejected'}
    : undefined;
}

/** Reads `ide/contextUpdate`. Entries in an unknown form are left out, so that one does not hide the others. */
export function readContextUpdate(parameters: unknown): ContextUpdate {
  const state = asObject(asObject(parameters)['workspaceState']);
  const {isTrusted, openFiles} = state;
  return {
    workspaceState: {
      ...(Array.isArray(openFiles) ? {openFiles: openFiles.map(readFile).filter((file) => file !== undefined)} : {}),
      ...(typeof isTrusted === 'boolean' ? {isTrusted} : {}),
    },
  };
}

function readFile(value: unknown): OpenFile | undefined {
  const {path, timestamp, isActive, selectedText, cursor} = asObject(value);
  if (typeof path !== 'string' || path === '' || typeof timestamp !== 'number' || !Number.isFinite(timestamp))
    return undefined;
  const {line, character} = asObject(cursor);
  return {
    path,
    timestamp,
    ...(isActive === true ? {isActive} : {}),
    ...(typeof selectedText === 'string' && selectedText !== '' ? {selectedText} : {}),
    ...(Number.isInteger(line) && Number.isInteger(character)
      ? {cursor: {line: line as number, character: character as number}}
      : {}),
  };
}

function asObject(value: unknown): Loose {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Loose) : {};
}
