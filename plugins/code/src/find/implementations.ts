import {setImmediate} from 'node:timers/promises';
import type {CodeSymbol} from '../contract.js';
import {languageOf} from '../languages/languages.js';
import {readSource} from '../parse/source-file.js';
import type {FileEntry} from '../table/file-entry.js';
import type {Searched} from './references-to.js';
import type {SymbolName} from './symbol-name.js';

/** How far down types are followed. */
const DEEPEST = 6;

interface Implementation {
  readonly file: FileEntry;
  readonly symbol: CodeSymbol;
}

/** Types that extend or implement a type, also over others; for `Type.method`, their methods of that name. */
export async function implementationsOf(
  {name, owner}: SymbolName,
  searched: Searched,
): Promise<readonly Implementation[]> {
  const found = new Map<string, Implementation>();
  let names = new Set([owner ?? name]);
  for (let depth = 0; depth < DEEPEST && names.size > 0; depth += 1) {
    const next = new Set<string>();
    for (const base of names) {
      for (const one of await directly(base, searched)) {
        const key = `${one.file.path}:${one.symbol.nameAt}`;
        if (found.has(key)) continue;
        found.set(key, one);
        next.add(one.symbol.name);
      }
    }
    names = next;
  }
  const types = [...found.values()];
  if (owner === undefined) return types;
  return types.flatMap(({file, symbol}) =>
    searched.table
      .symbols(file)
      .filter((member) => member.name === name && member.owner === symbol.name)
      .map((member) => ({file, symbol: member})),
  );
}

async function directly(base: string, {table, readers, signal}: Searched): Promise<readonly Implementation[]> {
  const found: Implementation[] = [];
  for (const file of table.filesWith(base)) {
    const language = languageOf(file.path);
    if (language?.supers === undefined) continue;
    await setImmediate();
    signal.throwIfAborted();
    const source = readSource(file.path);
    if ('fault' in source) continue;
    const reader = await readers.get(language);
    const {supers} = language;
    const names = reader.read(source.text, (root) =>
      reader.matches(supers, root).flatMap(({captures}) => {
        const sub = captures.find(({name}) => name === 'sub')?.node;
        const isOne = captures.some((one) => one.name === 'super' && lastName(one.node.text) === base);
        if (!sub || !isOne) return [];
        return [(sub.childForFieldName('name') ?? sub).text];
      }),
    );
    for (const name of new Set(names ?? []))
      for (const symbol of table.symbols(file))
        if (symbol.name === name && symbol.kind !== 'method') found.push({file, symbol});
  }
  return found;
}

/** `c` of `a.b.c<D>`. */
function lastName(text: string): string | undefined {
  return /^[\s\w$.:\\]*?([\w$]+)\s*(?:[<([].*)?$/s.exec(text.trim())?.[1];
}
