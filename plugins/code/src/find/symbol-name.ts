/** A name as it is asked for: `name`, `Owner.name`, `Owner::name` or `Owner#name`. */
export interface SymbolName {
  readonly name: string;
  readonly owner?: string;
}

/** Reads a name; of a longer one, the last two parts count. */
export function readName(text: string): SymbolName {
  const parts = text
    .trim()
    .replace(/\(\)$/, '')
    .split(/::|[.](?!\.)|(?<=\w)#/)
    .filter((part) => part !== '');
  const [owner, name] = parts.length > 1 ? parts.slice(-2) : [undefined, parts[0] ?? text];
  return {name: name ?? text, ...(owner === undefined ? {} : {owner})};
}

/** Whether a symbol is meant. */
export function isMeant(symbol: {readonly name: string; readonly owner?: string}, {name, owner}: SymbolName): boolean {
  return symbol.name === name && (owner === undefined || symbol.owner === owner);
}
