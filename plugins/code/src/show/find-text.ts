import type {Found, FoundSymbol, Reference} from '../contract.js';

interface Asked {
  readonly name: string;
  readonly what: string;
  readonly similar: readonly string[];
  readonly shownPath: (path: string) => string;
}

/** What was found, by file: one line each. */
export function findText(
  {items, isLimited}: Found<FoundSymbol | Reference>,
  {name, what, similar, shownPath}: Asked,
): string {
  if (items.length === 0) {
    const near = similar.length === 0 ? '' : ` Symbols with similar names: ${similar.join(', ')}.`;
    return `No ${what} of ${name} found in code.${near} Text in other files is found by grep_search.`;
  }
  const lines: string[] = [];
  let path: string | undefined;
  for (const item of items) {
    if (item.path !== path) lines.push(`${shownPath(item.path)}:`);
    ({path} = item);
    lines.push('symbol' in item ? definitionLine(item) : `  ${item.line}: ${item.text}`);
  }
  if (isLimited) lines.push(`(Only the first ${items.length} are shown. Set path or max_results.)`);
  return lines.join('\n');
}

function definitionLine({symbol: {line, endLine, kind, owner}, signature}: FoundSymbol): string {
  const lines = endLine > line ? `${line}-${endLine}` : String(line);
  return `  ${lines}: ${signature} (${kind}${owner === undefined ? '' : ` of ${owner}`})`;
}
