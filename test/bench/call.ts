import {createTestKernel} from '@gemini-kernel/kernel/testing';
import {fileURLToPath} from 'node:url';
import {readPlugin} from '@gemini-kernel/kernel/testing';
import {median, type Bench} from './measure.js';

const CALLS = 20_000;
const BATCH = 100;

/** The kernel's own share of a call: validate, judge with one listener, wrap with one, trace; the tool does nothing. */
export const call: Bench = {
  name: 'kernel overhead of one tool call',
  target: {atMost: 60, of: 'a microsecond'},
  async run() {
    await using kernel = await createTestKernel({
      plugins: [await readPlugin(fileURLToPath(new URL('../../fixtures/noop', import.meta.url)))],
    });
    const act = async (): Promise<number> => {
      const started = performance.now();
      for (let index = 0; index < BATCH; index += 1) {
        const {status} = await kernel.call('noop', {text: 'hello', count: 3});
        if (status !== 'done') throw new Error(`The call ended ${status}.`);
      }
      return ((performance.now() - started) * 1000) / BATCH;
    };
    await act();
    const each = median(await repeat(act, CALLS / BATCH));
    return {ratio: each, detail: `median of ${CALLS / BATCH} batches of ${BATCH} calls`};
  },
};

async function repeat(act: () => Promise<number>, times: number): Promise<readonly number[]> {
  const results: number[] = [];
  for (let index = 0; index < times; index += 1) results.push(await act());
  return results;
}
