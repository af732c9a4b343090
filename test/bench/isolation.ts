import {spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {readFileSync} from 'node:fs';
import {makeFolder, makePlugin} from '../helpers/make-plugin.js';
import {guest, type Done} from '../plugins/isolation/guest.js';
import {openIsolated} from '../plugins/isolation/open-kernel.js';
import {median, type Bench} from './measure.js';

const ECHO = {
  name: 'guest-echo',
  version: '1.0.0',
  scope: 'session',
  methods: ['echo', 'pid'],
  module: 'dist/echo.js',
} as const;
const CODE = `import {provide} from '@gemini-kernel/kernel';
export default provide('guest-echo', {version: '1.0.0', scope: 'session', methods: ['echo', 'pid'],
create: () => ({echo: async (value) => value, pid: async () => process.pid})});\n`;

interface Echo {
  echo(value: unknown): Promise<unknown>;
  pid(): Promise<number>;
}

async function withEcho<T>(use: (open: () => Promise<Echo>) => Promise<T>): Promise<T> {
  await using folder = await makeFolder();
  const plugin = await makePlugin(folder.path, guest({}, {services: [ECHO], files: {'dist/echo.js': CODE}}));
  await using kernel = await openIsolated({plugins: [plugin]});
  return await use(async () => (await kernel.service('guest-echo' as never)) as unknown as Echo);
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await act();
  return performance.now() - started;
}

/** A round trip on a socket with nothing of ours on it, as this machine does it now. */
async function roundTripOfNode(size: number): Promise<number> {
  const {spawn} = await import('node:child_process');
  const child = spawn(process.execPath, ['-e', 'process.stdin.pipe(process.stdout)'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const part = Buffer.alloc(size, 'x');
  const once_ = async (): Promise<void> => {
    let left = size;
    child.stdin.write(part);
    while (left > 0) left -= ((await once(child.stdout, 'data')) as [Buffer])[0].length;
  };
  for (let count = 0; count < 200; count += 1) await once_();
  const times: number[] = [];
  for (let count = 0; count < 500; count += 1) times.push(await timed(once_));
  child.kill();
  return median(times);
}

const roundTrip = (size: number, atMost: number): Bench => ({
  name: `a round trip of ${size} bytes to an isolated plugin`,
  target: {atMost, of: 'one by bare pipes'},
  run: () =>
    withEcho(async (open) => {
      const echo = await open();
      const value = 'x'.repeat(size);
      for (let count = 0; count < 300; count += 1) await echo.echo(value);
      const times: number[] = [];
      for (let count = 0; count < 1000; count += 1) times.push(await timed(() => echo.echo(value)));
      const [own, bare] = [median(times), await roundTripOfNode(size)];
      return {ratio: own / bare, detail: `${(own * 1000).toFixed(0)} us / ${(bare * 1000).toFixed(0)} us, medians`};
    }),
});

const start: Bench = {
  name: 'from the start of an isolated plugin to its first answer',
  target: {atMost: 1.6, of: 'node -e 0'},
  async run() {
    const rounds: (readonly [number, number])[] = [];
    for (let round = 0; round < 9; round += 1) {
      const own = await withEcho(async (open) => timed(async () => (await open()).echo(1)));
      const node = await timed(async () => spawnSync(process.execPath, ['-e', '0']));
      rounds.push([own, node]);
    }
    const [own, node] = [median(rounds.map(([a]) => a)), median(rounds.map(([, b]) => b))];
    return {ratio: own / node, detail: `${own.toFixed(0)} ms / ${node.toFixed(0)} ms, medians of ${rounds.length}`};
  },
};

const abort: Bench = {
  name: 'an abort until a tool of an isolated plugin has it',
  target: {atMost: 5, of: 'a millisecond'},
  async run() {
    await using folder = await makeFolder();
    const code = `async run(input, {signal, progress}) {
      progress({message: 'begun'});
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      fs.writeFileSync(process.env.HOME + '/at', String(performance.timeOrigin + performance.now()));
      return {model: 'ended'};
    }`;
    const plugin = await makePlugin(
      folder.path,
      guest({
        guest_wait: code,
        guest_at: `run: async () => ({model: fs.readFileSync(process.env.HOME + '/at', 'utf8')})`,
      }),
    );
    await using kernel = await openIsolated({plugins: [plugin]});
    await kernel.call('guest_at', {});
    const times: number[] = [];
    for (let round = 0; round < 9; round += 1) {
      const stop = new AbortController();
      const running = kernel.call('guest_wait', {}, {signal: stop.signal}).catch(() => undefined);
      await new Promise((done) => setTimeout(done, 100));
      const at = performance.timeOrigin + performance.now();
      stop.abort(new Error('enough'));
      await running;
      const {result} = (await kernel.call('guest_at', {})) as Done;
      times.push(Number(result.model) - at);
    }
    return {ratio: median(times), detail: `median of ${times.length}`};
  },
};

const TEN = 10;

const memory: Bench = {
  name: `memory of each of ${TEN} isolated plugins that do nothing`,
  target: {atMost: 12, of: 'a MiB (PSS)'},
  async run() {
    await using folder = await makeFolder();
    const names = Array.from({length: TEN}, (_, index) => `guest-echo-${index}`);
    const plugins = await Promise.all(
      names.map((name) => {
        const more = {services: [{...ECHO, name}], files: {'dist/echo.js': CODE.replace('guest-echo', name)}};
        return makePlugin(folder.path, {...guest({}, more), name: `gemini-plugin-${name}`});
      }),
    );
    await using kernel = await openIsolated({plugins});
    for (const name of names) await ((await kernel.service(name as never)) as unknown as Echo).echo(1);
    const inner = await processesBelow(process.pid);
    const mib = (kind: string): number =>
      inner
        .map((pid) => new RegExp(`^${kind}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')))
        .reduce((sum, found) => sum + Number(found?.[1] ?? 0) / 1024, 0) / TEN;
    return {
      ratio: mib('Pss'),
      detail: `${inner.length} processes, bubblewrap included; ${mib('Pss_Anon').toFixed(1)} MiB of each is its own`,
    };
  },
};

async function processesBelow(pid: number): Promise<readonly number[]> {
  const {stdout} = spawnSync('ps', ['-eo', 'pid=,ppid=,args='], {encoding: 'utf8'});
  const all = stdout.split('\n').map((line) => line.trim().split(/\s+/));
  const below = (parent: number): readonly number[] =>
    all
      .filter(([, of, file = '']) => Number(of) === parent && !/^ps$|^\/bin\/sh$/.test(file))
      .flatMap(([id]) => [Number(id), ...below(Number(id))]);
  return below(pid);
}

/** What a process of its own costs. */
export const isolation: readonly Bench[] = [roundTrip(200, 3), roundTrip(65_536, 6), start, abort, memory];
