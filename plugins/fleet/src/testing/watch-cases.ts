import assert from 'node:assert/strict';
import {setTimeout} from 'node:timers/promises';
import type {QueueEvent} from '../contract.js';
import {same, take, tasks, type QueueCase, type QueuePlace} from './queue-place.js';

const DONE = {result: 'ok', spent: {tokens: 1, cost: 0}} as const;

/** Events up to a kind of event, and the numbers that they had. */
async function eventsUntil(place: QueuePlace, kind: QueueEvent['kind'], after = 0): Promise<readonly QueueEvent[]> {
  const seen: QueueEvent[] = [];
  for await (const event of place.engine.watch(place.address, after)) {
    seen.push(event);
    if (event.kind === kind) break;
  }
  return seen;
}

export const WATCH_CASES: readonly QueueCase[] = [
  {
    title: 'events tell what happened, in their order',
    async run(place) {
      await place.engine.put(place.address, tasks('a'));
      await place.engine.finish(place.address, await take(place), DONE);
      const seen = await eventsUntil(place, 'finished');
      same(
        seen.map(({kind}) => kind),
        ['added', 'started', 'finished'],
      );
      same(
        seen.map(({id}) => id ?? null),
        [null, 'a', 'a'],
      );
      assert.ok(seen.every(({number}, index) => index === 0 || number > (seen[index - 1] as QueueEvent).number));
    },
  },
  {
    title: 'events are read on from a number',
    async run(place) {
      await place.engine.put(place.address, tasks('a'));
      const claim = await take(place);
      const seen = await eventsUntil(place, 'started');
      await place.engine.finish(place.address, claim, DONE);
      const rest = await eventsUntil(place, 'finished', seen.at(-1)?.number);
      same(
        rest.map(({kind}) => kind),
        ['finished'],
      );
    },
  },
  {
    title: 'events come while they happen',
    async run(place) {
      await place.engine.put(place.address, tasks('a'));
      const end = async (): Promise<void> => {
        await setTimeout(50);
        await place.engine.finish(place.address, await take(place), DONE);
      };
      const [seen] = await Promise.all([eventsUntil(place, 'finished'), end()]);
      assert.equal(seen.at(-1)?.id, 'a');
    },
  },
];
