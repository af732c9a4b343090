import type {AST} from '@eslint-community/regexpp';
import {withAncestors} from './ancestors.js';
import {isEmptySet, type CharacterSet} from './character-set.js';
import {someElement} from './some-element.js';
import type {Language} from './spell-pattern.js';
import {spellMembers, spellPoints} from './spell-set.js';

/** What ripgrep gives its own engine: many lines at once, each with its end. */
export const rustLanguage: Language = {
  set: spellSet,
  // The end takes the carriage return along, so it must not matter what is there.
  edge: (assertion) => (assertion.kind === 'start' ? '^' : isFollowedByAssertion(assertion) ? undefined : '(?:\\r?$)'),
  // Its opposite would match between the bytes of a character.
  wordEdge: ({negate}) => (negate ? undefined : '(?-u:\\b)'),
  look: () => undefined,
  reference: () => undefined,
};

function spellSet(set: CharacterSet): string | undefined {
  if (isEmptySet(set)) return '[^\\x{0}-\\x{10ffff}]';
  if (set.properties.length === 0) return spellPoints(set.points, numbered, false);
  const members = spellMembers(set, numbered, 'rust');
  if (members === undefined) return undefined;
  return set.isNegated ? `[^\\x{0}\\x{a}\\x{d}${members}]` : `[[${members}]--[\\x{0}\\x{a}\\x{d}]]`;
}

function numbered(hexadecimal: string): string {
  return `\\x{${hexadecimal}}`;
}

/** Whether `^`, `\b` or `\B` may be asked about after it. */
function isFollowedByAssertion(end: AST.EdgeAssertion): boolean {
  const asks = (element: AST.Element): boolean => element.type === 'Assertion' && element.kind !== 'end';
  return withAncestors(end).some((node) => {
    const {parent} = node;
    if (parent?.type === 'Alternative')
      return someElement([{...parent, elements: parent.elements.filter(({start}) => start >= node.end)}], asks);
    return (
      parent?.type === 'Quantifier' &&
      parent.max > 1 &&
      'alternatives' in parent.element &&
      someElement(parent.element.alternatives, asks)
    );
  });
}
