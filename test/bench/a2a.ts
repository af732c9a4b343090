import {spawn} from 'node:child_process';
import {once} from 'node:events';
import type {StreamResponse} from '@a2a-js/sdk';
import type {Client} from '@a2a-js/sdk/client';
import {asks, openA2aPlace} from '../plugins/a2a/a2a-place.js';
import type {Bench} from './measure.js';

const TOKENS = 10;
const TASKS_OF_EACH = 20;
const PIECES = 5;
const PAUSE_MS = 500;

/** A model in a process of its own. Each piece of its answer is the time at which it was sent. */
const MODEL = `
const {createServer} = require('node:http');
const [pieces, pause] = process.argv.slice(1).map(Number);
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    response.writeHead(200, {'content-type': 'text/event-stream'});
    let left = pieces;
    const say = () => {
      left -= 1;
      const part = {text: Date.now() + ' '};
      const end = left === 0 ? {finishReason: 'STOP'} : {};
      response.write('data: ' + JSON.stringify({candidates: [{content: {role: 'model', parts: [part]}, ...end}]}) + '\\n\\n');
      if (left === 0) response.end();
      else setTimeout(say, pause);
    };
    setTimeout(say, pause);
  });
});
server.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port));
process.stdin.resume().on('end', () => process.exit());`;

interface Followed {
  readonly isDone: boolean;
  /** For each piece of the answer, the milliseconds from the model to the caller. */
  readonly delays: readonly number[];
}

const stateOf = ({payload}: StreamResponse): number =>
  payload?.$case === 'statusUpdate' ? (payload.value.status?.state ?? 0) : 0;

const COMPLETED = 3;

async function follow(client: Client): Promise<Followed> {
  const delays: number[] = [];
  let last = 0;
  for await (const event of client.sendMessageStream(asks('Go.'))) {
    const now = Date.now();
    last = stateOf(event) || last;
    if (event.payload?.$case !== 'artifactUpdate') continue;
    for (const {content} of event.payload.value.artifact?.parts ?? [])
      if (content?.$case === 'text')
        for (const time of content.value.trim().split(' ')) if (/^\d{13}$/.test(time)) delays.push(now - Number(time));
  }
  return {isDone: last === COMPLETED, delays};
}

async function withServer<T>(act: (clients: readonly Client[]) => Promise<T>): Promise<T> {
  const model = spawn(process.execPath, ['-e', MODEL, String(PIECES), String(PAUSE_MS)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line] = (await once(model.stdout, 'data')) as [Buffer];
  try {
    await using place = await openA2aPlace([]);
    const tokens: string[] = [];
    for (let index = 0; index < TOKENS; index += 1) tokens.push(await place.token());
    await place.start({GOOGLE_GEMINI_BASE_URL: line.toString().trim()});
    return await act(await Promise.all(tokens.map((token) => place.client(token))));
  } finally {
    model.stdin.end();
  }
}

const updates: Bench = {
  name: `p95 of an update with ${TOKENS * TASKS_OF_EACH} A2A tasks at once, from the model to the caller`,
  target: {atMost: 100, of: 'a millisecond'},
  run: () =>
    withServer(async (clients) => {
      // What is loaded once counts for no task.
      await Promise.all(clients.map(follow));
      const tasks = clients.flatMap((client) => Array.from({length: TASKS_OF_EACH}, () => follow(client)));
      const all = await Promise.all(tasks);
      const delays = all.flatMap((task) => task.delays).sort((a, b) => a - b);
      const at = (part: number): number => delays[Math.floor(delays.length * part)] ?? Number.NaN;
      const lost = all.filter(({isDone}) => !isDone).length;
      const missing = tasks.length * PIECES - delays.length;
      if (lost + missing > 0) throw new Error(`${lost} tasks and ${missing} updates were lost.`);
      return {ratio: at(0.95), detail: `median ${at(0.5)} ms, longest ${at(0.999)} ms, nothing lost`};
    }),
};

export const a2a: readonly Bench[] = [updates];
