import {mkdir, readdir, rm, utimes, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import type {Settings} from '@gemini-kernel/plugin-settings/contract';
import type {ProjectFolder} from '@gemini-kernel/plugin-workspace/contract';
import {makeFolder} from '../../helpers/make-plugin.js';
import {tidySessions} from '#plugins/sessions/dist/retention.js';
import {tidyProject} from '#plugins/sessions/dist/tidy-project.js';

const OLD = new Date('2020-06-01T00:00:00.000Z');
const DAY = 24 * 3_600_000;

interface Place {
  readonly folder: ProjectFolder;
  readonly chats: string;
  /** Writes old sessions. */
  add(from: number, to: number): Promise<void>;
  left(): Promise<number>;
  [Symbol.asyncDispose](): Promise<void>;
}

async function place(): Promise<Place> {
  const made = await makeFolder();
  const chats = join(made.path, 'chats');
  await mkdir(chats);
  const folder: ProjectFolder = {root: '/', slug: 'project', hash: '', temporary: made.path, history: ''};
  return {
    folder,
    chats,
    async add(from, to) {
      for (let index = from; index < to; index += 1) {
        const id = String(index).padStart(8, '0');
        const file = join(chats, `session-2020-01-01T00-00-${id}.jsonl`);
        await writeFile(
          file,
          `${JSON.stringify({sessionId: id, projectHash: 'p', startTime: OLD.toISOString(), lastUpdated: OLD.toISOString()})}\n`,
        );
        await utimes(file, OLD, new Date(OLD.getTime() + index * 1000));
      }
    },
    left: async () => (await readdir(chats)).length,
    [Symbol.asyncDispose]: () => rm(made.path, {recursive: true}),
  };
}

const settings = (age: string): Settings =>
  ({get: async (key: string) => (key.endsWith('maxAge') ? age : undefined)}) as never;
const tidy = ({folder}: Place, age: string): Promise<void> =>
  tidyProject(folder, settings(age), {current: '', signal: new AbortController().signal, warn: () => undefined});

test('sessions are looked for once an hour, and again when the limits change [sessions.tidy]', async () => {
  await using at = await place();
  await at.add(0, 3);
  await tidy(at, '30d');
  expect(await at.left()).toBe(0);
  await at.add(0, 3);
  await tidy(at, '30d');
  expect(await at.left()).toBe(3);
  await tidy(at, '20d');
  expect(await at.left()).toBe(0);
  await at.add(0, 3);
  const before = new Date(Date.now() - 2 * 3_600_000);
  await utimes(join(at.folder.temporary, 'sessions-tidied'), before, before);
  await tidy(at, '20d');
  expect(await at.left()).toBe(0);
});

test('the oldest go first, and what does not fit into the time is left for the next run [sessions.tidy]', async () => {
  await using at = await place();
  await at.add(0, 40);
  const stopped = await tidySessions(at.folder, {maxAge: DAY}, {current: '', mostMs: 0});
  const oldest = Array.from({length: 20}, (_, index) => String(index).padStart(8, '0'));
  expect([stopped, await at.left()]).toEqual([{deleted: oldest, isDone: false}, 20]);
  const rest = await tidySessions(at.folder, {maxAge: DAY}, {current: '', mostMs: 60_000});
  expect([rest.isDone, rest.deleted.length, await at.left()]).toEqual([true, 20, 0]);
});

test.each([
  ['a folder', 'folder'],
  ['other words', '{"maxAge":1}'],
  ['many words', 'x'.repeat(5000)],
])('a mark that is %s counts for nothing [sessions.tidy]', async (_, text) => {
  await using at = await place();
  const mark = join(at.folder.temporary, 'sessions-tidied');
  await (text === 'folder' ? mkdir(mark) : writeFile(mark, text));
  await at.add(0, 2);
  await tidy(at, '30d');
  expect(await at.left()).toBe(0);
});
