import type {AST} from '@eslint-community/regexpp';
import type {CharacterSet} from './character-set.js';
import type {SettledPattern} from './spell-pattern.js';

/** What an engine makes of parts of a pattern, in steps of its own. */
export interface StepCosts {
  set(set: CharacterSet): number;
  /** How many copies a repeated set takes; everything else is copied for each turn. */
  copiesOfSet(turns: number): number;
}

/** ripgrep's own engine copies all that is repeated; beyond ASCII it goes by the bytes of UTF-8. */
export const RUST_COSTS: StepCosts = {
  set: ({points, properties}) =>
    properties.length > 0 ? 600 : (points.at(-1)?.[1] ?? 0) < 0x80 ? 1 : 4 + 4 * points.length,
  copiesOfSet: (turns) => turns,
};

/** PCRE2 counts the turns of a set, and copies groups. */
export const PCRE_COSTS: StepCosts = {
  set: ({points, properties}) => 40 + 8 * (points.length + properties.length),
  copiesOfSet: () => 2,
};

/** How large a pattern gets when an engine writes out what is repeated. */
export function unrolledSize({tree, set}: SettledPattern, costs: StepCosts): number {
  const sizeOf = (element: AST.Element): number => {
    if (element.type === 'Assertion' && !('alternatives' in element)) return element.kind === 'word' ? 200 : 10;
    if (element.type === 'Backreference') return 20;
    if (element.type === 'Quantifier') {
      const turns = Math.max(1, element.max === Infinity ? element.min + 1 : element.max);
      const isPlain =
        element.element.type === 'Character' ||
        element.element.type === 'CharacterClass' ||
        element.element.type === 'CharacterSet';
      return sizeOf(element.element) * (isPlain ? costs.copiesOfSet(turns) : turns);
    }
    return 'alternatives' in element ? 10 + sizeOfAll(element.alternatives) : costs.set(set(element));
  };
  const sizeOfAll = (alternatives: readonly AST.Alternative[]): number =>
    alternatives.reduce((sum, {elements}) => elements.reduce((all, element) => all + sizeOf(element), sum + 4), 0);
  return sizeOfAll(tree.alternatives);
}

/** The largest number of turns that is written anywhere. */
export function mostTurns(alternatives: readonly AST.Alternative[]): number {
  const turnsOf = (element: AST.Element): number => {
    if (element.type === 'Quantifier')
      return Math.max(element.max === Infinity ? element.min : element.max, turnsOf(element.element));
    return 'alternatives' in element ? mostTurns(element.alternatives) : 0;
  };
  return alternatives.reduce(
    (most, {elements}) => elements.reduce((sofar, element) => Math.max(sofar, turnsOf(element)), most),
    0,
  );
}

/** How deep groups are nested. */
export function groupDepth(alternatives: readonly AST.Alternative[]): number {
  const depthOf = (element: AST.Element): number => {
    if (element.type === 'Quantifier') return depthOf(element.element);
    return 'alternatives' in element ? 1 + groupDepth(element.alternatives) : 0;
  };
  return alternatives.reduce(
    (most, {elements}) => elements.reduce((sofar, element) => Math.max(sofar, depthOf(element)), most),
    0,
  );
}
