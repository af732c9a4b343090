import {mkdir, mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Entry} from '@gemini-kernel/plugin-agent/contract';
import type * as Recorders from '#plugins/sessions/dist/recorder.js';
import {median, type Bench} from './measure.js';

const MESSAGES = 10_000;
const SESSIONS = 1000;
const TEXT = 'A sentence of a conversation, about as long as they are. '.repeat(15);

/** Runs with a folder that is gone afterwards. */
async function withFolder<T>(act: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'gemini-bench-'));
  try {
    return await act(folder);
  } finally {
    await rm(folder, {recursive: true});
  }
}

function entryOf(index: number): Entry {
  const kind = index % 2 === 0 ? 'user' : 'model';
  const text = `${index} ${TEXT}`;
  return {
    id: `entry-${index}`,
    time: new Date(1.7e12 + index * 1000).toISOString(),
    kind,
    ...(kind === 'user' ? {origin: 'person'} : {model: 'm'}),
    message: {role: kind, pieces: [{kind: 'text', text}]},
  };
}

async function openRecorder(file: string): Promise<Recorders.Recorder> {
  const {Recorder} = await import('#plugins/sessions/dist/recorder.js');
  const time = new Date(1.7e12).toISOString();
  return new Recorder({
    file,
    goesOn: false,
    tell: ({sentence}) => void process.stderr.write(`${sentence}\n`),
    metadata: {sessionId: 's', projectHash: 'p', startTime: time, lastUpdated: time, kind: 'main'},
  });
}

/** Appends entries and gives the milliseconds of each. */
async function append(recorder: Recorders.Recorder, from: number, to: number): Promise<readonly number[]> {
  const times: number[] = [];
  for (let index = from; index < to; index += 1) {
    const entry = entryOf(index);
    const began = performance.now();
    await recorder.change({kind: 'put', entry});
    times.push(performance.now() - began);
  }
  return times;
}

const appending: Bench = {
  name: 'appending to a session of 10,000 messages',
  target: {atMost: 1, of: 'a millisecond'},
  run: () =>
    withFolder(async (folder) => {
      const recorder = await openRecorder(join(folder, 'session.jsonl'));
      const first = await append(recorder, 0, 500);
      await append(recorder, 500, MESSAGES - 500);
      const last = await append(recorder, MESSAGES - 500, MESSAGES);
      await recorder.close();
      return {
        ratio: median(last),
        detail: `median of the last 500; of the first 500: ${median(first).toFixed(3)} ms; without fsync`,
      };
    }),
};

const growing: Bench = {
  name: 'appending to a session of 10,000 messages',
  target: {atMost: 2, of: 'the same at its start'},
  run: () =>
    withFolder(async (folder) => {
      const recorder = await openRecorder(join(folder, 'session.jsonl'));
      await append(recorder, 0, 500);
      const first = median(await append(recorder, 500, 1500));
      await append(recorder, 1500, MESSAGES - 1000);
      const last = median(await append(recorder, MESSAGES - 1000, MESSAGES));
      await recorder.close();
      return {ratio: last / first, detail: `${(last * 1000).toFixed(0)} us / ${(first * 1000).toFixed(0)} us`};
    }),
};

const resuming: Bench = {
  name: 'reading a session of 10,000 messages to continue it',
  target: {atMost: 400, of: 'a millisecond'},
  run: () =>
    withFolder(async (folder) => {
      const file = join(folder, 'session.jsonl');
      const recorder = await openRecorder(file);
      await append(recorder, 0, MESSAGES);
      await recorder.change({kind: 'settled'});
      await recorder.close();
      const {readConversation} = await import('#plugins/sessions/dist/session-store.js');
      const times: number[] = [];
      for (let round = 0; round < 5; round += 1) {
        const began = performance.now();
        const {entries} = await readConversation(file);
        times.push(performance.now() - began);
        if (entries.length !== MESSAGES) throw new Error(`Of ${MESSAGES} messages ${entries.length} were read.`);
      }
      return {
        ratio: Math.max(...times),
        detail: `slowest of 5; ${((await readFile(file)).length / 1024 / 1024).toFixed(0)} MiB`,
      };
    }),
};

const listing: Bench = {
  name: 'listing 1,000 sessions',
  target: {atMost: 300, of: 'a millisecond'},
  run: () =>
    withFolder(async (folder) => {
      const temporary = join(folder, 'project');
      await mkdir(join(temporary, 'chats'), {recursive: true});
      const body = `${JSON.stringify({id: 'a', timestamp: 't', type: 'gemini', content: [{text: TEXT.repeat(200)}]})}\n`;
      for (let index = 0; index < SESSIONS; index += 1) {
        const start = new Date(1.7e12 + index * 60_000).toISOString();
        const head = [
          {sessionId: `session-${index}`, projectHash: 'p', startTime: start, lastUpdated: start, kind: 'main'},
          {
            $set: {
              messages: [
                {id: 'c', timestamp: start, type: 'user', content: [{text: `<session_context>${TEXT.repeat(4)}`}]},
              ],
            },
          },
        ];
        const lines = [...head, {id: 'q', timestamp: start, type: 'user', content: [{text: `Question ${index}`}]}]
          .map((one) => `${JSON.stringify(one)}\n`)
          .join('');
        await writeFile(
          join(
            temporary,
            'chats',
            `session-${start.slice(0, 16).replace(':', '-')}-${String(index).padStart(8, '0')}.jsonl`,
          ),
          `${lines}${body}${JSON.stringify({$set: {lastUpdated: start}})}\n`,
        );
      }
      const {listSessions} = await import('#plugins/sessions/dist/session-store.js');
      const times: number[] = [];
      for (let round = 0; round < 5; round += 1) {
        const began = performance.now();
        const {sessions} = listSessions({root: '/', slug: 'project', hash: '', temporary, history: ''}, '');
        times.push(performance.now() - began);
        if (sessions.length !== SESSIONS) throw new Error(`Of ${SESSIONS} sessions ${sessions.length} were listed.`);
      }
      return {ratio: Math.max(...times), detail: `slowest of 5; each of ${Math.round(body.length / 1024)} KiB`};
    }),
};

/** What it costs to record conversations and to find them again. */
export const benchSessions = (): readonly Bench[] => [appending, growing, resuming, listing];
