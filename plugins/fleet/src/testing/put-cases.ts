import assert from 'node:assert/strict';
import type {QueueTask} from '../contract.js';
import {idle, refused, same, spent, states, take, task, tasks, type QueueCase} from './queue-place.js';

export const PUT_CASES: readonly QueueCase[] = [
  {
    title: 'a new queue is empty, and says so to a worker',
    async run(place) {
      same(await place.engine.put(place.address, []), {added: 0, known: 0});
      same(await states(place), {waiting: 0, running: 0, done: 0, failed: 0, cancelled: 0});
      assert.equal(await idle(place), 'empty');
    },
  },
  {
    title: 'a task that is put twice is one task',
    async run(place) {
      same(await place.engine.put(place.address, tasks('a', 'b')), {added: 2, known: 0});
      same(await place.engine.put(place.address, tasks('b', 'c')), {added: 1, known: 1});
      same(await states(place), {waiting: 3, running: 0, done: 0, failed: 0, cancelled: 0});
    },
  },
  {
    title: 'a task that comes twice in one call is one task',
    async run(place) {
      same(await place.engine.put(place.address, tasks('a', 'a')), {added: 1, known: 1});
    },
  },
  {
    title: 'putting what is done does not have it done again',
    async run(place) {
      await place.engine.put(place.address, tasks('a'));
      await place.engine.finish(place.address, await take(place), {result: 1, spent: spent(1)});
      same(await place.engine.put(place.address, tasks('a')), {added: 0, known: 1});
      assert.equal(await idle(place), 'empty');
    },
  },
  {
    title: 'a known task that is put with other settings has them from its next claim on',
    async run(place) {
      const {engine, address} = place;
      const before = {payload: {seconds: 1}, attempts: 1, priority: 1};
      await engine.put(address, [task('a', before), task('b', before), task('c', before)]);
      await engine.finish(address, await take(place), {result: 1, spent: spent(1)});
      const held = await take(place);
      const after = {payload: {seconds: 2}, attempts: 2, reserve: {tokens: 5}, priority: 1};
      same(await engine.put(address, [task('a', after), task('b', after), task('c', after)]), {added: 0, known: 3});
      same(await states(place), {waiting: 1, running: 1, done: 1, failed: 0, cancelled: 0});
      const [done] = await engine.list(address, {ids: ['a']});
      same(done?.task.payload, before.payload);
      // A worker that has a task keeps what it got; the second attempt is new.
      same(await engine.fail(address, held, {fault: {code: 'X', message: 'x'}, next: 'retry', spent: spent(1)}), {
        state: 'waiting',
      });
      const claims = [await take(place), await take(place)];
      same(
        claims.map(({id, task: {payload}, reserved}) => ({id, payload, reserved})),
        ['b', 'c'].map((id) => ({id, payload: after.payload, reserved: after.reserve})),
      );
    },
  },
  {
    title: 'a payload comes back as it was',
    async run(place) {
      const payload = {text: 'é\u0000\n\u2028😀', list: [1, null, {deep: [[]]}], '': '', empty: {}};
      await place.engine.put(place.address, [task('a', {payload})]);
      same((await take(place)).task.payload, payload);
    },
  },
  {
    title: 'a payload of 64 KiB is kept',
    async run(place) {
      await place.engine.put(place.address, [task('a', {payload: 'x'.repeat(65_534)})]);
      same((await take(place)).task.payload, 'x'.repeat(65_534));
    },
  },
  {
    title: 'a thousand tasks are put in one call, and each is there once',
    async run(place) {
      const many = Array.from({length: 1000}, (_, index) => task(`t${index}`));
      same(await place.engine.put(place.address, many), {added: 1000, known: 0});
      same(await place.engine.put(place.address, many), {added: 0, known: 1000});
      assert.equal((await place.engine.counts(place.address)).waiting, 1000);
    },
  },
];

const wrongTasks = (): readonly (readonly [what: string, wrong: QueueTask])[] => [
  ['a payload of more than 64 KiB', task('b', {payload: 'x'.repeat(65_535)})],
  ['an id with a slash', task('a/b')],
  ['an empty id', task('')],
  ['an id that is very long', task('x'.repeat(129))],
  ['a priority that is not a whole number', task('b', {priority: 0.5})],
  ['no attempts', task('b', {attempts: 0})],
  ['a reservation below zero', task('b', {reserve: {tokens: -1}})],
];

/** Tasks that no queue keeps. */
export const refusedCases = (): readonly QueueCase[] =>
  wrongTasks().map(([what, wrong]) => ({
    title: `${what} is refused, and nothing of that call is added`,
    async run(place) {
      await place.engine.put(place.address, tasks('first'));
      await refused('QUEUE_TASK_INVALID', place.engine.put(place.address, [task('good'), wrong]));
      assert.equal((await place.engine.counts(place.address)).waiting, 1);
    },
  }));
