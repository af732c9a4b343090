import {shownPath} from './shown-path.js';

const MOST_NAMED = 5;

/**
 * A line below an answer that counts paths and names the first ones, such as those that could not be read; empty when
 * there are none.
 */
export function pathNote(paths: readonly string[], what: string): string {
  if (paths.length === 0) return '';
  const named = paths.slice(0, MOST_NAMED).map(shownPath).join(', ');
  return `\n(${paths.length} ${what}: ${named}${paths.length > MOST_NAMED ? ', …' : ''})`;
}
