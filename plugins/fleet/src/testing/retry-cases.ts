import assert from 'node:assert/strict';
import {FAULT, item, same, states, take, tasks, type QueueCase} from './queue-place.js';

const DONE = {result: 'ok', spent: {tokens: 1, cost: 0}} as const;
const STOPPED = {fault: FAULT, next: 'return', spent: {tokens: 1, cost: 0}} as const;

export const RETRY_CASES: readonly QueueCase[] = [
  {
    title: 'retry changes nothing that is done, runs or waits',
    async run(place) {
      await place.engine.put(place.address, tasks('a', 'b', 'c'));
      await place.engine.finish(place.address, await take(place), DONE);
      await take(place);
      assert.equal(await place.engine.retry(place.address), 0);
      same(await states(place), {waiting: 1, running: 1, done: 1, failed: 0, cancelled: 0});
    },
  },
  {
    title: 'retry without ids is for all that failed or were cancelled',
    async run(place) {
      await place.engine.put(place.address, tasks('a', 'b', 'c'));
      await place.engine.fail(place.address, await take(place), {...STOPPED, next: 'end'});
      await place.engine.cancel(place.address, ['c']);
      assert.equal(await place.engine.retry(place.address), 2);
      same(await states(place), {waiting: 3, running: 0, done: 0, failed: 0, cancelled: 0});
    },
  },
];

/** Tasks that can be tried again. */
export const endedRetryCases = (): readonly QueueCase[] =>
  (['failed', 'cancelled'] as const).map((state) => ({
    title: `retry of a task that is ${state}: it waits, with all its attempts`,
    async run(place) {
      await place.engine.put(place.address, tasks('a'));
      if (state === 'cancelled') await place.engine.cancel(place.address, ['a']);
      else await place.engine.fail(place.address, await take(place), {...STOPPED, next: 'end'});
      assert.equal(await place.engine.retry(place.address, ['a']), 1);
      const claim = await take(place);
      assert.equal(claim.attempt, 1);
      await place.engine.finish(place.address, claim, DONE);
      assert.equal((await item(place, 'a')).state, 'done');
    },
  }));
