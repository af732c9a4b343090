import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import type {Session} from '@gemini-kernel/kernel/host';
import {createTestKernel, type TestKernel} from '@gemini-kernel/kernel/testing';
import {listenerCode, makeFolder, makePlugin} from '../helpers/make-plugin.js';
import {pluginRoot} from '../helpers/plugin-root.js';
import {median, type Bench} from './measure.js';

const SESSIONS = 100;
const TOOLS = 500;
const WAIT_MS = 50;
const PLUGINS = [
  'settings',
  'trust',
  'env',
  'network',
  'workspace',
  'policy',
  'secrets',
  'filesystem',
  'search',
  'shell',
  'memory',
  'agent',
  'model-replay',
];

/** A kernel with the plugins of a conversation, a model that waits before it answers, and a source of many tools. */
async function withKernel<T>(act: (kernel: TestKernel) => Promise<T>, tools = 0): Promise<T> {
  await using folder = await makeFolder();
  const wait = `await new Promise((done) => setTimeout(done, ${WAIT_MS}));`;
  const answer = "[{kind: 'text', text: 'Done.'}, {kind: 'end', reason: 'stop'}]";
  const slow = await makePlugin(folder.path, {
    name: 'slow',
    listeners: [{hook: 'model:request', module: './listener.mjs'}],
    services:
      tools === 0 ? [] : [{name: 'tools:many', version: '1.0.0', scope: 'session' as const, module: './tools.mjs'}],
    files: {
      'listener.mjs': listenerCode('model:request', `${wait} return {...payload.value, answer: ${answer}};`),
      'tools.mjs': `import {provide} from '@gemini-kernel/kernel';
const input = (n) => ({type: 'object', required: ['q'], properties: {q: {type: 'string', description: 'What ' + n + ' asks for.'}}});
const tools = Array.from({length: ${tools}}, (_, n) => ({name: 'remote_' + n, description: 'Does what ' + n + ' does.',
  effect: 'read', input: input(n)}));
export default provide('tools:many', {version: '1.0.0', scope: 'session', create: () => ({
  list: async () => tools, run: async (name) => ({model: name})})});`,
    },
  });
  await using kernel = await createTestKernel({
    plugins: [...PLUGINS.map(pluginRoot), slow],
    live: true,
    variables: {GEMINI_CLI_TRUST_WORKSPACE: 'true'},
    flags: {'model.name': 'replay:none'},
  });
  const result = await act(kernel);
  return result;
}

async function open({kernel}: TestKernel): Promise<Session> {
  const session = kernel.open({live: true});
  await session.announce();
  return session;
}

const second: Bench = {
  name: 'opening a second session in a place',
  target: {atMost: 3, of: 'a millisecond'},
  run: () =>
    withKernel(async (kernel) => {
      const times: number[] = [];
      for (let round = 0; round < 60; round += 1) {
        const started = performance.now();
        const session = await open(kernel);
        times.push(performance.now() - started);
        await session.close();
      }
      return {ratio: median(times.slice(10)), detail: `${PLUGINS.length} plugins, announced to all of them`};
    }),
};

const size: Bench = {
  name: 'memory of one more session in a place',
  target: {atMost: 1, of: 'a MiB'},
  run: () =>
    withKernel(async (kernel) => {
      setFlagsFromString('--expose-gc');
      const collect = runInNewContext('gc') as () => void;
      await open(kernel);
      collect();
      const before = process.memoryUsage().heapUsed;
      for (let count = 0; count < SESSIONS; count += 1) await say(await open(kernel));
      collect();
      const each = (process.memoryUsage().heapUsed - before) / SESSIONS / 2 ** 20;
      return {ratio: each, detail: `heap, ${SESSIONS} sessions that each had one prompt answered`};
    }),
};

async function say(session: Session): Promise<void> {
  const agent = await session.service('agent');
  const {status} = await agent.send({text: 'go'}, {signal: new AbortController().signal, onEvent: () => undefined});
  if (status !== 'done') throw new Error(`The prompt ended as ${status}.`);
}

const together: Bench = {
  name: `${SESSIONS} sessions side by side, each waiting ${WAIT_MS} ms for its model`,
  target: {atMost: 0.33, of: 'the same one after the other'},
  run: () =>
    withKernel(async (kernel) => {
      const time = async (act: (sessions: readonly Session[]) => Promise<unknown>): Promise<number> => {
        const sessions = await Promise.all(Array.from({length: SESSIONS}, () => open(kernel)));
        const started = performance.now();
        await act(sessions);
        const ms = performance.now() - started;
        for (const session of sessions) await session.close();
        return ms;
      };
      const inOrder = await time(async (sessions) => {
        for (const session of sessions) await say(session);
      });
      const atOnce = await time((sessions) => Promise.all(sessions.map(say)));
      return {
        ratio: atOnce / inOrder,
        detail: `${atOnce.toFixed(0)} ms against ${inOrder.toFixed(0)} ms, opening not counted`,
      };
    }),
};

const listed: Bench = {
  name: `a source of ${TOOLS} tools, once listed`,
  target: {atMost: 1, of: 'a millisecond more per request'},
  async run() {
    const time = ({session}: TestKernel): Promise<number> =>
      repeat(async () => {
        await session.offered();
      });
    const [without, withTools] = [await withKernel(time), await withKernel(time, TOOLS)];
    return {
      ratio: withTools - without,
      detail: `${withTools.toFixed(3)} ms to list what a model is given, against ${without.toFixed(3)} ms`,
    };
  },
};

async function repeat(act: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 200; round += 1) {
    const started = performance.now();
    await act();
    times.push(performance.now() - started);
  }
  return median(times.slice(50));
}

/** Many sessions in one process. */
export const places: readonly Bench[] = [second, size, together, listed];
