import {setTimeout} from 'node:timers/promises';
import type {QueueEngine, QueueEvent} from '../contract.js';

/** How long after the last event a queue is asked whether it has come to rest. */
const QUIET_MS = 500;

/** The events of a queue, until nothing waits or runs and all that happened was given. */
export async function* followQueue(
  {engine, address}: {readonly engine: QueueEngine; readonly address: string},
  after: number,
  signal: AbortSignal,
): AsyncIterable<QueueEvent> {
  const events = engine.watch(address, after)[Symbol.asyncIterator]();
  try {
    let next = events.next();
    for (;;) {
      const quiet = setTimeout(QUIET_MS, undefined, {ref: true});
      const came = await Promise.race([next, quiet]);
      signal.throwIfAborted();
      if (came === undefined) {
        const {waiting, running} = await engine.counts(address);
        if (waiting + running === 0) return;
        continue;
      }
      if (came.done) return;
      yield came.value;
      next = events.next();
    }
  } finally {
    // A reader that waits for the next event is not waited for.
    void events.return?.();
  }
}

/** An event as a line. */
export function describeEvent({at, kind, id = '', worker = '', attempt, fault, count}: QueueEvent): string {
  const more = [
    ...(count === undefined ? [] : [`${count} tasks`]),
    ...(attempt !== undefined && attempt > 1 ? [`attempt ${attempt}`] : []),
    ...(fault === undefined ? [] : [`${fault.code}: ${fault.message}`]),
  ];
  const parts = [at.slice(11, 19), kind.padEnd(9), id.slice(0, 12).padEnd(12), worker, ...more];
  return parts.filter((part) => part !== '').join('  ');
}

/** What happened to a task so far. */
export async function eventsOf(
  {engine, address}: {readonly engine: QueueEngine; readonly address: string},
  id: string,
): Promise<readonly QueueEvent[]> {
  const events = engine.watch(address, 0)[Symbol.asyncIterator]();
  const found: QueueEvent[] = [];
  try {
    for (;;) {
      const came = await Promise.race([events.next(), setTimeout(QUIET_MS)]);
      if (came === undefined || came.done) return found;
      if (came.value.id === id) found.push(came.value);
    }
  } finally {
    void events.return?.();
  }
}
