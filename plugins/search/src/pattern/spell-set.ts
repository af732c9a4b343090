import {SURROGATES, type CharacterSet} from './character-set.js';
import {allBut, codePoints, without, type CodePoints} from './code-points.js';
import {propertyName} from './property-name.js';

/** Characters that mean themselves everywhere, in every language. */
const PLAIN = /[A-Za-z0-9_ ]/;

/** How a language writes a character by its number. */
export type NumberedCharacter = (hexadecimal: string) => string;

/** One character, outside a class or in it. */
export function spellCharacter(point: number, numbered: NumberedCharacter): string {
  const character = String.fromCodePoint(point);
  return PLAIN.test(character) ? character : numbered(point.toString(16));
}

/** What stands between the brackets of a class. */
export function spellRanges(points: CodePoints, numbered: NumberedCharacter): string {
  return points
    .map(
      ([first, last]) =>
        (first === last ? '' : `${spellCharacter(first, numbered)}${last === first + 1 ? '' : '-'}`) +
        spellCharacter(last, numbered),
    )
    .join('');
}

/**
 * A class, or the one character that is in it; the shorter way round. `knowsHalves`: halves of characters can be
 * written.
 */
export function spellPoints(points: CodePoints, numbered: NumberedCharacter, knowsHalves: boolean): string {
  const [only] = points;
  if (only !== undefined && points.length === 1 && only[0] === only[1]) return spellCharacter(only[0], numbered);
  // A language without halves has nothing between the planes' ends that could be missing.
  const others = knowsHalves ? allBut(points) : without(allBut(codePoints([...points, ...SURROGATES])), SURROGATES);
  return others.length <= points.length ? `[^${spellRanges(others, numbered)}]` : `[${spellRanges(points, numbered)}]`;
}

/** What stands between the brackets of a class with properties; undefined when the engine does not know one of them. */
export function spellMembers(
  {points, properties}: CharacterSet,
  numbered: NumberedCharacter,
  engine: 'rust' | 'pcre',
): string | undefined {
  const named = properties.map((property) => ({
    name: propertyName(property, engine),
    letter: property.isNegated ? 'P' : 'p',
  }));
  if (named.some(({name}) => name === undefined)) return undefined;
  return (
    spellRanges(without(points, SURROGATES), numbered) +
    named.map(({name = '', letter}) => `\\${letter}{${name}}`).join('')
  );
}
