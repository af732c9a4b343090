import type {Found, FoundSymbol, Reference} from '../contract.js';
import type {Settled} from '../find/settle-references.js';

interface Asked {
  readonly name: string;
  readonly what: string;
  readonly similar: readonly string[];
  /** What a language server said about them. */
  readonly settled?: Pick<Settled, 'others' | 'server'> | undefined;
  readonly shownPath: (path: string) => string;
}

/** What was found, by file: one line each. */
export function findText(
  {items, isLimited}: Found<FoundSymbol | Reference>,
  {name, what, similar, settled, shownPath}: Asked,
): string {
  const rest = settled && settled.others.length > 0 ? [othersLine(settled)] : [];
  if (items.length === 0) {
    const near = similar.length === 0 ? '' : ` Symbols with similar names: ${similar.join(', ')}.`;
    const none = `No ${what} of ${name} found in code.${near} Text in other files is found by grep_search.`;
    return [none, ...rest].join('\n');
  }
  const lines: string[] = [];
  let path: string | undefined;
  for (const item of items) {
    if (item.path !== path) lines.push(`${shownPath(item.path)}:`);
    ({path} = item);
    lines.push('symbol' in item ? definitionLine(item) : referenceLine(item));
  }
  if (isLimited) lines.push(`(Only the first ${items.length} are shown. Set path or max_results.)`);
  return [...lines, ...rest].join('\n');
}

function othersLine({others, server}: Pick<Settled, 'others' | 'server'>): string {
  const {length} = others;
  const many = length === 1 ? '1 more place with the name means' : `${length} more places with the name mean`;
  return `(${many} something else, as ${server} says.)`;
}

function referenceLine({line, text, as}: Reference): string {
  return `  ${line}: ${text}${as === undefined ? '' : ` (as ${as})`}`;
}

function definitionLine({symbol: {line, endLine, kind, owner}, signature}: FoundSymbol): string {
  const lines = endLine > line ? `${line}-${endLine}` : String(line);
  return `  ${lines}: ${signature} (${kind}${owner === undefined ? '' : ` of ${owner}`})`;
}
