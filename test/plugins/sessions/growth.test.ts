import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {computedMs, exponentOf, measureGrowth} from '../../bench/exponent.js';
import {growSessions, sessionOf} from '../../bench/grow-sessions.js';
import {makeFolder} from '../../helpers/make-plugin.js';
import {tidySessions} from '#plugins/sessions/dist/retention.js';
import {readConversation} from '#plugins/sessions/dist/session-store.js';
import {repairHistory} from '#plugins/agent/dist/repair-history.js';

/** What this process computes for the largest, under load too, is far from the 2 of a quadratic cost. */
const MOST = 1.5;

test('the exponent of a known growth is found', () => {
  expect([1, 2].map((power) => exponentOf([1, 4, 16].map((size) => ({size, cost: 3 * size ** power}))))).toEqual([
    expect.closeTo(1),
    expect.closeTo(2),
  ]);
});

describe('the computing grows in proportion', () => {
  test('to the messages that are read and repaired [sessions.resume-linear]', async () => {
    await using folder = await makeFolder();
    const prepare = async (size: number): Promise<() => Promise<unknown>> => {
      const file = join(folder.path, `session-${size}.jsonl`);
      await writeFile(file, sessionOf(size));
      return async () => repairHistory((await readConversation(file)).entries);
    };
    expect(
      exponentOf(await measureGrowth({sizes: [2500, 10_000, 40_000], rounds: 1, prepare, clock: computedMs})),
    ).toBeLessThan(MOST);
  });

  test('to the old sessions that are deleted [sessions.tidy]', async () => {
    await using folder = await makeFolder();
    let count = 0;
    const prepare = async (size: number): Promise<() => Promise<unknown>> => {
      const project = await growSessions(join(folder.path, String((count += 1))), size);
      return () => tidySessions(project, {maxAge: 1000}, {current: '', mostMs: 60_000});
    };
    expect(
      exponentOf(await measureGrowth({sizes: [125, 500, 2000], rounds: 1, prepare, clock: computedMs})),
    ).toBeLessThan(MOST);
  });

  test('to the messages whose answers are looked for [sessions.resume-linear]', () => {
    const entries = Array.from(
      {length: 4000},
      (_, index) =>
        ({
          id: `${index}`,
          time: '',
          kind: index % 2 === 0 ? 'user' : 'model',
          message: {role: 'user', pieces: []},
        }) as never,
    );
    let reads = 0;
    const counted = new Proxy(entries, {
      get: (target, key, receiver) => ((reads += 1), Reflect.get(target, key, receiver) as unknown),
    });
    repairHistory(counted);
    expect(reads).toBeLessThan(entries.length * 10);
  });
});
