/** One value, one key, or one property (children: key and value) in the text of a settings file. */
export interface TreeNode {
  readonly type: 'object' | 'array' | 'property' | 'string' | 'other';
  readonly offset: number;
  readonly parent: TreeNode | undefined;
  /** Set when its end has been read. */
  length: number;
  readonly children: TreeNode[];
  /** Of strings. */
  readonly value?: string;
}

/**
 * Where everything stands in a text that has been parsed before, and so has no errors. Loading a whole parser for this
 * would take longer than the change.
 */
export function readTree(text: string): TreeNode {
  let at = 0;
  // Sticky expressions have a state, so each reading has its own.
  const gap = /(?:\s|\uFEFF|\/\/[^\r\n]*|\/\*[^]*?\*\/)*/y;
  const string = /"(?:[^"\\]|\\.)*"/y;
  const literal = /[\w.+-]+/y;
  const take = (token: RegExp): string => {
    token.lastIndex = at;
    const found = token.exec(text)?.[0] ?? '';
    at += found.length;
    return found;
  };
  const peek = (): string => {
    take(gap);
    return text[at] ?? '';
  };

  const readValue = (parent: TreeNode | undefined): TreeNode => {
    const first = peek();
    const offset = at;
    if (first === '{' || first === '[')
      return readItems({type: first === '{' ? 'object' : 'array', offset, parent, length: 0, children: []});
    const written = take(first === '"' ? string : literal);
    const shared = {offset, parent, length: written.length, children: []};
    return first === '"'
      ? {...shared, type: 'string', value: JSON.parse(written) as string}
      : {...shared, type: 'other'};
  };
  const readItems = (node: TreeNode): TreeNode => {
    at += 1;
    while (peek() !== '}' && text[at] !== ']' && at < text.length) {
      node.children.push(node.type === 'object' ? readProperty(node) : readValue(node));
      if (peek() === ',') at += 1;
    }
    at += 1;
    node.length = at - node.offset;
    return node;
  };
  const readProperty = (parent: TreeNode): TreeNode => {
    const property: TreeNode = {type: 'property', offset: at, parent, length: 0, children: []};
    property.children.push(readValue(property));
    peek();
    at += 1;
    property.children.push(readValue(property));
    property.length = at - property.offset;
    return property;
  };
  return readValue(undefined);
}
