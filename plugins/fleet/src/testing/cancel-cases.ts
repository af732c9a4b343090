import assert from 'node:assert/strict';
import {setTimeout} from 'node:timers/promises';
import {FAULT, idle, item, same, states, take, task, tasks, type QueueCase} from './queue-place.js';

const DONE = {result: 'ok', spent: {tokens: 1, cost: 0}} as const;
const STOPPED = {fault: FAULT, next: 'return', spent: {tokens: 1, cost: 0}} as const;

export const CANCEL_CASES: readonly QueueCase[] = [
  {
    title: 'cancel of a task that waits: it is not given out',
    async run(place) {
      await place.engine.put(place.address, tasks('a', 'b'));
      assert.equal(await place.engine.cancel(place.address, ['a']), 1);
      assert.equal((await take(place)).id, 'b');
      assert.equal((await item(place, 'a')).state, 'cancelled');
    },
  },
  {
    title: 'cancel of a task that runs: its worker hears of it, and ends it',
    async run(place) {
      await place.engine.put(place.address, [task('a', {attempts: 3})]);
      const claim = await take(place);
      assert.equal(await place.engine.cancel(place.address, ['a']), 1);
      same(await place.engine.beat(place.address, claim), {order: 'cancel'});
      same(await place.engine.fail(place.address, claim, STOPPED), {state: 'cancelled'});
      assert.equal(await idle(place), 'empty');
    },
  },
  {
    title: 'cancel of a task that runs, and finishes before it hears of it: the result counts',
    async run(place) {
      await place.engine.put(place.address, tasks('a'));
      const claim = await take(place);
      await place.engine.cancel(place.address, ['a']);
      await place.engine.finish(place.address, claim, DONE);
      assert.equal((await item(place, 'a')).state, 'done');
    },
  },
  {
    title: 'cancel of a task whose worker is lost: it is not given out again',
    async run(place) {
      await place.engine.put(place.address, [task('a', {attempts: 3})]);
      const answer = await place.engine.claim(place.address, {name: 'gone', leaseMs: place.lease.ms});
      assert.ok('claim' in answer);
      await place.engine.cancel(place.address, ['a']);
      await setTimeout(place.lease.lostAfterMs);
      assert.equal(await idle(place), 'empty');
      assert.equal((await item(place, 'a')).state, 'cancelled');
    },
  },
  {
    title: 'cancel without ids is for all that have not ended',
    async run(place) {
      await place.engine.put(place.address, tasks('a', 'b', 'c'));
      await place.engine.finish(place.address, await take(place), DONE);
      const claim = await take(place);
      assert.equal(await place.engine.cancel(place.address), 2);
      same(await place.engine.beat(place.address, claim), {order: 'cancel'});
      same(await states(place), {waiting: 0, running: 1, done: 1, failed: 0, cancelled: 1});
    },
  },
  {
    title: 'cancel of what is not there is for none',
    async run(place) {
      await place.engine.put(place.address, tasks('a'));
      assert.equal(await place.engine.cancel(place.address, ['none']), 0);
    },
  },
];

/** Tasks that cannot be cancelled any more. */
export const endedCancelCases = (): readonly QueueCase[] =>
  (['done', 'failed', 'cancelled'] as const).map((state) => ({
    title: `cancel of a task that is ${state} changes nothing`,
    async run(place) {
      await place.engine.put(place.address, tasks('a'));
      if (state === 'cancelled') await place.engine.cancel(place.address, ['a']);
      else if (state === 'done') await place.engine.finish(place.address, await take(place), DONE);
      else await place.engine.fail(place.address, await take(place), {...STOPPED, next: 'end'});
      assert.equal(await place.engine.cancel(place.address, ['a']), 0);
      assert.equal((await item(place, 'a')).state, state);
    },
  }));
