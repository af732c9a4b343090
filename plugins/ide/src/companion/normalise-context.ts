import {isAbsolute} from 'node:path';
import {normaliseFiles} from '../context/normalise-files.js';
import type {ContextUpdate, OpenFile} from '../protocol.js';

/** What an editor has reported so far. */
export interface EditorState {
  readonly openFiles: readonly OpenFile[];
  readonly isTrusted?: boolean;
}

/**
 * The report about an editor, within the limits. Entries without an absolute path or a time are left out, and so is a
 * cursor that counts from 0.
 */
export function normaliseContext({openFiles, isTrusted}: EditorState): ContextUpdate {
  const byPath = new Map<string, OpenFile>();
  for (const file of openFiles) {
    if (
      isAbsolute(file.path) &&
      Number.isFinite(file.timestamp) &&
      file.timestamp >= (byPath.get(file.path)?.timestamp ?? -Infinity)
    )
      byPath.set(file.path, withPlace(file));
  }
  return {
    workspaceState: {openFiles: normaliseFiles([...byPath.values()]), ...(isTrusted === undefined ? {} : {isTrusted})},
  };
}

function withPlace({cursor, ...file}: OpenFile): OpenFile {
  const isPlace =
    cursor !== undefined && [cursor.line, cursor.character].every((value) => Number.isInteger(value) && value >= 1);
  return {...file, ...(isPlace ? {cursor: {line: cursor.line, character: cursor.character}} : {})};
}
