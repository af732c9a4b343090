import {DIGITS} from './shape.js';
import {addText, addUnknown, type Draft, type Source} from './source.js';
import type {Expansion} from './syntax.js';

/** A home that stays one word whether quoted or not. */
const PLAIN_PATH = /^[\w/.@%+:,-]+$/;

/** Adds the value of a variable to a word; that of `HOME` is known. */
export function addVariable({home}: Source, draft: Draft, {name, isQuoted}: {name: string; isQuoted: boolean}): void {
  if (name === 'HOME' && home !== undefined && (isQuoted || PLAIN_PATH.test(home))) addText(draft, home, true);
  else
    addUnknown(draft, {
      splits: !isQuoted,
      isOpen: name === '_',
      names: [name],
      expansion: {kind: 'variable', name, isList: false, isQuoted},
    });
}

/** What an expansion becomes that is a number. */
export function numberOf(isQuoted: boolean): Expansion {
  return {kind: 'shapes', shapes: [DIGITS, `-${DIGITS}`], isQuoted};
}
