import type {Claim, QueueEngine} from '@gemini-kernel/plugin-fleet/contract';
import {queueCases, type QueuePlace} from '@gemini-kernel/plugin-fleet/testing';
import {afterAll, beforeAll, describe, expect, test} from '@jest/globals';
import {SharedQueues} from '#plugins/fleet-bullmq/dist/shared-queues.js';
import type {QueueServer} from '../../helpers/queue-servers.js';

interface Opened extends QueuePlace, AsyncDisposable {}

/** An engine on a kind of server. */
export interface Subject {
  /** What has to be installed. */
  readonly name: string;
  /** Undefined where it is not. */
  readonly start: (() => Promise<QueueServer>) | undefined;
  address(port: number, fleet: string): string;
  /** Has the server be full. */
  readonly fill?: (server: QueueServer) => Promise<{free(): Promise<void>}>;
}

function openPlace({address, fill}: Subject, server: QueueServer, fleet: string): Opened {
  const stop = new AbortController();
  const made: SharedQueues[] = [];
  const make = (): SharedQueues => {
    const queues = new SharedQueues(stop.signal);
    made.push(queues);
    return queues;
  };
  return {
    address: address(server.way.port, fleet),
    engine: make(),
    lease: {ms: 400, lostAfterMs: 550},
    other: () => Promise.resolve(make()),
    async restart() {
      await server.kill();
      await server.start();
      return make();
    },
    async cut() {
      await server.way.cut();
      return {heal: () => server.way.heal()};
    },
    async skew(ms) {
      const {now} = Date;
      Date.now = () => now() + ms;
      return {right: async () => void (Date.now = now)};
    },
    ...(fill ? {fill: () => fill(server)} : {}),
    async [Symbol.asyncDispose]() {
      stop.abort();
      await Promise.all(made.map((one) => one.closeAll()));
    },
  };
}

/** Runs the cases of queues against a real server, and what a test adds with it. */
export function runCases(subject: Subject, more: (on: typeof test, server: () => QueueServer) => void): void {
  const {name, start} = subject;
  const on = start ? test : test.skip;
  const title = start ? `queue:bullmq on ${name}` : `queue:bullmq on ${name}, which is not installed here`;
  let server: QueueServer | undefined;
  let count = 0;
  const running = (): QueueServer => server as QueueServer;

  describe(title, () => {
    beforeAll(async () => (server = await start?.()));
    afterAll(async () => server?.[Symbol.asyncDispose]());

    const cases = queueCases().filter(({needs}) => needs !== 'fill' || subject.fill);
    on.each(cases.map((one) => [one.title, one] as const))('%s [fleet.queue]', async (_, one) => {
      count += 1;
      await using place = openPlace(subject, running(), `case-${count}`);
      await one.run(place);
    });
    on(
      'processes that work at the same time do each task once, and all that they spent is counted [fleet.bullmq]',
      async () => {
        await using place = openPlace(subject, running(), 'many');
        const {address} = place;
        await place.engine.put(
          address,
          Array.from({length: 40}, (_, index) => ({id: `t${index}`, payload: index, group: `g${index % 5}`})),
        );
        await place.engine.set(address, {limits: {perGroup: 1}});
        const done = await Promise.all(
          ['a', 'b', 'c', 'd'].map(async (name) => workOff(await place.other(), address, name)),
        );
        expect(done.flat().sort()).toEqual(Array.from({length: 40}, (_, index) => `t${index}`).sort());
        const {done: count, spent} = await place.engine.counts(address);
        expect({count, spent}).toEqual({count: 40, spent: {tokens: 40, cost: 4}});
      },
    );

    more(on as typeof test, running);
  });
}

/** Does tasks until there are none. Gives their ids. */
async function workOff(queues: QueueEngine, address: string, name: string): Promise<readonly string[]> {
  const done: string[] = [];
  for (;;) {
    const answer = await queues.claim(address, {name, leaseMs: 60_000});
    if ('claim' in answer) {
      expect(await queues.beat(address, answer.claim)).toEqual({order: 'continue'});
      await queues.finish(address, answer.claim, {result: name, spent: {tokens: 1, cost: 0.1}});
      done.push(answer.claim.id);
    } else if (answer.idle === 'empty') return done;
  }
}

/** Queues that no one closes but the one who made them. */
export function openQueues(): SharedQueues {
  return new SharedQueues(new AbortController().signal);
}

/** The code and the sentence of a refusal. */
export async function refusalOf(act: Promise<unknown>): Promise<readonly unknown[]> {
  const {code, message} = (await act.then(
    () => new Error('It was not refused.'),
    (error: unknown) => error,
  )) as {readonly code?: unknown; readonly message: string};
  return [code, message];
}

/** Puts tasks, and brings two to wait and one each to run, to be done, to have failed and to be cancelled. */
export async function mixStates(queues: SharedQueues, address: string): Promise<void> {
  const [worker, spent] = [
    {name: 'w', leaseMs: 60_000},
    {tokens: 1, cost: 0},
  ];
  const fault = {code: 'EXAMPLE', message: 'An example.'};
  const take = async (): Promise<Claim> => ((await queues.claim(address, worker)) as {readonly claim: Claim}).claim;
  await queues.put(
    address,
    ['done:1', 'failed', 'runs', 'again', 'waits', 'cancelled'].map((id) => ({id, payload: id, attempts: 2})),
  );
  await queues.finish(address, await take(), {result: 1, spent});
  await queues.fail(address, await take(), {fault, next: 'end', spent});
  await take();
  await queues.fail(address, await take(), {fault, next: 'retry', spent});
  await queues.cancel(address, ['cancelled']);
  await queues.cancel(address, ['waits']);
  await queues.retry(address, ['waits']);
}
