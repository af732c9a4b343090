import type {CallRecord} from '@gemini-kernel/plugin-agent/contract';

const MOST_EVIDENCE = 5;

/** Items by a key, in the order of their first. */
export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

/** The calls that show something, by the id that `gemini why` knows. */
export function idsOf(calls: readonly CallRecord[]): readonly string[] {
  return calls.slice(0, MOST_EVIDENCE).map(({callId, id}) => callId ?? id);
}

/** A text as one line between quotes. */
export function quote(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return `"${line.length > 80 ? `${line.slice(0, 79)}…` : line}"`;
}
