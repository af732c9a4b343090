import {describe, expect, test} from '@jest/globals';
import type {Setting} from '@gemini-kernel/kernel';
import {LiveFiles} from '#plugins/search/dist/find/live-files.js';

type Paths = readonly string[];
type ListOptions = {readonly signal: AbortSignal; onPaths(paths: Paths): void};

/** A listing that the test advances step by step. */
interface Running {
  readonly signal: AbortSignal;
  readonly tell: (...paths: Paths) => void;
  end(error?: Error): void;
}

/** Files over a listing in the test's hands. */
function rig({
  limit = 1000,
  settings = {},
}: {readonly limit?: number; readonly settings?: Readonly<Record<string, unknown>>} = {}) {
  const running: Running[] = [];
  const begun: ((one: Running) => void)[] = [];
  const state = {now: 0, roots: ['/a']};
  const list = ({signal, onPaths}: ListOptions): Promise<{readonly unreadable: Paths}> =>
    new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
      const one: Running = {
        signal,
        tell: (...paths) => onPaths(paths),
        end: (error) => (error ? reject(error) : resolve({unreadable: []})),
      };
      running.push(one);
      begun.shift()?.(one);
    });
  const places = async () => state.roots.map((path) => ({path, root: path, bases: [path] as const, isFile: false}));
  const info = async () => ({
    name: 'bundled ripgrep' as const,
    version: '15.0.0',
    reason: 'It came with this program.',
  });
  const files = new LiveFiles({
    search: {places, list, info},
    // What is set is of the type that is declared.
    settings: {value: async <V>(setting: Setting<V>) => (settings[setting.key] ?? setting.default) as V},
    limit,
    now: () => state.now,
  });
  return {files, state, running, next: () => new Promise<Running>((resolve) => void begun.push(resolve))};
}

const names = (found: readonly {readonly path: string}[]): Paths => found.map(({path}) => path);

/** Records what `update` gets, in order. */
function hear() {
  const told: Paths[] = [];
  const waiting: ((paths: Paths) => void)[] = [];
  return {
    update: (found: readonly {readonly path: string}[]) => {
      told.push(names(found));
      waiting.shift()?.(names(found));
    },
    next: () => new Promise<Paths>((resolve) => void waiting.push(resolve)),
    told,
  };
}

describe('while the workspace is being listed [files.find]', () => {
  test('the best so far are reported when they change, and the promise gives the best of all', async () => {
    const {files, next} = rig();
    const {update, told, ...heard} = hear();
    const listing = next();
    const found = files.find('app', {update});
    const {tell, end} = await listing;
    const first = heard.next();
    tell('/a/x/wrapper.ts');
    expect(await first).toEqual(['/a/x/wrapper.ts']);
    const second = heard.next();
    tell('/a/none.ts', '/a/app.ts');
    expect(await second).toEqual(['/a/app.ts', '/a/x/wrapper.ts']);
    tell('/a/other.ts');
    end();
    expect(names(await found)).toEqual(['/a/app.ts', '/a/x/wrapper.ts']);
    expect(told).toHaveLength(2);
  });

  test('updates come no faster than every 50 milliseconds', async () => {
    const {files, next} = rig();
    const {update, ...heard} = hear();
    const listing = next();
    const found = files.find('f', {update});
    const {tell, end} = await listing;
    const times: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      const update = heard.next();
      tell(`/a/f${round}`);
      await update;
      times.push(performance.now());
    }
    end();
    await found;
    for (let index = 1; index < times.length; index += 1)
      expect((times[index] ?? 0) - (times[index - 1] ?? 0)).toBeGreaterThan(45);
  });

  test('two searches share one listing, which continues until the last of them is aborted', async () => {
    const {files, next, running} = rig();
    const [one, two] = [new AbortController(), new AbortController()];
    const listing = next();
    const found = [files.find('a', {signal: one.signal}), files.find('b', {signal: two.signal})];
    const {signal} = await listing;
    one.abort(new Error('first'));
    await expect(found[0]).rejects.toThrow('first');
    await new Promise(setImmediate);
    expect(signal.aborted).toBe(false);
    const stopped = new Promise((resolve) => signal.addEventListener('abort', resolve, {once: true}));
    two.abort(new Error('second'));
    await expect(found[1]).rejects.toThrow('second');
    await stopped;
    expect(running).toHaveLength(1);
  });

  test('a search that replaces an aborted one continues its listing', async () => {
    const {files, next, running} = rig();
    const first = new AbortController();
    const listing = next();
    const aborted = files.find('f', {signal: first.signal});
    const {tell, end} = await listing;
    tell('/a/file.ts');
    first.abort(new Error('typed on'));
    const found = files.find('fi');
    await expect(aborted).rejects.toThrow('typed on');
    end();
    expect(names(await found)).toEqual(['/a/file.ts']);
    expect(running).toHaveLength(1);
  });

  test('a listing that fails fails the search, and the next search tries again', async () => {
    const {files, next, running} = rig();
    const listing = next();
    const found = files.find('f');
    (await listing).end(new Error('No disk.'));
    await expect(found).rejects.toThrow('No disk.');
    const second = next();
    const again = files.find('f');
    const {tell, end} = await second;
    tell('/a/f');
    end();
    expect(names(await again)).toEqual(['/a/f']);
    expect(running).toHaveLength(2);
  });

  test('a search that is aborted before it begins lists nothing', async () => {
    const {files, running} = rig();
    await expect(files.find('f', {signal: AbortSignal.abort(new Error('too late'))})).rejects.toThrow('too late');
    expect(running).toEqual([]);
  });
});

describe('a listing that is complete', () => {
  async function listed(options: Parameters<typeof rig>[0], ...paths: Paths) {
    const made = rig(options);
    const listing = made.next();
    const found = made.files.find('');
    const {tell, end} = await listing;
    tell(...paths);
    end();
    await found;
    return made;
  }

  test('serves the searches of the next seconds, also those that narrow the one before', async () => {
    const {files, running, state} = await listed({}, '/a/src/find.ts', '/a/src/fold.ts', '/a/other.md');
    state.now = 2999;
    expect(names(await files.find('f', {kind: 'file'}))).toEqual(['/a/src/find.ts', '/a/src/fold.ts']);
    expect(names(await files.find('fo', {kind: 'file'}))).toEqual(['/a/src/fold.ts']);
    expect(names(await files.find('FO'))).toEqual([]);
    expect(names(await files.find('md'))).toEqual(['/a/other.md']);
    expect(running).toHaveLength(1);
  });

  test('is renewed when it is older: what it has is reported at once, and the promise waits for the new one', async () => {
    const {files, state, next} = await listed({}, '/a/old.ts');
    state.now = 3000;
    const {update, ...heard} = hear();
    const [listing, first] = [next(), heard.next()];
    const found = files.find('ts', {update});
    expect(await first).toEqual(['/a/old.ts']);
    const {tell, end} = await listing;
    tell('/a/new.ts');
    end();
    expect(names(await found)).toEqual(['/a/new.ts']);
  });

  test('does not count when the directories are others', async () => {
    const {files, state, next} = await listed({}, '/a/one.ts');
    state.roots = ['/a', '/b'];
    const {update, told} = hear();
    const listing = next();
    const found = files.find('ts', {update});
    const {tell, end} = await listing;
    expect(told).toEqual([]);
    tell('/b/two.ts', '/a/one.ts');
    end();
    expect((await found).map(({path, root}) => [path, root])).toEqual([
      ['/a/one.ts', '/a'],
      ['/b/two.ts', '/b'],
    ]);
  });

  test('holds no more than its limit, and listing stops there', async () => {
    const {files, running} = await listed({limit: 3}, '/a/d/1.ts', '/a/d/2.ts', '/a/d/3.ts', '/a/d/4.ts');
    expect(names(await files.find(''))).toEqual(['/a/d', '/a/d/1.ts', '/a/d/2.ts']);
    expect(running[0]?.signal.aborted).toBe(true);
  });

  test('lets letters stand together only where the settings say so', async () => {
    const {files} = await listed(
      {settings: {'context.fileFiltering.enableFuzzySearch': false}},
      '/a/src/find.ts',
      '/a/src/f-i.ts',
    );
    expect(names(await files.find('fi'))).toEqual(['/a/src/find.ts']);
  });
});

test('a file of nested directories belongs to the innermost', async () => {
  const {files, state, next} = rig();
  state.roots = ['/a', '/a/in'];
  const listing = next();
  const found = files.find('x', {kind: 'file'});
  const {tell, end} = await listing;
  tell('/a/in/x', '/a/x', '/a/inx/x', '/a/in/d/x', '/elsewhere/x');
  end();
  expect((await found).map(({path, root}) => [path, root])).toEqual([
    ['/a/x', '/a'],
    ['/a/in/x', '/a/in'],
    ['/a/in/d/x', '/a/in'],
    ['/a/inx/x', '/a'],
  ]);
});

test('in one line it says what lists, and why', async () => {
  expect(await rig().files.describe()).toBe('ripgrep 15.0.0, bundled: It came with this program.');
});

test('nothing runs after it is disposed', async () => {
  const {files, next} = rig();
  const listing = next();
  const found = files.find('x');
  const {signal} = await listing;
  files.dispose();
  expect(signal.aborted).toBe(true);
  await expect(found).rejects.toThrow('No search waits');
});

describe('a list of any age [files.known-names]', () => {
  test('answers without a new walk, and has one made for who asks next', async () => {
    const {files, state, running, next} = rig();
    const first = next();
    const cold = files.find('app.ts', {anyAge: true});
    const walk = await first;
    walk.tell('/a/src/app.ts', '/a/lib/app.ts');
    walk.end();
    expect(names(await cold)).toHaveLength(2);
    state.now = 60_000;
    // The second walk never ends, and the search does not wait for it.
    expect(names(await files.find('app.ts', {anyAge: true}))).toEqual(names(await cold));
    expect(running).toHaveLength(2);
    expect(names(await files.find('app.ts', {anyAge: true}))).toHaveLength(2);
    expect(running).toHaveLength(2);
    running[1]?.tell('/a/src/app.ts');
    running[1]?.end();
    expect(names(await files.find('app.ts'))).toEqual(['/a/src/app.ts']);
    files.dispose();
  });
});
