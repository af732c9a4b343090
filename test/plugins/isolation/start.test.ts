import {spawnSync} from 'node:child_process';
import {expect} from '@jest/globals';
import {makeFolder, makePlugin} from '../../helpers/make-plugin.js';
import {guest} from './guest.js';
import {openIsolated, testIsolated} from './open-isolated.js';

/** The programs that this one has started and that run. */
function started(): readonly string[] {
  const {stdout} = spawnSync('ps', ['-o', 'args=', '--ppid', String(process.pid)], {encoding: 'utf8'});
  return stdout.split('\n').filter((line) => line !== '' && !line.startsWith('ps '));
}

testIsolated('the heap of an isolated plugin ends at 256 MiB, and its Node has no flag for V8', async () => {
  await using folder = await makeFolder();
  const code = `async run() {
    const {heap_size_limit: limit} = (await import('node:v8')).getHeapStatistics();
    return {model: JSON.stringify({mib: limit / 2 ** 20, flags: process.execArgv})};
  }`;
  const plugin = await makePlugin(folder.path, guest({guest_heap: code}));
  await using kernel = await openIsolated({plugins: [plugin]});
  const outcome = (await kernel.call('guest_heap', {})) as {readonly result: {readonly model: string}};
  const {mib, flags} = JSON.parse(outcome.result.model) as {mib: number; flags: readonly string[]};
  expect(mib).toBeGreaterThanOrEqual(256);
  expect(mib).toBeLessThan(300);
  expect(flags.filter((flag) => /space|heap|size/.test(flag))).toEqual([]);
});

testIsolated('what an isolated plugin uses of the kernel comes from one file', async () => {
  await using folder = await makeFolder();
  const code = `async run() {
    const file = new URL(import.meta.resolve('@gemini-kernel/kernel'));
    return {model: String(/\\bfrom\\s*["']\\.\\//.test(fs.readFileSync(file, 'utf8')))};
  }`;
  const plugin = await makePlugin(folder.path, guest({guest_kernel: code}));
  await using kernel = await openIsolated({plugins: [plugin]});
  expect(await kernel.call('guest_kernel', {})).toMatchObject({status: 'done', result: {model: 'false'}});
});

testIsolated('installed plugins that are not used have no process', async () => {
  await using folder = await makeFolder();
  const used = {
    ...guest({guest_used: `run: async () => ({model: 'ran'})`}),
    ...{name: 'gemini-plugin-used', origin: 'core' as const},
  };
  const unused = Array.from({length: 30}, (_, index) =>
    guest({[`guest_${index}`]: `run: async () => ({model: 'ran'})`}, {name: `gemini-plugin-unused-${index}`}),
  );
  const plugins = await Promise.all([used, ...unused].map((parts) => makePlugin(folder.path, parts)));
  await using kernel = await openIsolated({plugins});
  const before = started();
  expect(await kernel.call('guest_used', {})).toMatchObject({status: 'done'});
  expect(started()).toEqual(before);
  expect(await (await kernel.service('isolation')).state()).toEqual([]);
  expect(await kernel.call('guest_7', {})).toMatchObject({status: 'done', result: {model: 'ran'}});
  expect(started().filter((one) => one.includes('gemini-plugin-unused-'))).toHaveLength(1);
});
