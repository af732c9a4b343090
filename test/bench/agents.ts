import {setTimeout as pause} from 'node:timers/promises';
import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import type {RunWatch} from '@gemini-kernel/plugin-subagents/contract';
import {says} from '../helpers/run-agent.js';
import {agentFile, isOf, openAgents} from '../plugins/subagents/scene.js';
import {median, type Bench} from './measure.js';

const ROUNDS = 30;
const MANY = 20;
const ANSWER_MS = 200;

const watch: RunWatch = {
  signal: new AbortController().signal,
  onProgress: () => undefined,
  onEvent: () => undefined,
};
const homeFiles = {'.gemini/agents/helper.md': agentFile('helper')};
const asked = {name: 'helper', prompt: 'Go.'};

/** What one agent needs to begin, beside the request that any prompt makes. */
const start: Bench = {
  name: 'start of a subagent, beyond a prompt of its caller',
  target: {atMost: 5, of: 'a millisecond'},
  async run() {
    await using scene = await openAgents(() => says('Done.'), {homeFiles});
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
    return {ratio: Math.max(0, median(differences)), detail: `${ROUNDS} rounds, one request each`};
  },
};

const memory: Bench = {
  name: `memory of ${MANY} subagents that work, for each`,
  target: {atMost: 2, of: 'a MiB'},
  async run() {
    let release = (): void => undefined;
    const open = new Promise<void>((resolve) => (release = resolve));
    let isHolding = false;
    let held = 0;
    await using scene = await openAgents(
      async (request) => {
        if (isHolding && isOf(request, 'helper')) {
          held += 1;
          await open;
        }
        return says('Done.');
      },
      {homeFiles},
    );
    const subagents = await scene.kernel.service('subagents');
    for (let round = 0; round < 5; round += 1) await subagents.run(asked, watch);
    isHolding = true;
    const before = settledRss();
    const runs = Array.from({length: MANY}, () => subagents.run(asked, watch));
    while (held < MANY) await pause(20);
    const grown = (settledRss() - before) / 2 ** 20 / MANY;
    release();
    await Promise.all(runs);
    return {ratio: Math.max(0, grown), detail: `${(grown * MANY).toFixed(1)} MiB together, with the scripted server`};
  },
};

const together: Bench = {
  name: `${MANY} subagents side by side, with a model that answers in ${ANSWER_MS} ms`,
  target: {atMost: 1 / 12, of: 'one after the other'},
  async run() {
    const script = async () => {
      await pause(ANSWER_MS);
      return says('Done.');
    };
    await using scene = await openAgents(script, {homeFiles});
    const subagents = await scene.kernel.service('subagents');
    await subagents.run(asked, watch);
    const began = performance.now();
    await Promise.all(Array.from({length: MANY}, () => subagents.run(asked, watch)));
    const beside = performance.now() - began;
    const next = performance.now();
    for (let at = 0; at < MANY; at += 1) await subagents.run(asked, watch);
    const after = performance.now() - next;
    return {ratio: beside / after, detail: `${beside.toFixed(0)} ms against ${after.toFixed(0)} ms`};
  },
};

function settledRss(): number {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  gc();
  gc();
  return process.memoryUsage().rss;
}

export const agents: readonly Bench[] = [start, memory, together];
