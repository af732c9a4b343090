import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {setTimeout as pause} from 'node:timers/promises';
import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import type {RunWatch} from '@gemini-kernel/plugin-subagents/contract';
import {says} from '../helpers/run-agent.js';
import {agentFile, openAgents} from '../plugins/subagents/scene.js';
import {median, timeRun, type Bench} from './measure.js';

const ROUNDS = 30;
const MANY = 20;
const ANSWER_MS = 200;
/** Long enough that all of them wait for it at once. */
const HELD_MS = 3000;

type Scene = Awaited<ReturnType<typeof openAgents>>;

const watch: RunWatch = {
  signal: new AbortController().signal,
  onProgress: () => undefined,
  onEvent: () => undefined,
};
const homeFiles = {'.gemini/agents/helper.md': agentFile('helper')};
const asked = {name: 'helper', prompt: 'Go.'};

/** A model in a process of its own that says one word, after some time: measuring the client blocks this one. */
const MODEL = `
const {createServer} = require('node:http');
const answer = {candidates: [{content: {role: 'model', parts: [{text: 'Done.'}]}, finishReason: 'STOP'}]};
const server = createServer((request, response) => {
  request.resume().on('end', () => setTimeout(() => {
    response.writeHead(200, {'content-type': 'text/event-stream'}).end('data: ' + JSON.stringify(answer) + '\\n\\n');
  }, Number(process.argv[1])));
});
server.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port));
process.stdin.resume().on('end', () => process.exit());`;

async function withAgents<T>(answerMs: number, act: (scene: Scene) => Promise<T>): Promise<T> {
  const child = spawn(process.execPath, ['-e', MODEL, String(answerMs)], {stdio: ['pipe', 'pipe', 'inherit']});
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  try {
    const variables = {GOOGLE_GEMINI_BASE_URL: line.toString().trim()};
    await using scene = await openAgents(() => says('Done.'), {homeFiles, variables});
    return await act(scene);
  } finally {
    child.stdin.end();
  }
}

/** What one agent needs to begin, beside the request that any prompt makes. */
const start: Bench = {
  name: 'start of a subagent, beyond a prompt of its caller',
  target: {atMost: 5, of: 'a millisecond'},
  run: () =>
    withAgents(0, async (scene) => {
      const subagents = await scene.kernel.service('subagents');
      const took = async (act: () => Promise<unknown>): Promise<number> => {
        const began = performance.now();
        await act();
        return performance.now() - began;
      };
      const differences: number[] = [];
      for (let round = -5; round < ROUNDS; round += 1) {
        const [prompt, agent] = [await took(() => scene.send('hi')), await took(() => subagents.run(asked, watch))];
        if (round >= 0) differences.push(agent - prompt);
      }
      const ms = Math.max(0, median(differences));
      const bare = median(Array.from({length: 9}, () => timeRun({argv: ['-e', '0']})));
      return {ratio: ms, detail: `${ms.toFixed(1)} ms against ${bare.toFixed(1)} ms`};
    }),
};

const memory: Bench = {
  name: `memory of ${MANY} subagents that work, for each`,
  target: {atMost: 2, of: 'a MiB'},
  run: () =>
    withAgents(HELD_MS, async (scene) => {
      const subagents = await scene.kernel.service('subagents');
      await Promise.all([1, 2, 3].map(() => subagents.run(asked, watch)));
      const before = settledMemory();
      const runs = Array.from({length: MANY}, () => subagents.run(asked, watch));
      await pause(HELD_MS / 2);
      const grown = (settledMemory() - before) / 2 ** 20;
      await Promise.all(runs);
      return {ratio: Math.max(0, grown / MANY), detail: `${grown.toFixed(1)} MiB together`};
    }),
};

const together: Bench = {
  name: `${MANY} subagents side by side, with a model that answers in ${ANSWER_MS} ms`,
  target: {atMost: 1 / 12, of: 'one after the other'},
  run: () =>
    withAgents(ANSWER_MS, async (scene) => {
      const subagents = await scene.kernel.service('subagents');
      // As in a conversation that has used agents before.
      for (let at = 0; at < 5; at += 1) await subagents.run(asked, watch);
      const began = performance.now();
      await Promise.all(Array.from({length: MANY}, () => subagents.run(asked, watch)));
      const beside = performance.now() - began;
      const next = performance.now();
      for (let at = 0; at < MANY; at += 1) await subagents.run(asked, watch);
      const after = performance.now() - next;
      return {ratio: beside / after, detail: `${beside.toFixed(0)} ms against ${after.toFixed(0)} ms`};
    }),
};

function settledMemory(): number {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  gc();
  gc();
  const {heapUsed, external} = process.memoryUsage();
  return heapUsed + external;
}

export const agents: readonly Bench[] = [start, memory, together];
