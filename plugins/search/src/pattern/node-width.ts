import type {AST} from '@eslint-community/regexpp';
import {someElement} from './some-element.js';

/** How many characters a part of a pattern takes. */
export interface NodeWidth {
  readonly min: number;
  readonly max: number;
}

const NOTHING: NodeWidth = {min: 0, max: 0};

/** The least and the most characters that one element takes; a back-reference may take any number. */
export function nodeWidth(element: AST.Element): NodeWidth {
  if (element.type === 'Assertion') return NOTHING;
  if (element.type === 'Backreference') return {min: 0, max: Infinity};
  if (element.type === 'Group' || element.type === 'CapturingGroup') return alternativesWidth(element.alternatives);
  if (element.type !== 'Quantifier') return {min: 1, max: 1};
  const {min, max} = nodeWidth(element.element);
  return {min: min * element.min, max: max === 0 || element.max === 0 ? 0 : max * element.max};
}

/** The same of one alternative. */
export function alternativeWidth({elements}: AST.Alternative): NodeWidth {
  return elements
    .map(nodeWidth)
    .reduce((sum, width) => ({min: sum.min + width.min, max: sum.max + width.max}), NOTHING);
}

/** Whether every way through it is equally long and equally written, as PCRE2 wants look-behind to be. */
export function isFixedWidth(alternative: AST.Alternative): boolean {
  const {min, max} = alternativeWidth(alternative);
  return (
    min === max &&
    !someElement([alternative], (element) => element.type === 'Quantifier' && element.min !== element.max)
  );
}

function alternativesWidth(alternatives: readonly AST.Alternative[]): NodeWidth {
  const widths = alternatives.map(alternativeWidth);
  return {min: Math.min(...widths.map(({min}) => min)), max: Math.max(...widths.map(({max}) => max))};
}
