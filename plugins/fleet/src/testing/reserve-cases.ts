import assert from 'node:assert/strict';
import {idle, lose, same, spent, take, task, type QueueCase} from './queue-place.js';

const DONE = {result: 'ok', spent: {tokens: 1, cost: 0}} as const;

export const RESERVE_CASES: readonly QueueCase[] = [
  {
    title: 'what a task reserves is held, and settled when it ends',
    async run(place) {
      await place.engine.put(place.address, [task('a', {reserve: {cost: 6}}), task('b', {reserve: {cost: 6}})]);
      await place.engine.set(place.address, {limits: {budget: {cost: 10}}});
      const [first, second] = [await take(place), await take(place)];
      same([first.reserved, second.reserved], [{cost: 6}, {cost: 4}]);
      assert.equal((await place.engine.counts(place.address)).reserved.cost, 10);
      await place.engine.finish(place.address, first, {result: 1, spent: spent(1, 2)});
      const {spent: used, reserved} = await place.engine.counts(place.address);
      same([used.cost, reserved.cost], [2, 4]);
    },
  },
  {
    title: 'a reservation that leaves nothing keeps the next task waiting',
    async run(place) {
      await place.engine.put(place.address, [task('a', {reserve: {tokens: 10}}), task('b', {reserve: {tokens: 10}})]);
      await place.engine.set(place.address, {limits: {budget: {tokens: 10}}});
      const first = await take(place);
      assert.equal(await idle(place), 'budget');
      await place.engine.finish(place.address, first, {result: 1, spent: spent(3)});
      same((await take(place)).reserved, {tokens: 7});
    },
  },
  {
    title: 'a group has no more workers than it may have',
    async run(place) {
      await place.engine.put(place.address, [
        task('a1', {group: 'a'}),
        task('a2', {group: 'a'}),
        task('b1', {group: 'b'}),
      ]);
      await place.engine.set(place.address, {limits: {perGroup: 1}});
      const first = await take(place);
      same([first.id, (await take(place)).id], ['a1', 'b1']);
      assert.equal(await idle(place), 'groups');
      await place.engine.finish(place.address, first, DONE);
      assert.equal((await take(place)).id, 'a2');
    },
  },
  {
    title: 'a lost worker no longer counts in its group',
    async run(place) {
      await place.engine.put(place.address, [task('a1', {group: 'a', attempts: 2})]);
      await place.engine.set(place.address, {limits: {perGroup: 1}});
      await lose(place);
      assert.equal((await take(place)).id, 'a1');
    },
  },
];
