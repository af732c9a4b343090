import {ToolError} from '@gemini-kernel/kernel';
import type {Code, CodeSymbol, FoundSymbol, Outline} from './contract.js';
import {isMeant, readName} from './find/symbol-name.js';

/** Candidates that an error names. */
const MOST_NAMED = 10;

export interface OneSymbol {
  readonly outline: Outline;
  readonly symbol: CodeSymbol;
}

interface Options {
  readonly code: Code;
  readonly signal: AbortSignal;
  readonly shownPath: (path: string) => string;
  readonly filter: (found: readonly FoundSymbol[]) => Promise<readonly FoundSymbol[]>;
}

/**
 * The one symbol with a name, in the file at `path` or in the workspace. Throws ToolError CODE_SYMBOL_MISSING, or
 * CODE_AMBIGUOUS with the places of all.
 */
export async function findOne(name: string, path: string | undefined, options: Options): Promise<OneSymbol> {
  const {code, signal, shownPath, filter} = options;
  if (path !== undefined) return findIn(await code.outline(path), name, options);
  const {items} = await code.definitions({name, signal});
  const found = await filter(items);
  const [first] = found;
  if (!first) throw await missing(name, 'in the workspace', options);
  if (new Set(found.map((one) => one.path)).size > 1)
    throw ambiguous(
      name,
      found.map((one) => `${shownPath(one.path)}:${one.symbol.line}: ${one.signature}`),
    );
  return findIn(await code.outline(first.path), name, options);
}

async function findIn(outline: Outline, name: string, options: Options): Promise<OneSymbol> {
  const wanted = readName(name);
  const found = outline.symbols.filter((symbol) => isMeant(symbol, wanted));
  const [first, ...others] = found;
  if (!first) throw await missing(name, `in ${options.shownPath(outline.path)}`, options);
  // Overloads and a declaration before its definition are one symbol for a reader: the one with a body.
  const withBody = found.filter(({body, end}) => body < end);
  // A namespace adds to the class or function with its name.
  const outer = withBody.length > 1 ? withBody.filter(({kind}) => kind !== 'module') : withBody;
  const [only] = outer;
  if (others.length === 0) return {outline, symbol: first};
  if (outer.length === 1 && only) return {outline, symbol: only};
  throw ambiguous(
    name,
    found.map(
      ({line, owner, kind}) =>
        `${options.shownPath(outline.path)}:${line}: ${kind} ${owner === undefined ? '' : `${owner}.`}${name}`,
    ),
  );
}

async function missing(name: string, where: string, {code, signal}: Options): Promise<ToolError> {
  const near = await code.similar(name, signal);
  return new ToolError('CODE_SYMBOL_MISSING', `No symbol is named ${name} ${where}.`, {
    hint:
      near.length === 0
        ? 'Look for the text with grep_search.'
        : `Did you mean ${near.join(', ')}? Otherwise look for the text with grep_search.`,
    data: {similar: near},
  });
}

function ambiguous(name: string, places: readonly string[]): ToolError {
  const shown = places.slice(0, MOST_NAMED).join('\n  ');
  const more = places.length > MOST_NAMED ? `\n  and ${places.length - MOST_NAMED} more` : '';
  return new ToolError('CODE_AMBIGUOUS', `${places.length} symbols are named ${name}:\n  ${shown}${more}`, {
    hint: 'Give path, or the name as Owner.name.',
    data: {places},
  });
}
