/** What is not JSON and passes all the same: the other side gets a stand-in that calls back. */
export type Part = ((...all: readonly unknown[]) => unknown) | AbortSignal | AsyncIterable<unknown>;

/** Where in a value a part stands, and what the other side calls it. */
export interface Ref {
  readonly path: readonly (string | number)[];
  readonly kind: 'function' | 'signal' | 'stream';
  readonly id: number;
}

export interface Packed {
  readonly value: unknown;
  readonly refs: readonly Ref[];
}

const DEEPEST = 500;

/** A value without its parts, and where they stood. `lend` says what the other side calls one. */
export function pack(value: unknown, lend: (part: Part) => number): Packed {
  const refs: Ref[] = [];
  const walk = (one: unknown, path: Ref['path']): unknown => {
    if (path.length > DEEPEST) throw new TypeError(`A value is nested more than ${DEEPEST} levels deep.`);
    const kind = kindOf(one);
    if (kind) {
      refs.push({path, kind, id: lend(one as Part)});
      return null;
    }
    if (typeof one !== 'object' || one === null) return one;
    if (Array.isArray(one)) return mapChanged(one, path, walk);
    const proto: unknown = Object.getPrototypeOf(one);
    // JSON has its own way with everything else.
    if (proto !== null && Object.getPrototypeOf(proto) !== null) return one;
    const entries = Object.entries(one).map(([key, part]) => [key, part, walk(part, [...path, key])] as const);
    return entries.every(([, before, after]) => before === after)
      ? one
      : Object.fromEntries(entries.map(([key, , after]) => [key, after]));
  };
  return {value: walk(value, []), refs};
}

function mapChanged(list: readonly unknown[], path: Ref['path'], walk: (one: unknown, path: Ref['path']) => unknown) {
  const made = list.map((one, index) => walk(one, [...path, index]));
  return made.every((one, index) => one === list[index]) ? list : made;
}

function kindOf(value: unknown): Ref['kind'] | undefined {
  if (typeof value === 'function') return 'function';
  if (typeof value !== 'object' || value === null) return undefined;
  if (value instanceof AbortSignal) return 'signal';
  return Symbol.asyncIterator in value ? 'stream' : undefined;
}

/** The value with stand-ins for its parts. Throws an Error for what `pack` does not make. */
export function unpack({value, refs}: Packed, make: (ref: Ref) => Part): unknown {
  let whole = value;
  for (const ref of refs) {
    const last = ref.path.at(-1);
    if (last === undefined) {
      whole = make(ref);
      continue;
    }
    let holder: unknown = whole;
    for (const key of ref.path.slice(0, -1)) holder = ownPart(holder, key);
    if (ownPart(holder, last) !== null) throw new Error('It sent a part for a place that has none.');
    (holder as Record<string | number, unknown>)[last] = make(ref);
  }
  return whole;
}

function ownPart(holder: unknown, key: string | number): unknown {
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, key))
    throw new Error('It sent a part for a place that is not there.');
  return (holder as Record<string | number, unknown>)[key];
}
