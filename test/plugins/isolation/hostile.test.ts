import {execFileSync} from 'node:child_process';
import {mkdirSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {expect} from '@jest/globals';
import {makeFolder, makePlugin} from '../../helpers/make-plugin.js';
import {where} from '../../helpers/where.js';
import {guest, NAME} from './guest.js';
import {openIsolated, testIsolated} from './open-isolated.js';

/** `npm run fuzz` prints 10 GB. */
const OUTPUT_MIB = process.env['FUZZ_RUNS'] === undefined ? 300 : 10_240;
const LIMIT_MS = 120_000;

const HOSTILE: Readonly<Record<string, string>> = {
  loop: 'async run() { for (;;); }',
  exit: 'async run() { process.exit(0); }',
  crash: "async run() { setTimeout(() => { throw new Error('later'); }); await new Promise(() => undefined); }",
  heap: 'async run() { const all = []; for (;;) all.push({}); }',
  memory: 'async run() { const all = []; for (let i = 0; i < 64; i += 1) all.push(Buffer.alloc(2 ** 26, 1)); }',
  frames: "async run() { for (;;) fs.writeSync(7, Buffer.from('no frame at all')); }",
  huge: 'async run() { fs.writeSync(7, Buffer.from([255, 255, 255, 255])); await new Promise(() => undefined); }',
  deaf: 'async run() { fs.closeSync(7); await new Promise(() => setInterval(() => undefined, 1000)); }',
};

/** The processes of this machine that have a word in their arguments. */
function processesWith(word: string): readonly string[] {
  return readdirSync('/proc').filter((id) => {
    if (!/^\d+$/.test(id)) return false;
    try {
      return readFileSync(`/proc/${id}/cmdline`, 'utf8').includes(word);
    } catch {
      return false;
    }
  });
}

testIsolated(
  'what a plugin does to its process ends that process and nothing else, with a line that names it [isolation.hostile]',
  async () => {
    await using folder = await makeFolder();
    const kinds = Object.keys(HOSTILE);
    const plugins = await Promise.all(
      kinds.map((kind) =>
        makePlugin(folder.path, guest({[`guest_${kind}`]: HOSTILE[kind] ?? ''}, {name: `gemini-plugin-${kind}`})),
      ),
    );
    const good = await makePlugin(folder.path, guest({guest_good: `run: async () => ({model: 'alive'})`}));
    await using kernel = await openIsolated({plugins: [...plugins, good]});
    const outcomes = await Promise.all(kinds.map((kind) => kernel.call(`guest_${kind}`, {})));
    // Memory beside the heap is refused to it, and its process remains.
    const {memory, ...others} = Object.fromEntries(kinds.map((kind, index) => [kind, outcomes[index]]));
    expect(memory).toMatchObject({status: 'failed', error: {code: 'TOOL_CRASHED'}});
    for (const [kind, outcome] of Object.entries(others))
      expect(outcome).toMatchObject({
        status: 'failed',
        error: {code: 'PLUGIN_DIED', message: expect.stringContaining(`gemini-plugin-${kind}`)},
      });
    const told = kernel.notices.filter(({code}) => code === 'PLUGIN_DIED').map(({sentence}) => sentence);
    for (const kind of Object.keys(others))
      expect(told.some((one) => one.includes(`gemini-plugin-${kind}`))).toBe(true);
    expect(await kernel.call('guest_good', {})).toMatchObject({status: 'done', result: {model: 'alive'}});
  },
  LIMIT_MS,
);

testIsolated(
  'endless output is read and dropped, and a call continues beside it [isolation.hostile]',
  async () => {
    await using folder = await makeFolder();
    const flood = `async run() {
      const part = Buffer.alloc(2 ** 20, 'x');
      const streams = [process.stdout, process.stderr];
      for (let count = 0; count < ${OUTPUT_MIB}; count += 1) await new Promise((resolve) => streams[count % 2].write(part, resolve));
      return {model: 'printed'};
    }`;
    const plugin = await makePlugin(folder.path, guest({guest_flood: flood}));
    await using kernel = await openIsolated({plugins: [plugin]});
    const before = process.memoryUsage().rss;
    expect(await kernel.call('guest_flood', {})).toMatchObject({status: 'done', result: {model: 'printed'}});
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 2 ** 20);
  },
  LIMIT_MS * 5,
);

testIsolated(
  'processes that a plugin leaves behind end with it [isolation.hostile]',
  async () => {
    await using folder = await makeFolder();
    const bomb = `async run() {
      const script = 'trap "" TERM HUP; i=0; while [ $i -lt 150 ]; do setsid sleep 54321 & i=$((i+1)); done';
      child.spawn('/bin/sh', ['-c', script], {stdio: 'ignore', detached: true}).unref();
      await new Promise((resolve) => setTimeout(resolve, 1000));
      return {model: 'begun'};
    }`;
    const plugin = await makePlugin(folder.path, guest({guest_bomb: bomb}, {capabilities: ['process']}));
    {
      await using kernel = await openIsolated({plugins: [plugin]});
      expect(await kernel.call('guest_bomb', {})).toMatchObject({status: 'done'});
      expect(processesWith('54321').length).toBeGreaterThan(100);
    }
    for (let tries = 0; tries < 40 && processesWith('54321').length > 0; tries += 1) await pause(50);
    expect(processesWith('54321')).toEqual([]);
  },
  LIMIT_MS,
);

function canMount(folder: string): boolean {
  mkdirSync(folder, {recursive: true});
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'gemini-test', folder], {stdio: 'ignore'});
    return true;
  } catch {
    return false;
  }
}

(process.getuid?.() === 0 ? testIsolated : where(false, 'root'))(
  'a full disk in the data folder of a plugin is its own problem [isolation.hostile]',
  async () => {
    await using folder = await makeFolder();
    const fill = `async run() {
      try { for (;;) fs.appendFileSync(process.env.HOME + '/full', Buffer.alloc(2 ** 16)); }
      catch (error) { return {model: error.code}; }
    }`;
    const plugin = await makePlugin(folder.path, guest({guest_fill: fill}));
    await using kernel = await openIsolated({plugins: [plugin]});
    const data = join(kernel.home, '.gemini', 'plugin-data', NAME);
    if (!canMount(data)) return;
    try {
      expect(await kernel.call('guest_fill', {})).toMatchObject({status: 'done', result: {model: 'ENOSPC'}});
      expect(await kernel.call('guest_fill', {})).toMatchObject({status: 'done', result: {model: 'ENOSPC'}});
    } finally {
      execFileSync('umount', ['-l', data]);
    }
  },
);
