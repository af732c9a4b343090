import type {Node, QueryMatch} from 'web-tree-sitter';
import type {CodeSymbol, SymbolKind} from '../contract.js';
import type {Language} from '../languages/language.js';
import type {Reader} from './parsers.js';

/** Of several patterns that fit one name, the one that says most counts. */
const VAGUE: readonly SymbolKind[] = ['type', 'variable', 'property', 'function'];
/** What methods belong to. */
const TYPES: readonly SymbolKind[] = ['class', 'enum', 'interface', 'struct', 'type'];
const CAPTURES = ['name', 'owner', 'is', 'tag'];
/** A definition around another, for a query of what is extended. */
const LONGEST_NAME = 200;

interface Draft {
  readonly kind: SymbolKind;
  readonly name: string;
  readonly owner: string | undefined;
  readonly node: Node;
  readonly nameAt: number;
}

/** The symbols of a tree, in the order of the text. */
export function readSymbols(root: Node, reader: Reader, text = root.text): readonly CodeSymbol[] {
  const drafts = new Map<number, Draft>();
  for (const match of reader.matches(reader.language.definitions, root)) {
    const draft = draftOf(match);
    if (!draft) continue;
    const other = drafts.get(draft.nameAt);
    if (!other || precision(draft) > precision(other)) drafts.set(draft.nameAt, draft);
  }
  const placed = [...drafts.values()].map((draft) => place(draft, reader.language, text));
  return withOwners(placed.sort((a, b) => a.start - b.start || b.end - a.end));
}

function draftOf({captures}: QueryMatch): Draft | undefined {
  const found = captures.find(({name}) => !CAPTURES.includes(name));
  const name = captures.find((one) => one.name === 'name')?.node;
  if (!found || !name || name.isMissing) return undefined;
  const text = name.text.replace(/^['"`]|['"`]$/g, '').trim();
  if (text === '' || text.length > LONGEST_NAME) return undefined;
  const owner = captures.find((one) => one.name === 'owner')?.node.text;
  // The names of captures are kinds: the queries of languages hold no others.
  return {kind: found.name as SymbolKind, name: text, owner, node: found.node, nameAt: name.startIndex};
}

function precision({kind, owner}: Draft): number {
  return (owner === undefined ? 0 : 10) + (VAGUE.includes(kind) ? VAGUE.indexOf(kind) : VAGUE.length);
}

function place({kind, name, owner, node, nameAt}: Draft, language: Language, text: string): CodeSymbol {
  const outer = climb(node, language);
  const [first, start] = bounds(outer, language, text);
  const body = bodyOf(node);
  return {
    name,
    kind,
    ...(owner === undefined ? {} : {owner}),
    from: first.startIndex,
    start: start.startIndex,
    nameAt,
    body: body?.startIndex ?? outer.endIndex,
    end: outer.endIndex,
    line: start.startPosition.row + 1,
    endLine: outer.endPosition.row + (outer.endPosition.column === 0 && outer.endIndex > start.startIndex ? 0 : 1),
  };
}

/** What belongs to the definition around it, as `export` does. */
function climb(node: Node, {around = [], before}: Language): Node {
  let outer = node;
  for (;;) {
    const {parent} = outer;
    if (!parent || !around.includes(parent.type)) return outer;
    const others = parent.namedChildren.filter((one) => !before.includes(one.type) && one.type === outer.type);
    if (others.length > 1) return outer;
    outer = parent;
  }
}

/** The first node that belongs to the definition, and the first that is no comment or decorator. */
function bounds(outer: Node, {before}: Language, text: string): readonly [Node, Node] {
  let start: Node = outer;
  for (let child = outer.firstChild; child; child = child.nextSibling) {
    if (before.includes(child.type)) continue;
    if (child.startIndex > outer.startIndex) start = child;
    break;
  }
  let first = outer;
  if (!mayHaveMore(text, outer.startIndex)) return [first, start];
  for (let other = ahead(first); other && before.includes(other.type); other = ahead(other)) {
    const endRow = other.endPosition.row - (other.endPosition.column === 0 ? 1 : 0);
    if (endRow < first.startPosition.row - 1) break;
    const code = ahead(other);
    // A comment behind the code of its line is about that code.
    if (code && code.endPosition.row === other.startPosition.row && !before.includes(code.type)) break;
    first = other;
  }
  return [first, start];
}

/** Whether a comment or a decorator can end right before: asking the tree takes far longer. */
function mayHaveMore(text: string, at: number): boolean {
  const start = text.lastIndexOf('\n', at - 1);
  if (text.slice(start + 1, at).trim() !== '') return true;
  const line = text.slice(text.lastIndexOf('\n', start - 1) + 1, Math.max(0, start)).trim();
  return /^(?:\/[/*]|[*#@[]|--)|(?:\*\/|[)\]>])$/.test(line);
}

/** The node before another, which may stand before the block that the other begins. */
function ahead(node: Node): Node | null {
  const {previousSibling, parent} = node;
  if (previousSibling || !parent || parent.startIndex !== node.startIndex) return previousSibling;
  return parent.previousSibling;
}

function bodyOf(node: Node): Node | null {
  const own = node.childForFieldName('body');
  if (own) return own;
  for (const field of ['value', 'right', 'type']) {
    const inner = node.childForFieldName(field);
    const body = inner?.childForFieldName('body') ?? null;
    if (body) return body;
  }
  return null;
}

function withOwners(symbols: readonly CodeSymbol[]): readonly CodeSymbol[] {
  const around: CodeSymbol[] = [];
  return symbols.map((symbol) => {
    while (around.length > 0 && (around.at(-1)?.end ?? 0) <= symbol.start) around.pop();
    const owner = around.at(-1);
    around.push(symbol);
    const isMethod = symbol.kind === 'function' && owner !== undefined && TYPES.includes(owner.kind);
    return {
      ...symbol,
      ...(isMethod ? {kind: 'method' as const} : {}),
      ...(symbol.owner === undefined && owner ? {owner: owner.name} : {}),
    };
  });
}
