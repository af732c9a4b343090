import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {TestKernel} from '@gemini-kernel/kernel/testing';
import {listenerCode, makeFolder, makePlugin} from '../helpers/make-plugin.js';
import {guest} from '../plugins/isolation/guest.js';
import {openIsolated} from '../plugins/isolation/open-kernel.js';
import {median, timeRun, type Bench} from './measure.js';
import {withHome} from './start.js';

const MANY = 30;
const CALLS = 60;

/** A kernel with installed plugins that judge every call, each in a process that runs. */
async function withJudges<T>(count: number, use: (kernel: TestKernel) => Promise<T>): Promise<T> {
  await using folder = await makeFolder();
  const any = guest({guest_any: `run: async () => ({model: 'ran'})`}, {name: 'gemini-plugin-any', origin: 'core'});
  const judges = Array.from({length: count}, (_, index) => ({
    name: `gemini-plugin-judge-${index}`,
    origin: 'user' as const,
    listeners: [{hook: 'tool:judge', module: 'dist/judge.js'}],
    files: {'dist/judge.js': listenerCode('tool:judge', 'return undefined;')},
  }));
  const plugins = await Promise.all([any, ...judges].map((parts) => makePlugin(folder.path, parts)));
  await using kernel = await openIsolated({plugins});
  // As many starts at once may take longer than a gate may.
  while ((await kernel.call('guest_any', {})).status !== 'done');
  return await use(kernel);
}

async function timeOfCalls(kernel: TestKernel): Promise<number> {
  const times: number[] = [];
  for (let count = 0; count < CALLS; count += 1) {
    const started = performance.now();
    const {status} = await kernel.call('guest_any', {});
    times.push(performance.now() - started);
    if (status !== 'done') throw new Error(`A call ended as ${status}.`);
  }
  return median(times);
}

const gate: Bench = {
  name: `a gate asked of ${MANY} isolated plugins that run`,
  target: {atMost: 10, of: 'a millisecond'},
  run: () =>
    withJudges(MANY, (kernel) =>
      withJudges(0, async (bare) => {
        const service = await kernel.service('isolation');
        const running = (await service.state()).filter(({state}) => state === 'running').length;
        if (running !== MANY) throw new Error(`${running} of ${MANY} processes run.`);
        await timeOfCalls(kernel);
        await timeOfCalls(bare);
        const [own, none] = [await timeOfCalls(kernel), await timeOfCalls(bare)];
        return {
          ratio: own - none,
          detail: `${own.toFixed(1)} ms a call, ${none.toFixed(1)} ms without them, medians of ${CALLS}`,
        };
      }),
    ),
};

const unused: Bench = {
  name: `${MANY} isolated plugins that are not used, at a start`,
  target: {atMost: 5, of: 'a millisecond more than with isolation off'},
  run: () =>
    withHome(MANY, async (program, home) => {
      const set = (mode: string): Promise<void> =>
        writeFile(join(home, '.gemini', 'settings.json'), JSON.stringify({security: {pluginIsolation: mode}}));
      const call = program(['tools', 'call', 'read_file', 'file_path=a.txt', '--yes']);
      const differences: number[] = [];
      for (let round = 0; round < 25; round += 1) {
        await set('off');
        const off = timeRun(call);
        await set('required');
        differences.push(timeRun(call) - off);
      }
      return {
        ratio: median(differences),
        detail: `median of ${differences.length} differences; the code of each throws when it is read`,
      };
    }),
};

/** What many plugins in processes of their own cost. */
export const manyIsolated: readonly Bench[] = [gate, unused];
