import assert from 'node:assert/strict';
import {same, take, task, tasks, type QueueCase} from './queue-place.js';

export const ORDER_CASES: readonly QueueCase[] = [
  {
    title: 'tasks are given out in the order in which they were put',
    async run(place) {
      await place.engine.put(place.address, tasks('c', 'a'));
      await place.engine.put(place.address, tasks('b'));
      same([(await take(place)).id, (await take(place)).id, (await take(place)).id], ['c', 'a', 'b']);
    },
  },
  {
    title: 'a higher priority comes first',
    async run(place) {
      await place.engine.put(place.address, [task('low', {priority: -1}), task('normal'), task('high', {priority: 5})]);
      same([(await take(place)).id, (await take(place)).id, (await take(place)).id], ['high', 'normal', 'low']);
    },
  },
  {
    title: 'among equal priorities the order of put counts',
    async run(place) {
      await place.engine.put(place.address, [task('a', {priority: 2}), task('b', {priority: 2})]);
      await place.engine.put(place.address, [task('c', {priority: 2})]);
      same([(await take(place)).id, (await take(place)).id, (await take(place)).id], ['a', 'b', 'c']);
    },
  },
  {
    title: 'an urgent task that comes later overtakes those that wait',
    async run(place) {
      await place.engine.put(place.address, tasks('a', 'b'));
      assert.equal((await take(place)).id, 'a');
      await place.engine.put(place.address, [task('now', {priority: 9})]);
      assert.equal((await take(place)).id, 'now');
    },
  },
  {
    title: 'lists have the order of put, whatever the priority',
    async run(place) {
      await place.engine.put(place.address, [task('a'), task('b', {priority: 9}), task('c')]);
      const found = await place.engine.list(place.address, {});
      same(
        found.map(({task: {id}}) => id),
        ['a', 'b', 'c'],
      );
    },
  },
  {
    title: 'a list is read in pieces',
    async run(place) {
      await place.engine.put(place.address, tasks('a', 'b', 'c'));
      const first = await place.engine.list(place.address, {most: 2});
      const second = await place.engine.list(place.address, {most: 2, after: 'b'});
      same(
        [first, second].map((piece) => piece.map(({task: {id}}) => id)),
        [['a', 'b'], ['c']],
      );
    },
  },
  {
    title: 'a list has only the states that are asked for',
    async run(place) {
      await place.engine.put(place.address, tasks('a', 'b'));
      await take(place);
      const found = await place.engine.list(place.address, {states: ['running']});
      same(
        found.map(({task: {id}, state}) => [id, state]),
        [['a', 'running']],
      );
    },
  },
  {
    title: 'a list by id leaves out what is not there',
    async run(place) {
      await place.engine.put(place.address, tasks('a'));
      const found = await place.engine.list(place.address, {ids: ['none', 'a']});
      same(
        found.map(({task: {id}}) => id),
        ['a'],
      );
    },
  },
];
