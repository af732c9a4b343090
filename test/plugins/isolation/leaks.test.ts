import {expect} from '@jest/globals';
import {findLeaks, leakProbes, openLeakLaboratory, type Inside} from './leak-plugin.js';
import {testIsolated} from './open-isolated.js';

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
