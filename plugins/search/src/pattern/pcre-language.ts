import {isSameGroup} from './back-reference.js';
import {isEmptySet, type CharacterSet} from './character-set.js';
import {isFixedWidth} from './node-width.js';
import type {Language, SettledPattern} from './spell-pattern.js';
import {spellMembers, spellPoints, spellRanges} from './spell-set.js';

/** PCRE2 as ripgrep uses it: one line at a time, without its `\n`. Look-behind as versions before 10.43 know it. */
export function pcreLanguage({letters, isFoldingReferences}: SettledPattern): Language {
  const word = `[${spellRanges(letters.word, numbered)}]`;
  return {
    set: (set) => (isFoldingReferences && set.properties.length > 0 ? undefined : spellSet(set)),
    edge: ({kind}) => (kind === 'start' ? '^' : '(?=\\r?$)'),
    wordEdge: ({negate}) =>
      negate
        ? `(?:(?<=${word})(?=${word})|(?<!${word})(?!${word}))`
        : `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))`,
    look: ({kind, negate, alternatives}, body) => {
      const isSaid = kind === 'lookahead' || alternatives.every(isFixedWidth);
      return isSaid ? `(?${kind === 'lookbehind' ? '<' : ''}${negate ? '!' : '='}${body})` : undefined;
    },
    reference: (reference, group, number) => {
      if (!isSameGroup(reference, group)) return undefined;
      const same = `\\g{${String(number)}}`;
      // A group that took no part is nothing, which matches everywhere.
      return `(?(${String(number)})${isFoldingReferences ? `(?i:${same})` : same})`;
    },
  };
}

function spellSet(set: CharacterSet): string | undefined {
  if (isEmptySet(set)) return '(?:(?!)a)';
  if (set.properties.length === 0) return spellPoints(set.points, numbered, false);
  const members = spellMembers(set, numbered, 'pcre');
  if (members === undefined) return undefined;
  return set.isNegated ? `[^\\x{0}\\x{a}\\x{d}${members}]` : `(?:(?![\\x{0}\\x{a}\\x{d}])[${members}])`;
}

function numbered(hexadecimal: string): string {
  return `\\x{${hexadecimal}}`;
}
