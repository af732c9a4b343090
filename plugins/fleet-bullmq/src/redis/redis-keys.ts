/** The keys of the ledger. What is in braces puts all of a fleet on one node of a cluster. */
export interface RedisKeys {
  /** Of all keys of the fleet, those of BullMQ too. */
  readonly prefix: string;
  readonly head: string;
  /** By id: a task without its result, its result, and its group if it has one. */
  readonly entries: string;
  readonly results: string;
  readonly groups: string;
  /** Ids by their place in the order of put: of all, and of those that failed or were cancelled. */
  readonly places: string;
  readonly failed: string;
  readonly cancelled: string;
  /** Those that wait in the order of claims, as place and id. */
  readonly waiting: string;
  readonly running: string;
  readonly events: string;
}

export function keysOf(fleet: string): RedisKeys {
  const prefix = `{gemini-fleet:${fleet}}`;
  const key = (name: string): string => `${prefix}:ledger:${name}`;
  return {
    ...{prefix, head: key('head'), entries: key('entries'), results: key('results'), groups: key('groups')},
    ...{places: key('places'), failed: key('failed'), cancelled: key('cancelled')},
    ...{waiting: key('waiting'), running: key('running'), events: key('events')},
  };
}
