import {setTimeout as pause} from 'node:timers/promises';
import {TaskState, type Task} from '@a2a-js/sdk';
import type {Client} from '@a2a-js/sdk/client';
import {expect, test} from '@jest/globals';
import type {Script} from '@gemini-kernel/plugin-agent/testing';
import {says} from '../../helpers/run-agent.js';
import {artifactsOf, asks, openA2aPlace, type A2aPlace} from './a2a-place.js';

const POLL_MS = 50;

/** With --long fifty tasks, and more kills. */
const [TASKS, KILLS] = process.env['FUZZ_RUNS'] === undefined ? [12, 2] : [50, 10];
/** One caller has at most 20 at once. */
const CALLERS = 3;

interface Begun {
  readonly task: Task;
  readonly prompt: string;
  readonly caller: number;
}

/** Every second task is done at once; the others have said a word, and then nothing for as long as the server runs. */
const script: Script = ({messages}) => {
  const last = JSON.stringify(messages.at(-1)?.pieces);
  if (last.includes('Continue')) return says('Continued.');
  return last.includes('short') ? says('Done.') : {...says('Begun, ', 'never done.'), stall: {afterPieces: 1}};
};

const clientsOf = (place: A2aPlace, tokens: readonly string[]): Promise<readonly Client[]> =>
  Promise.all(tokens.map((token) => place.client(token)));

async function begin(clients: readonly Client[], round: number): Promise<readonly Begun[]> {
  return Promise.all(
    Array.from({length: TASKS}, async (_, at): Promise<Begun> => {
      const caller = at % CALLERS;
      const prompt = `${at % 2 === 0 ? 'short' : 'long'} task ${round}-${at}`;
      const task = (await clients[caller]?.sendMessage(asks(prompt, {}, true))) as Task;
      return {task, prompt, caller};
    }),
  );
}

/** Resolves when the model has said something in every long task: then its conversation is recorded. */
async function haveBegun(clients: readonly Client[], begun: readonly Begun[]): Promise<void> {
  for (const {task, prompt, caller} of begun.filter((one) => one.prompt.startsWith('long')))
    for (;;) {
      const found = await clients[caller]?.getTask({tenant: '', id: task.id});
      if ((found?.artifacts.length ?? 0) > 0) break;
      expect([prompt, found?.status?.state]).not.toEqual([prompt, TaskState.TASK_STATE_FAILED]);
      await pause(POLL_MS);
    }
}

test(
  'after kill -9, every task is done or has failed with the reason, and every conversation continues [peer.killed]',
  async () => {
    await using place = await openA2aPlace(script);
    const tokens: string[] = [];
    for (let at = 0; at < CALLERS; at += 1) tokens.push(await place.token());
    for (let round = 0; round < KILLS; round += 1) {
      await place.start();
      const first = await clientsOf(place, tokens);
      const begun = await begin(first, round);
      await haveBegun(first, begun);
      await place.kill('SIGKILL');
      await place.start();
      const clients = await clientsOf(place, tokens);
      const ends = await Promise.all(
        begun.map(async ({task, prompt, caller}) => {
          const found = await clients[caller]?.getTask({tenant: '', id: task.id});
          return {prompt, caller, contextId: task.contextId, found};
        }),
      );
      for (const {prompt, found} of ends) {
        const state = found?.status?.state;
        expect([prompt, state === TaskState.TASK_STATE_COMPLETED || state === TaskState.TASK_STATE_FAILED]).toEqual([
          ...[prompt, true],
        ]);
        if (state === TaskState.TASK_STATE_COMPLETED) expect(found && artifactsOf(found)).toEqual({response: 'Done.'});
        else expect(found?.metadata?.['reason']).toBe('The server ended while this task ran.');
        if (prompt.startsWith('long')) expect(state).toBe(TaskState.TASK_STATE_FAILED);
      }
      const continued = await Promise.all(
        ends.map(({caller, contextId}) => clients[caller]?.sendMessage(asks('Continue', {contextId})) as Promise<Task>),
      );
      expect(continued.map((task) => artifactsOf(task)['response'])).toEqual(ends.map(() => 'Continued.'));
      // What is continued knows what was asked before.
      const asked = place.server.requests.map(({messages}) => JSON.stringify(messages));
      const lost = ends.filter(({prompt}) => !asked.some((one) => one.includes(prompt) && one.includes('Continue')));
      expect(lost.map(({prompt}) => prompt).filter((prompt) => prompt.startsWith('long'))).toEqual([]);
      await place.kill('SIGTERM');
    }
  },
  process.env['FUZZ_RUNS'] === undefined ? 90_000 : 900_000,
);
