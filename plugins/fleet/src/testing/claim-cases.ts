import assert from 'node:assert/strict';
import {FAULT, LONG_MS, idle, item, same, spent, take, task, tasks, type QueueCase} from './queue-place.js';

export const CLAIM_CASES: readonly QueueCase[] = [
  {
    title: 'a task is given to one worker only',
    async run(place) {
      await place.engine.put(place.address, tasks('a'));
      await take(place);
      assert.equal(await idle(place), 'waiting');
    },
  },
  {
    title: 'twenty claims at once get twenty different tasks',
    async run(place) {
      await place.engine.put(
        place.address,
        Array.from({length: 20}, (_, index) => task(`t${index}`)),
      );
      const claims = await Promise.all(Array.from({length: 20}, (_, index) => take(place, `w${index}`)));
      assert.equal(new Set(claims.map(({id}) => id)).size, 20);
      assert.equal(new Set(claims.map(({fence}) => fence)).size, 20);
    },
  },
  {
    title: 'ten claims at once for one task: one gets it',
    async run(place) {
      await place.engine.put(place.address, tasks('a'));
      const answers = await Promise.all(
        Array.from({length: 10}, (_, index) =>
          place.engine.claim(place.address, {name: `w${index}`, leaseMs: LONG_MS}),
        ),
      );
      assert.equal(answers.filter((answer) => 'claim' in answer).length, 1);
    },
  },
  {
    title: 'who has a task is seen, and how often it was begun',
    async run(place) {
      await place.engine.put(place.address, tasks('a'));
      const claim = await take(place, 'ada');
      const {state, worker, attempt} = await item(place, 'a');
      same({state, worker, attempt, claimed: claim.attempt}, {state: 'running', worker: 'ada', attempt: 1, claimed: 1});
    },
  },
  {
    title: 'fences grow from claim to claim',
    async run(place) {
      await place.engine.put(place.address, tasks('a', 'b'));
      const [first, second] = [await take(place), await take(place)];
      assert.ok(second.fence > first.fence);
    },
  },
  {
    title: 'a failed attempt leaves a note for the next one',
    async run(place) {
      await place.engine.put(place.address, [task('a', {attempts: 2})]);
      const end = {fault: FAULT, next: 'retry', spent: spent(1), note: {session: 's1'}} as const;
      same(await place.engine.fail(place.address, await take(place), end), {state: 'waiting'});
      const second = await take(place);
      same([second.attempt, second.note], [2, {session: 's1'}]);
    },
  },
];
