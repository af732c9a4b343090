import type {AST} from '@eslint-community/regexpp';
import type {CharacterSet, Letters, SetNode} from './character-set.js';

/** A pattern whose meaning is settled. */
export interface SettledPattern {
  readonly tree: AST.Pattern;
  readonly letters: Letters;
  /** Back-references find a letter in its other cases, too. */
  readonly isFoldingReferences: boolean;
  readonly groups: ReadonlyMap<AST.CapturingGroup, number>;
  set(node: SetNode): CharacterSet;
}

/** How an engine's language writes the parts of a pattern; undefined where it cannot say the same. */
export interface Language {
  set(set: CharacterSet): string | undefined;
  edge(assertion: AST.EdgeAssertion): string | undefined;
  wordEdge(assertion: AST.WordBoundaryAssertion): string | undefined;
  look(assertion: AST.LookaroundAssertion, body: string): string | undefined;
  reference(reference: AST.Backreference, group: AST.CapturingGroup, number: number): string | undefined;
}

/** No line is longer. */
const MOST_TURNS = 2 ** 31 - 1;

/** The pattern in that language; undefined when any part of it cannot be said. */
export function spellPattern({tree, groups, set}: SettledPattern, language: Language): string | undefined {
  const spellAlternatives = (alternatives: readonly AST.Alternative[]): string | undefined => {
    const spelled = alternatives.map(({elements}) => joined(elements.map(spellElement), ''));
    return joined(spelled, '|');
  };
  const spellElement = (element: AST.Element): string | undefined => {
    switch (element.type) {
      case 'Assertion':
        return spellAssertion(element);
      case 'Quantifier': {
        const atom = spellElement(element.element);
        // Only without the `u` flag an assertion can be repeated, and elsewhere it cannot.
        return atom === undefined
          ? undefined
          : `${element.element.type === 'Assertion' ? `(?:${atom})` : atom}${turns(element)}`;
      }
      case 'Group':
      case 'CapturingGroup': {
        const body = spellAlternatives(element.alternatives);
        return body === undefined
          ? undefined
          : `(${element.type === 'CapturingGroup' && groups.has(element) ? '' : '?:'}${body})`;
      }
      case 'Backreference':
        return spellReference(element);
      default:
        return language.set(set(element));
    }
  };
  const spellAssertion = (assertion: AST.Assertion): string | undefined => {
    if (assertion.kind === 'word') return language.wordEdge(assertion);
    if (!('alternatives' in assertion)) return language.edge(assertion);
    const body = spellAlternatives(assertion.alternatives);
    return body === undefined ? undefined : language.look(assertion, body);
  };
  const spellReference = (reference: AST.Backreference): string | undefined => {
    const named = [reference.resolved]
      .flat()
      .map((group) => language.reference(reference, group, groups.get(group) ?? 0));
    return joined(named, '');
  };
  return spellAlternatives(tree.alternatives);
}

function joined(parts: readonly (string | undefined)[], separator: string): string | undefined {
  return parts.includes(undefined) ? undefined : parts.join(separator);
}

function turns({min, max, greedy}: AST.Quantifier): string {
  const [least, most] = [Math.min(min, MOST_TURNS), Math.min(max, MOST_TURNS)];
  const lazy = greedy ? '' : '?';
  if (max === Infinity && min <= 1) return `${min === 0 ? '*' : '+'}${lazy}`;
  if (min === 0 && max === 1) return `?${lazy}`;
  const range =
    max === Infinity ? `${String(least)},` : least === most ? String(least) : `${String(least)},${String(most)}`;
  return `{${range}}${lazy}`;
}
