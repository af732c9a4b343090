import assert from 'node:assert/strict';
import type {Mark} from '../contract.js';
import {
  FAULT,
  item,
  lose,
  refused,
  same,
  spent,
  take,
  task,
  tasks,
  type QueueCase,
  type QueuePlace,
} from './queue-place.js';

type Say = (place: QueuePlace, mark: Mark) => Promise<unknown>;

const DONE = {result: 'ok', spent: {tokens: 3, cost: 0.5}} as const;

/** Everything that a mark can say. */
const sayings = (): readonly (readonly [what: string, say: Say])[] => [
  ['beat', ({engine, address}, mark) => engine.beat(address, mark, {spent: spent(1)})],
  ['finish', ({engine, address}, mark) => engine.finish(address, mark, DONE)],
  ['fail', ({engine, address}, mark) => engine.fail(address, mark, {fault: FAULT, next: 'retry', spent: spent(2)})],
];

const older = (what: string, say: Say): readonly QueueCase[] => [
  {
    title: `${what} with an older fence is refused, and changes nothing`,
    async run(place) {
      await place.engine.put(place.address, [task('a', {attempts: 2})]);
      const lost = await lose(place);
      const current = await take(place);
      await refused('QUEUE_FENCE_LOST', say(place, lost));
      const {state, worker, attempt} = await item(place, 'a');
      same({state, worker, attempt}, {state: 'running', worker: 'w1', attempt: 2});
      await place.engine.finish(place.address, current, DONE);
    },
  },
  {
    title: `${what} with a fence that no one has is refused`,
    async run(place) {
      await place.engine.put(place.address, tasks('a'));
      const {id, fence} = await take(place);
      await refused('QUEUE_FENCE_LOST', say(place, {id, fence: fence + 1}));
      assert.equal((await item(place, 'a')).state, 'running');
    },
  },
];

const unheld = (what: string, say: Say): readonly QueueCase[] => [
  {
    title: `${what} about a task that is not there is refused`,
    async run(place) {
      await place.engine.put(place.address, tasks('a'));
      await refused('QUEUE_FENCE_LOST', say(place, {id: 'none', fence: 1}));
    },
  },
  {
    title: `${what} about a task that waits is refused`,
    async run(place) {
      await place.engine.put(place.address, tasks('a'));
      await refused('QUEUE_FENCE_LOST', say(place, {id: 'a', fence: 0}));
      assert.equal((await item(place, 'a')).state, 'waiting');
    },
  },
];

/** What a mark may not say. */
export const fenceCases = (): readonly QueueCase[] =>
  sayings().flatMap(([what, say]) => [...older(what, say), ...unheld(what, say)]);
