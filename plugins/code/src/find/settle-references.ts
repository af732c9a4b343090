import {isToolError} from '@gemini-kernel/kernel';
import type {Code, CodeServers, FindRequest, Found, FoundSymbol, Place, Reference} from '../contract.js';
import {MEMBERS} from './members.js';

/** Of more symbols with one name, none is what was asked for. */
const MOST_SYMBOLS = 5;
/** A server that has to read a whole project first. */
const LIMIT_MS = 15_000;

/** References that a language server has looked at. */
export interface Settled extends Found<Reference> {
  readonly server: string;
  /** Places with the name that are of other symbols. */
  readonly others: readonly Reference[];
}

interface Asked {
  readonly request: FindRequest & {readonly signal: AbortSignal};
  /** Found by the name. */
  readonly found: Found<Reference>;
  readonly code: Pick<Code, 'definitions' | 'outline'>;
  readonly servers: Pick<CodeServers, 'references'>;
}

/**
 * Leaves out what a language server does not count as a use. Only members are asked about: uses of others differ
 * without types. Undefined where no server answers in time; then what was found by the name stays.
 */
export async function settleReferences({request, found, code, servers}: Asked): Promise<Settled | undefined> {
  const {name, definedIn, signal} = request;
  if (found.items.length === 0) return undefined;
  const {items} = await code.definitions({name, signal, most: 200});
  const symbols = items.filter(({path}) => definedIn === undefined || path === definedIn);
  if (symbols.length === 0 || symbols.length > MOST_SYMBOLS) return undefined;
  if (!symbols.every(({symbol}) => MEMBERS.includes(symbol.kind))) return undefined;
  const limit = AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]);
  try {
    const answers = [];
    for (const one of symbols) answers.push(await askFor(one, code, servers, limit));
    return settle(found, answers);
  } catch (error) {
    signal.throwIfAborted();
    if (isToolError(error) || limit.aborted) return undefined;
    throw error;
  }
}

type Answer = Awaited<ReturnType<CodeServers['references']>>;

async function askFor(
  {path, symbol}: FoundSymbol,
  code: Asked['code'],
  servers: Asked['servers'],
  signal: AbortSignal,
): Promise<Answer> {
  const {text, symbols} = await code.outline(path);
  // The file may have changed since it was found.
  const now = symbols.find(
    ({name, owner, line}) => name === symbol.name && owner === symbol.owner && line === symbol.line,
  );
  return servers.references(path, text, now?.nameAt ?? symbol.nameAt, signal);
}

function settle({items, isLimited}: Found<Reference>, answers: readonly Answer[]): Settled {
  const known = new Set(answers.flatMap(({places}) => places).map(keyOf));
  return {
    items: items.filter((one) => known.has(keyOf(one))),
    others: items.filter((one) => !known.has(keyOf(one))),
    isLimited,
    server: answers[0]?.server ?? '',
  };
}

function keyOf({path, line, column}: Place): string {
  return `${line}:${column}:${path}`;
}
