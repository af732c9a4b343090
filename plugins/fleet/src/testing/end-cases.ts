import assert from 'node:assert/strict';
import type {Next} from '../contract.js';
import {FAULT, idle, item, refused, same, spent, take, task, tasks, type QueueCase} from './queue-place.js';

const DONE = {result: 'ok', spent: {tokens: 3, cost: 0.5}} as const;
const failing = (next: Next) => ({fault: FAULT, next, spent: spent(2, 0.25)});

export const END_CASES: readonly QueueCase[] = [
  {
    title: 'a finished task has its result and what was spent',
    async run(place) {
      await place.engine.put(place.address, tasks('a'));
      await place.engine.finish(place.address, await take(place), DONE);
      const {state, result, spent: used} = await item(place, 'a');
      same({state, result, used}, {state: 'done', result: 'ok', used: spent(3, 0.5)});
    },
  },
  {
    title: 'the same finish twice is no fault, and the first counts',
    async run(place) {
      await place.engine.put(place.address, tasks('a'));
      const claim = await take(place);
      await place.engine.finish(place.address, claim, DONE);
      await place.engine.finish(place.address, claim, {result: 'other', spent: spent(99, 9)});
      const {result, spent: used} = await item(place, 'a');
      same({result, used}, {result: 'ok', used: spent(3, 0.5)});
    },
  },
  {
    title: 'a fail after a finish is refused',
    async run(place) {
      await place.engine.put(place.address, tasks('a'));
      const claim = await take(place);
      await place.engine.finish(place.address, claim, DONE);
      await refused('QUEUE_FENCE_LOST', place.engine.fail(place.address, claim, failing('retry')));
      assert.equal((await item(place, 'a')).state, 'done');
    },
  },
  {
    title: 'a result of any size up to a megabyte comes back',
    async run(place) {
      await place.engine.put(place.address, tasks('a'));
      const result = {text: 'é'.repeat(500_000)};
      await place.engine.finish(place.address, await take(place), {result, spent: spent(1)});
      same((await item(place, 'a')).result, result);
    },
  },
  {
    title: 'a failed attempt is tried again as long as there are attempts',
    async run(place) {
      await place.engine.put(place.address, [task('a', {attempts: 2})]);
      same(await place.engine.fail(place.address, await take(place), failing('retry')), {state: 'waiting'});
      same(await place.engine.fail(place.address, await take(place), failing('retry')), {state: 'failed'});
      const {state, fault, attempt} = await item(place, 'a');
      same({state, fault, attempt}, {state: 'failed', fault: FAULT, attempt: 2});
      assert.equal(await idle(place), 'empty');
    },
  },
  {
    title: 'what does not change is not tried again',
    async run(place) {
      await place.engine.put(place.address, [task('a', {attempts: 5})]);
      same(await place.engine.fail(place.address, await take(place), failing('end')), {state: 'failed'});
      assert.equal(await idle(place), 'empty');
    },
  },
  {
    title: 'what is given back was not begun',
    async run(place) {
      await place.engine.put(place.address, tasks('a'));
      same(await place.engine.fail(place.address, await take(place), failing('return')), {state: 'waiting'});
      assert.equal((await item(place, 'a')).attempt, 0);
      const again = await take(place);
      assert.equal(again.attempt, 1);
    },
  },
  {
    title: 'the spending of all attempts is added up',
    async run(place) {
      await place.engine.put(place.address, [task('a', {attempts: 2})]);
      await place.engine.fail(place.address, await take(place), failing('retry'));
      await place.engine.finish(place.address, await take(place), DONE);
      same((await item(place, 'a')).spent, spent(5, 0.75));
      same((await place.engine.counts(place.address)).spent, spent(5, 0.75));
    },
  },
  {
    title: 'small costs add up without an error of rounding',
    async run(place) {
      await place.engine.put(
        place.address,
        Array.from({length: 30}, (_, index) => task(`t${index}`)),
      );
      for (let count = 0; count < 30; count += 1)
        await place.engine.finish(place.address, await take(place), {result: null, spent: spent(1, 0.1)});
      same((await place.engine.counts(place.address)).spent, spent(30, 3));
    },
  },
];
