import assert from 'node:assert/strict';
import {FAULT, idle, same, spent, take, tasks, type QueueCase} from './queue-place.js';

const STOPPED = {fault: FAULT, next: 'return', spent: {tokens: 1, cost: 0}} as const;

export const LIMIT_CASES: readonly QueueCase[] = [
  {
    title: 'a queue that is paused gives out nothing, and says why',
    async run(place) {
      await place.engine.put(place.address, tasks('a'));
      await place.engine.set(place.address, {isPaused: true});
      assert.equal(await idle(place), 'paused');
      assert.equal((await place.engine.counts(place.address)).isPaused, true);
      await place.engine.set(place.address, {isPaused: false});
      assert.equal((await take(place)).id, 'a');
    },
  },
  {
    title: 'workers hear of a pause, and give back what they have',
    async run(place) {
      await place.engine.put(place.address, tasks('a'));
      const claim = await take(place);
      await place.engine.set(place.address, {isPaused: true});
      same(await place.engine.beat(place.address, claim), {order: 'pause'});
      same(await place.engine.fail(place.address, claim, STOPPED), {state: 'waiting'});
    },
  },
  {
    title: 'at the budget nothing is given out, and what runs is paused',
    async run(place) {
      await place.engine.put(place.address, tasks('a', 'b', 'c'));
      await place.engine.set(place.address, {limits: {budget: {tokens: 10}}});
      const [first, second] = [await take(place), await take(place)];
      same(await place.engine.beat(place.address, first, {spent: spent(4)}), {order: 'continue'});
      same(await place.engine.beat(place.address, second, {spent: spent(6)}), {order: 'pause'});
      same(await place.engine.beat(place.address, first), {order: 'pause'});
      assert.equal(await idle(place), 'budget');
    },
  },
  {
    title: 'a higher budget continues it',
    async run(place) {
      await place.engine.put(place.address, tasks('a', 'b'));
      await place.engine.set(place.address, {limits: {budget: {cost: 1}}});
      await place.engine.finish(place.address, await take(place), {result: 1, spent: spent(5, 1)});
      assert.equal(await idle(place), 'budget');
      await place.engine.set(place.address, {limits: {budget: {cost: 2}}});
      assert.equal((await take(place)).id, 'b');
    },
  },
];
