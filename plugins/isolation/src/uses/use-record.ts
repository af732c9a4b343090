import type {PluginRecord, PluginUse} from '../contract.js';

/** Of each kind: used or refused, seen by gemini or by the process. What fills one kind does not push out another. */
const MOST_OF_A_KIND = 50;
const LONGEST = 200;
const MOST_COUNT = Number.MAX_SAFE_INTEGER;

export type Seen = Pick<PluginUse, 'what' | 'outcome' | 'seenBy'> & {readonly count?: number};

/** A record of nothing yet. */
export function emptyRecord(plugin: string, version: string, now: number): PluginRecord {
  return {plugin, version, since: now, starts: 0, deaths: 0, calls: 0, busyMs: 0, uses: [], dropped: 0};
}

/** The record with what was seen; beyond the most that are kept, it only counts. */
export function addUse(
  record: PluginRecord,
  {what: given, outcome, seenBy, count = 1}: Seen,
  now: number,
): PluginRecord {
  const what = given.length > LONGEST ? `${given.slice(0, LONGEST)}…` : given;
  return addUses(record, [{what, outcome, seenBy, count, first: now, last: now}]);
}

/** Both records as one. What was seen of another version of the plugin no longer counts. */
export function mergeRecords(kept: PluginRecord | undefined, change: PluginRecord): PluginRecord {
  if (kept?.version !== change.version) return change;
  const peak = Math.max(kept.peakBytes ?? 0, change.peakBytes ?? 0);
  const lastDeath = change.lastDeath ?? kept.lastDeath;
  const merged: PluginRecord = {
    ...change,
    since: Math.min(kept.since, change.since),
    starts: plus(kept.starts, change.starts),
    deaths: plus(kept.deaths, change.deaths),
    calls: plus(kept.calls, change.calls),
    busyMs: plus(kept.busyMs, change.busyMs),
    ...(peak > 0 ? {peakBytes: peak} : {}),
    ...(lastDeath === undefined ? {} : {lastDeath}),
    uses: kept.uses,
    dropped: plus(kept.dropped, change.dropped),
  };
  return addUses(merged, change.uses);
}

function addUses(record: PluginRecord, more: readonly PluginUse[]): PluginRecord {
  const all = new Map(record.uses.map((one) => [keyOf(one), one]));
  let {dropped} = record;
  for (const use of more) {
    const known = all.get(keyOf(use));
    if (known)
      all.set(keyOf(use), {...known, count: plus(known.count, use.count), last: Math.max(known.last, use.last)});
    else if (isFull([...all.values()], use)) dropped = plus(dropped, use.count);
    else all.set(keyOf(use), use);
  }
  return {...record, uses: [...all.values()], dropped};
}

function isFull(uses: readonly PluginUse[], {outcome, seenBy}: PluginUse): boolean {
  return uses.filter((one) => one.outcome === outcome && one.seenBy === seenBy).length >= MOST_OF_A_KIND;
}

function keyOf({what, outcome, seenBy}: PluginUse): string {
  return [what, outcome, seenBy].join('\0');
}

function plus(a: number, b: number): number {
  return Math.min(a + b, MOST_COUNT);
}
