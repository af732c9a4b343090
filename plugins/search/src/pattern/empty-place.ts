import type {AST} from '@eslint-community/regexpp';
import {alternativeWidth} from './node-width.js';
import {someElement} from './some-element.js';

/**
 * Whether a pattern may match nothing at a place because of what is not there, or is behind it. Engines disagree about
 * which places there are behind a `\r` and among bytes that are no UTF-8; what has to follow, or takes a character,
 * settles it.
 */
export function matchesEmptyPlaces({alternatives}: AST.Pattern): boolean {
  return alternatives.some((alternative) => {
    const [first] = alternative.elements;
    const isAtStart = first?.type === 'Assertion' && first.kind === 'start';
    return !isAtStart && alternativeWidth(alternative).min === 0 && someElement([alternative], isUnsettled);
  });
}

function isUnsettled(element: AST.Element): boolean {
  return element.type === 'Assertion' && (element.kind === 'lookbehind' || ('negate' in element && element.negate));
}
