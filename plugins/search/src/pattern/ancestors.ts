import type {AST} from '@eslint-community/regexpp';

/** The node itself and all that it lies in, from the inside out. */
export function withAncestors(node: AST.Node): AST.Node[] {
  const nodes: AST.Node[] = [];
  for (let at: AST.Node | null = node; at !== null; at = parentOf(at)) nodes.push(at);
  return nodes;
}

function parentOf(node: AST.Node): AST.Node | null {
  return node.parent;
}
