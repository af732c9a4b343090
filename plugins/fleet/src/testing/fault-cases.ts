import assert from 'node:assert/strict';
import {item, refused, same, states, take, task, tasks, type QueueCase} from './queue-place.js';

const DONE = {result: 'ok', spent: {tokens: 1, cost: 0}} as const;

export const FAULT_CASES: readonly QueueCase[] = [
  {
    title: 'after a restart, waiting tasks wait, and results are there',
    async run(place) {
      await place.engine.put(place.address, tasks('a', 'b', 'c'));
      await place.engine.finish(place.address, await take(place), DONE);
      await place.engine.cancel(place.address, ['b']);
      const engine = await place.restart();
      same(await states({...place, engine}), {waiting: 1, running: 0, done: 1, failed: 0, cancelled: 1});
      assert.equal((await take({...place, engine})).id, 'c');
    },
  },
  {
    title: 'after a restart, limits and a pause still hold',
    async run(place) {
      await place.engine.put(place.address, tasks('a'));
      await place.engine.set(place.address, {isPaused: true, limits: {budget: {cost: 5}, perGroup: 2}});
      const engine = await place.restart();
      const {isPaused, limits: held} = await engine.counts(place.address);
      same({isPaused, held}, {isPaused: true, held: {budget: {cost: 5}, perGroup: 2}});
    },
  },
  {
    title: 'after a restart, fences are higher than all before it',
    async run(place) {
      await place.engine.put(place.address, tasks('a', 'b'));
      const first = await take(place);
      await place.engine.finish(place.address, first, DONE);
      const engine = await place.restart();
      assert.ok((await take({...place, engine})).fence > first.fence);
    },
  },
  {
    title: 'a cut way loses nothing, and what was said in vain is said again',
    needs: 'cut',
    async run(place) {
      await place.engine.put(place.address, [task('a', {attempts: 2})]);
      const claim = await take(place);
      const {heal} = (await place.cut?.()) ?? assert.fail('It cannot be cut.');
      await refused('QUEUE_UNREACHABLE', place.engine.beat(place.address, claim));
      await heal();
      await place.engine.finish(place.address, claim, DONE);
      assert.equal((await item(place, 'a')).state, 'done');
    },
  },
  {
    title: 'on a full disk nothing is said to have happened that did not',
    needs: 'fill',
    async run(place) {
      await place.engine.put(place.address, [task('a', {attempts: 2}), task('b')]);
      const claim = await take(place);
      const {free} = (await place.fill?.()) ?? assert.fail('It cannot be filled.');
      await refused(
        'QUEUE_UNWRITABLE',
        place.engine.finish(place.address, claim, {...DONE, result: 'x'.repeat(99_999)}),
      );
      await free();
      assert.equal((await item(place, 'a')).state, 'running');
      await place.engine.finish(place.address, claim, DONE);
      assert.equal((await item(place, 'a')).state, 'done');
      assert.equal((await take(place)).id, 'b');
    },
  },
];
