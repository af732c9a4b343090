import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {queueCases, type QueuePlace} from '@gemini-kernel/plugin-fleet/testing';
import {LocalQueues} from '#plugins/fleet/dist/queue/local-queues.js';

interface Opened extends QueuePlace, AsyncDisposable {}

async function openPlace(): Promise<Opened> {
  const folder = await mkdtemp(join(tmpdir(), 'queue-'));
  const stop = new AbortController();
  const made: LocalQueues[] = [];
  const make = (): LocalQueues => {
    const queues = new LocalQueues(stop.signal);
    made.push(queues);
    return queues;
  };
  const engine = make();
  return {
    address: join(folder, 'fleet'),
    engine,
    lease: {ms: 60, lostAfterMs: 120},
    other: () => Promise.resolve(make()),
    async restart() {
      await engine.closeAll();
      return make();
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await Promise.all(made.map((one) => one.closeAll()));
      await rm(folder, {recursive: true, force: true});
    },
  };
}

describe('queue:local', () => {
  const cases = queueCases();

  test('the suite has at least 60 cases, each with a title of its own [fleet.queue]', () => {
    expect(new Set(cases.map(({title}) => title)).size).toBe(cases.length);
    expect(cases.length).toBeGreaterThanOrEqual(60);
  });

  test.each(cases.filter(({needs}) => needs === undefined).map((one) => [one.title, one] as const))(
    '%s [fleet.queue]',
    async (_, one) => {
      await using place = await openPlace();
      await one.run(place);
    },
  );
});
