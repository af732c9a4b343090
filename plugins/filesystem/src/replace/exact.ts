import type {Edit, Search} from './edit.js';

/** Finds the exact search text. */
export function exact({text, old, replacement}: Search): readonly Edit[] {
  const edits: Edit[] = [];
  for (let at = text.indexOf(old); at !== -1; at = text.indexOf(old, at + old.length)) {
    edits.push({start: at, end: at + old.length, text: replacement});
  }
  return edits;
}
