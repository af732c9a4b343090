import type {CharacterSet, Property} from './character-set.js';
import {NEVER} from './character-set.js';
import {codePoints} from './code-points.js';
import type {Language} from './spell-pattern.js';
import {spellPoints, spellRanges} from './spell-set.js';

/** JavaScript with the `u` flag. A text has one line and no line end. */
export const scriptLanguage: Language = {
  set: spellSet,
  edge: ({kind}) => (kind === 'start' ? '^' : '$'),
  wordEdge: ({negate}) => (negate ? '\\B' : '\\b'),
  look: ({kind, negate}, body) => `(?${kind === 'lookbehind' ? '<' : ''}${negate ? '!' : '='}${body})`,
  reference: (_, __, number) => `(?:\\${String(number)})`,
};

function spellSet({points, properties, isNegated}: CharacterSet): string {
  if (properties.length === 0) return spellPoints(points, numbered, true);
  const named = properties.map(spellProperty).join('');
  if (isNegated) return `[^${spellRanges(codePoints([...points, ...NEVER]), numbered)}${named}]`;
  return `(?:(?![${spellRanges(NEVER, numbered)}])[${spellRanges(points, numbered)}${named}])`;
}

function spellProperty({key, value, isNegated}: Property): string {
  return `\\${isNegated ? 'P' : 'p'}{${value === null ? key : `${key}=${value}`}}`;
}

function numbered(hexadecimal: string): string {
  return `\\u{${hexadecimal}}`;
}
