import assert from 'node:assert/strict';
import type {TaskKey, TaskStorage} from '../contract.js';

/** One case that every store of tasks passes. `open` gives the same store again, as another server opens it. */
export interface TaskStoreCase {
  readonly title: string;
  run(open: () => Promise<TaskStorage>): Promise<void>;
}

const key = (id: string, more: Partial<TaskKey> = {}): TaskKey => ({owner: 'a1b2c3d4', kind: 'task', id, ...more});
const DURABLE = {durable: true};

/** What is JSON is compared as JSON: a test runner can have arrays of another realm. */
function same(actual: unknown, expected: unknown): void {
  assert.equal(JSON.stringify(actual), JSON.stringify(expected));
}

const values = (): readonly (readonly [what: string, value: unknown])[] => [
  ['an object', {a: [1, {b: null}], c: 'x'}],
  ['a list', [1, 'two', {three: 3}]],
  ['an empty object', {}],
  ['texts of every kind', {a: 'é\u0000\n\u2028😀', '': '', __proto: 'x'}],
  ['a large value', {text: 'x'.repeat(5 * 1024 * 1024)}],
];

const keeping = (): readonly TaskStoreCase[] => [
  ...values().map(([what, value]): TaskStoreCase => ({
    title: `${what} comes back as it was`,
    async run(open) {
      await (await open()).put(key('t1'), value, DURABLE);
      same(await (await open()).get(key('t1')), value);
    },
  })),
  {
    title: 'what was never kept is undefined',
    async run(open) {
      assert.equal(await (await open()).get(key('none')), undefined);
    },
  },
  {
    title: 'the last value counts, durable or not',
    async run(open) {
      const store = await open();
      await store.put(key('t1'), 1, DURABLE);
      await store.put(key('t1'), {second: true}, {durable: false});
      same(await (await open()).get(key('t1')), {second: true});
    },
  },
  {
    title: 'what is removed is gone, and removing it again is no fault',
    async run(open) {
      const store = await open();
      await store.put(key('t1'), 1, DURABLE);
      await store.remove(key('t1'));
      await store.remove(key('t1'));
      assert.equal(await (await open()).get(key('t1')), undefined);
      same(await store.ids('a1b2c3d4'), []);
    },
  },
  {
    title: 'a hundred values at once are all kept',
    async run(open) {
      const store = await open();
      const ids = Array.from({length: 100}, (_, at) => `t-${at}`);
      await Promise.all(ids.map((id) => store.put(key(id), {id}, {durable: false})));
      same([...(await store.ids('a1b2c3d4'))].sort(), [...ids].sort());
      same(
        await Promise.all(ids.map((id) => store.get(key(id)))),
        ids.map((id) => ({id})),
      );
    },
  },
];

const apart = (): readonly TaskStoreCase[] => [
  {
    title: 'owners and kinds are apart',
    async run(open) {
      const store = await open();
      const others = [key('t1', {owner: 'e5f6a7b8'}), key('t1', {kind: 'receivers'})];
      await store.put(key('t1'), 'mine', DURABLE);
      for (const other of others) {
        assert.equal(await store.get(other), undefined);
        await store.put(other, 'other', DURABLE);
      }
      await store.remove(others[0] ?? key('t1'));
      assert.equal(await store.get(key('t1')), 'mine');
      same([await store.ids('a1b2c3d4'), await store.ids('e5f6a7b8')], [['t1'], []]);
    },
  },
  {
    title: 'an owner without tasks has no ids',
    async run(open) {
      same(await (await open()).ids('00000000'), []);
    },
  },
  ...['../t1', 'a/b', '', '.', '..', 'x'.repeat(65), 'a\u0000', 'a b'].map((id): TaskStoreCase => ({
    title: `the id ${JSON.stringify(id.slice(0, 10))} is refused`,
    async run(open) {
      const store = await open();
      await assert.rejects(store.put(key(id), 1, DURABLE));
      await assert.rejects(store.put(key('t1', {owner: id}), 1, DURABLE));
    },
  })),
];

const servers: readonly TaskStoreCase[] = [
  {
    title: 'a server is held until it releases itself, as every other one sees',
    async run(open) {
      const [one, other] = [await open(), await open()];
      assert.equal(await other.isHeld('server-1'), false);
      await one.hold('server-1');
      same([await one.isHeld('server-1'), await other.isHeld('server-1')], [true, true]);
      assert.equal(await other.isHeld('server-2'), false);
      await one.release('server-1');
      same([await one.isHeld('server-1'), await other.isHeld('server-1')], [false, false]);
    },
  },
  {
    title: 'two servers do not have one name',
    async run(open) {
      const [one, other] = [await open(), await open()];
      await one.hold('server-1');
      await assert.rejects(other.hold('server-1'));
      await other.release('server-1');
      assert.equal(await other.isHeld('server-1'), true);
      await one.release('server-1');
    },
  },
];

/** Cases for every store; the end of a process that holds a server is a case of each store itself. */
export function taskStoreCases(): readonly TaskStoreCase[] {
  return [...keeping(), ...apart(), ...servers];
}
