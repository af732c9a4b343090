import assert from 'node:assert/strict';
import {setTimeout} from 'node:timers/promises';
import {idle, item, lose, same, spent, states, take, task, type QueueCase} from './queue-place.js';

const DONE = {result: 'ok', spent: {tokens: 3, cost: 0.5}} as const;

export const LEASE_CASES: readonly QueueCase[] = [
  {
    title: 'a task whose lease ended is given to another worker',
    async run(place) {
      await place.engine.put(place.address, [task('a', {attempts: 3})]);
      const lost = await lose(place);
      const next = await take(place, 'other');
      assert.equal(next.id, 'a');
      assert.ok(next.fence > lost.fence);
      assert.equal(next.attempt, 2);
    },
  },
  {
    title: 'a beat keeps a task beyond its first lease',
    async run(place) {
      await place.engine.put(place.address, [task('a', {attempts: 3})]);
      const answer = await place.engine.claim(place.address, {name: 'w1', leaseMs: place.lease.ms});
      const claim = 'claim' in answer ? answer.claim : assert.fail('No task was given out.');
      const until = Date.now() + place.lease.lostAfterMs * 2;
      while (Date.now() < until) {
        await setTimeout(place.lease.ms / 3);
        same(await place.engine.beat(place.address, claim), {order: 'continue'});
      }
      await place.engine.finish(place.address, claim, DONE);
      assert.equal((await item(place, 'a')).attempt, 1);
    },
  },
  {
    title: 'a poison task, whose workers are lost each time, fails in the end',
    async run(place) {
      await place.engine.put(place.address, [task('a', {attempts: 2})]);
      await lose(place);
      await lose(place);
      assert.equal(await idle(place), 'empty');
      const {state, fault} = await item(place, 'a');
      same([state, fault?.code], ['failed', 'LEASE_LOST']);
    },
  },
  {
    title: 'what a lost attempt had spent is not forgotten',
    async run(place) {
      await place.engine.put(place.address, [task('a', {attempts: 2})]);
      const answer = await place.engine.claim(place.address, {name: 'gone', leaseMs: place.lease.ms});
      const claim = 'claim' in answer ? answer.claim : assert.fail('No task was given out.');
      await place.engine.beat(place.address, claim, {spent: spent(7, 0.5), note: {session: 's1'}});
      await setTimeout(place.lease.lostAfterMs);
      const next = await take(place);
      same(next.note, {session: 's1'});
      await place.engine.finish(place.address, next, DONE);
      same((await item(place, 'a')).spent, spent(10, 1));
    },
  },
  {
    title: 'a lost task does not hold back the others',
    async run(place) {
      await place.engine.put(place.address, [task('a', {attempts: 1}), task('b')]);
      await lose(place);
      assert.equal((await take(place)).id, 'b');
      same(await states(place), {waiting: 0, running: 1, done: 0, failed: 1, cancelled: 0});
    },
  },
];
