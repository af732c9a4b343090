import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import {expect, test} from '@jest/globals';
import {FrameReader, writeFrame} from '#plugins/isolation/dist/wire/frames.js';
import {fuzzFrames} from './fuzz-frames.js';

/** `npm run fuzz` sends 100,000. */
const FRAMES = process.env['FUZZ_RUNS'] === undefined ? 3000 : 100_000;

function collect(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

test('frames that no peer sends end a connection and nothing else: no request is lost or answered twice [isolation.frames]', async () => {
  const seed = Date.now() % 1e9;
  await fuzzFrames(500, 7);
  const before = collect();
  const {frames, ended, asked, unsettled, settledTwice} = await fuzzFrames(FRAMES, seed);
  expect({seed, unsettled, settledTwice}).toEqual({seed, unsettled: 0, settledTwice: 0});
  expect(frames).toBeGreaterThanOrEqual(FRAMES);
  expect(ended).toBeGreaterThan(FRAMES / 200);
  expect(asked).toBeGreaterThanOrEqual(FRAMES);
  expect(collect() - before).toBeLessThan(8 * 2 ** 20);
}, 600_000);

test('a frame that comes byte by byte is read like one that comes whole [isolation.frames]', () => {
  const values = [{id: 1, result: 'ä'.repeat(3000)}, [], {id: 2}];
  const bytes = Buffer.concat(values.map((value) => writeFrame(value)));
  for (const size of [1, 3, 4, 5, 1000, bytes.length]) {
    const reader = new FrameReader();
    const got: unknown[] = [];
    for (let at = 0; at < bytes.length; at += size) got.push(...reader.push(bytes.subarray(at, at + size)));
    expect(got).toEqual(values);
  }
});
