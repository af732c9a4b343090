import {expect} from '@jest/globals';
import {openCommandLaboratory} from './leak-command.js';
import {findLeaks, leakProbes, openLeakLaboratory, type Inside} from './leak-plugin.js';
import {testIsolated} from './open-isolated.js';

/** Each probe is a start of the program here, so a test takes one of so many; `npm run leaks` takes all. */
const SAMPLE = 8;
const LIMIT_MS = 120_000;
const WORKS = 'echo x > made && cat made && ls /usr/bin >/dev/null && echo WORKS';

testIsolated.each<Inside>(['tool', 'listener', 'service'])(
  'nothing leaks to programs of a %s of a plugin that declares programs and the workspace [isolation.leaks]',
  async (where) => {
    await using place = await openLeakLaboratory();
    const probes = leakProbes();
    expect(probes.length).toBeGreaterThanOrEqual(60);
    // A plugin in which nothing works contains everything.
    expect(await place.run(where)(WORKS)).toContain('WORKS');
    expect(await findLeaks(place, where, probes)).toEqual([]);
  },
  LIMIT_MS,
);

testIsolated(
  'nothing leaks to programs of a command of such a plugin [isolation.leaks]',
  async () => {
    await using place = await openCommandLaboratory();
    const run = place.run('command');
    expect(await run(WORKS)).toContain('WORKS');
    const probes = leakProbes().filter((_, index) => index % SAMPLE === 0);
    expect(await findLeaks(place, 'command', probes)).toEqual([]);
  },
  2 * LIMIT_MS,
);
