import assert from 'node:assert/strict';
import {idle, refused, same, states, take, tasks, type QueueCase} from './queue-place.js';

export const OTHER_CASES: readonly QueueCase[] = [
  {
    title: 'another process sees the tasks and their states',
    async run(place) {
      await place.engine.put(place.address, tasks('a', 'b'));
      await take(place);
      const other = await place.other();
      same(await states({...place, engine: other}), {waiting: 1, running: 1, done: 0, failed: 0, cancelled: 0});
      same(
        (await other.list(place.address, {})).map(({state}) => state),
        ['running', 'waiting'],
      );
    },
  },
  {
    title: 'another process cancels, retries and pauses',
    async run(place) {
      await place.engine.put(place.address, tasks('a', 'b'));
      const claim = await take(place);
      const other = await place.other();
      assert.equal(await other.cancel(place.address), 2);
      same(await place.engine.beat(place.address, claim), {order: 'cancel'});
      assert.equal(await other.retry(place.address, ['b']), 1);
      await other.set(place.address, {isPaused: true});
      assert.equal(await idle(place), 'paused');
    },
  },
  {
    title: 'a queue that does not exist is named',
    async run(place) {
      await refused('QUEUE_ABSENT', (await place.other()).counts(place.address));
    },
  },
];
