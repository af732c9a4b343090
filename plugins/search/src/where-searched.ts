import type {Place} from './engine/engine.js';
import {shownPath} from './shown-path.js';

/** The words that say where was searched. */
export function whereSearched(places: readonly Place[]): string {
  const [first] = places;
  return places.length === 1 && first
    ? `within ${shownPath(first.path)}`
    : `across ${places.length} workspace directories`;
}
