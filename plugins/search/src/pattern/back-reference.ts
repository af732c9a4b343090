import type {AST} from '@eslint-community/regexpp';
import {withAncestors} from './ancestors.js';
import {nodeWidth} from './node-width.js';

/** The groups that back-references name, by the number they have when no other group has one. */
export function referredGroups(tree: AST.Pattern): ReadonlyMap<AST.CapturingGroup, number> {
  const groups: AST.CapturingGroup[] = [];
  const collect = (elements: readonly AST.Element[]): void => {
    for (const element of elements) {
      if (element.type === 'CapturingGroup' && element.references.length > 0) groups.push(element);
      if (element.type === 'Quantifier') collect([element.element]);
      else if ('alternatives' in element) for (const alternative of element.alternatives) collect(alternative.elements);
    }
  };
  for (const {elements} of tree.alternatives) collect(elements);
  return new Map(groups.map((group, index) => [group, index + 1]));
}

/**
 * Whether a group surely holds the same in PCRE2 as in JavaScript when the back-reference is met. JavaScript forgets
 * the groups of a repeated part with each turn and undoes turns that take nothing; it reads look-behind from its end.
 */
export function isSameGroup(reference: AST.Backreference, group: AST.CapturingGroup): boolean {
  if (isInside(reference, group) || isInLookbehind(reference)) return false;
  let isSure = true;
  for (const node of withAncestors(group)) {
    if (losesGroups(node)) return false;
    if (isOneOfSeveral(node)) isSure = false;
    if (node.type !== 'Quantifier') continue;
    if (nodeWidth(node.element).min === 0) return false;
    const isForgotten = !isSure || isMetBefore(reference, group, node);
    if (node.max > 1 && isForgotten) return false;
    if (node.min === 0) isSure = false;
  }
  return true;
}

/** Whether a turn of a repeated part meets the back-reference before it has ended the group. */
function isMetBefore(reference: AST.Backreference, group: AST.CapturingGroup, repeated: AST.Quantifier): boolean {
  return isInside(reference, repeated) && reference.start < group.end;
}

/** Whether a group in it does not hold outside of it what it held inside. */
function losesGroups(node: AST.Node): boolean {
  return node.type === 'Assertion' && (node.kind === 'lookbehind' || (node.kind === 'lookahead' && node.negate));
}

function isOneOfSeveral({type, parent}: AST.Node): boolean {
  return type === 'Alternative' && parent !== null && 'alternatives' in parent && parent.alternatives.length > 1;
}

function isInside(inner: AST.Node, outer: AST.Node): boolean {
  return inner.start >= outer.start && inner.end <= outer.end;
}

function isInLookbehind(reference: AST.Backreference): boolean {
  return withAncestors(reference).some((node) => node.type === 'Assertion' && node.kind === 'lookbehind');
}
