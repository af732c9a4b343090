import {limits, TRUNCATED, type OpenFile} from '../protocol.js';

/**
 * Applies the limits of the specification: newest first, at most ten; only the newest can be active, and only it keeps
 * cursor and selection.
 */
export function normaliseFiles(files: readonly OpenFile[]): readonly OpenFile[] {
  const sorted = [...files].sort((a, b) => b.timestamp - a.timestamp).slice(0, limits.files);
  return sorted.map(({path, timestamp, isActive, selectedText, cursor}, index) =>
    index === 0 && isActive === true
      ? {
          path,
          timestamp,
          isActive,
          ...(cursor ? {cursor} : {}),
          ...(selectedText === undefined ? {} : {selectedText: cut(selectedText)}),
        }
      : {path, timestamp},
  );
}

function cut(text: string): string {
  if (text.length <= limits.selectionCharacters) return text;
  // Do not cut a surrogate pair in half.
  return text.slice(0, limits.selectionCharacters).replace(/[\ud800-\udbff]$/, '') + TRUNCATED;
}
