import {queueCases, type QueuePlace} from '@gemini-kernel/plugin-fleet/testing';
import {afterAll, beforeAll, describe, test} from '@jest/globals';
import {SharedQueues} from '#plugins/fleet-bullmq/dist/shared-queues.js';
import type {QueueServer} from '../../helpers/queue-servers.js';

interface Opened extends QueuePlace, AsyncDisposable {}

export interface Subject {
  /** What has to be installed. */
  readonly name: string;
  /** Undefined where it is not. */
  readonly start: (() => Promise<QueueServer>) | undefined;
  address(port: number, fleet: string): string;
}

function openPlace({address}: Subject, server: QueueServer, fleet: string): Opened {
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
    async [Symbol.asyncDispose]() {
      stop.abort();
      await Promise.all(made.map((one) => one.closeAll()));
    },
  };
}

/** Runs the cases of queues against a real server, and what a test adds with it. */
export function runCases(subject: Subject, more: (server: () => QueueServer) => void): void {
  const {name, start} = subject;
  const on = start ? test : test.skip;
  const title = start ? `queue:bullmq on ${name}` : `queue:bullmq on ${name}, which is not installed here`;
  let server: QueueServer | undefined;
  let count = 0;
  const running = (): QueueServer => server as QueueServer;

  describe(title, () => {
    beforeAll(async () => (server = await start?.()));
    afterAll(async () => server?.[Symbol.asyncDispose]());

    const cases = queueCases().filter(({needs}) => needs !== 'fill');
    on.each(cases.map((one) => [one.title, one] as const))('%s [fleet.queue]', async (_, one) => {
      count += 1;
      await using place = openPlace(subject, running(), `case-${count}`);
      await one.run(place);
    });
    if (start) more(running);
  });
}
