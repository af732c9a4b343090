import type {AST} from '@eslint-community/regexpp';

/** Whether the test is true of any element in the alternatives, however deep. */
export function someElement(
  alternatives: readonly AST.Alternative[],
  test: (element: AST.Element) => boolean,
): boolean {
  return alternatives.some(({elements}) => elements.some((element) => isOrHolds(element, test)));
}

function isOrHolds(element: AST.Element, test: (element: AST.Element) => boolean): boolean {
  if (test(element)) return true;
  if (element.type === 'Quantifier') return isOrHolds(element.element, test);
  return 'alternatives' in element && someElement(element.alternatives, test);
}
