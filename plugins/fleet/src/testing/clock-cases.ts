import assert from 'node:assert/strict';
import {setTimeout} from 'node:timers/promises';
import {idle, take, task, type QueueCase} from './queue-place.js';

const OFF_MS = 5 * 60_000;

/** Leases end by the clock of the queue, whatever the clocks of workers say. */
export const clockCases = (): readonly QueueCase[] =>
  ([OFF_MS, -OFF_MS] as const).map((offMs) => ({
    title: `a clock that is five minutes ${offMs > 0 ? 'ahead' : 'behind'} ends no lease early and none late`,
    needs: 'skew',
    async run(place) {
      const off = (await place.skew?.(offMs)) ?? assert.fail('Its clock cannot be set.');
      try {
        await place.engine.put(place.address, [task('a', {attempts: 2}), task('b', {attempts: 2})]);
        await take(place);
        await place.engine.claim(place.address, {name: 'gone', leaseMs: place.lease.ms});
        await off.right();
        await setTimeout(place.lease.lostAfterMs);
        const other = {...place, engine: await place.other()};
        assert.equal((await take(other)).id, 'b');
        assert.equal(await idle(other), 'waiting');
      } finally {
        await off.right();
      }
    },
  }));
