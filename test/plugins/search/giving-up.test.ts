import {chmod, writeFile} from 'node:fs/promises';
import {basename, join} from 'node:path';
import {setImmediate as turn} from 'node:timers/promises';
import {afterAll, beforeAll, describe, expect, test} from '@jest/globals';
import type {ToolError} from '@gemini-kernel/kernel';
import type {MatchRequest} from '#plugins/search/dist/engine/engine.js';
import type * as LiveSearches from '#plugins/search/dist/live-search.js';
import {childProcesses, threadCount} from './child-processes.js';
import {engineNames, openSearching, type Searching} from './engines.js';
import {ripgrepProgram} from './ripgrep-program.js';
import {buildTree} from './tree.js';
import {withinTime} from '#plugins/search/dist/within-time.js';
import {LiveSearch} from '#plugins/search/dist/live-search.js';
import {compilePattern} from '#plugins/search/dist/pattern/compile-pattern.js';
import {createRipgrepEngine} from '#plugins/search/dist/ripgrep/ripgrep-engine.js';

const FILES = 2000;
const LINE = `needle ${'x'.repeat(200)}\n`;

let searching: Searching;
beforeAll(async () => {
  // More output than a pipe holds: a program whose output is not read keeps running.
  searching = await openSearching({
    files: Object.fromEntries(Array.from({length: FILES}, (_, index) => [`d${index % 50}/f${index}`, LINE.repeat(40)])),
  });
  await writeFile(join(searching.kernel.project, 'd1', 'two\nlines'), 'needle\n');
  // Threads that stay are there from here on.
  for (const engine of engineNames)
    await searching.run(engine, 'grep_search', {pattern: 'needle', total_max_matches: 1});
});
afterAll(() => searching[Symbol.asyncDispose]());

const reason = new Error('Changed my mind.');
const all = {pattern: 'needle', total_max_matches: 20_000, context: 0};

interface Left {
  readonly thrown: unknown;
  readonly ms: number;
  readonly left: readonly number[];
  readonly threads: number;
}

/** Gives up as `begin` says, and what is left then. */
async function giveUp(begin: (giveUp: () => void, signal: AbortSignal) => Promise<unknown>): Promise<Left> {
  const threads = threadCount();
  // Another suite of this process may have left some.
  const before = new Set(childProcesses());
  const stop = new AbortController();
  let at = Number.NaN;
  const stopNow = (): void => {
    at = performance.now();
    stop.abort(reason);
  };
  const thrown = await begin(stopNow, stop.signal).catch((error: unknown) => error);
  const ms = performance.now() - at;
  return {thrown, ms, left: childProcesses().filter((id) => !before.has(id)), threads: threadCount() - threads};
}

type Begin = (engine: (typeof engineNames)[number], giveUp: () => void, signal: AbortSignal) => Promise<unknown>;

const moments: readonly (readonly [string, Begin])[] = [
  ['before it begins', (engine, stop, signal) => (stop(), searching.run(engine, 'grep_search', all, {signal}))],
  [
    'before files are listed',
    (engine, stop, signal) => (stop(), searching.run(engine, 'glob', {pattern: '**/*'}, {signal})),
  ],
  [
    'in the first moment',
    (engine, stop, signal) => (
      setImmediate(stop),
      searching.run(engine, 'grep_search', {pattern: 'nowhere', no_ignore: true}, {signal})
    ),
  ],
  [
    'while files are listed',
    (engine, stop, signal) => searching.run(engine, 'glob', {pattern: '**/*'}, {signal, onProgress: stop}),
  ],
  [
    'when the first lines are judged',
    (engine, stop, signal) => searching.run(engine, 'grep_search', all, {signal, permits: () => (stop(), true)}),
  ],
  [
    'when the first lines are reported',
    (engine, stop, signal) => searching.run(engine, 'grep_search', all, {signal, onProgress: stop}),
  ],
  [
    'when all are refused',
    (engine, stop, signal) => searching.run(engine, 'grep_search', all, {signal, permits: () => (stop(), false)}),
  ],
];

describe.each(engineNames)(
  'a search that is given up ends with the reason and leaves nothing: %s [search.cancel]',
  (engine) => {
    test.each(moments)('%s', async (_, begin) => {
      const tries = [];
      for (let time = 0; time < 3; time += 1) {
        const {ms, ...rest} = await giveUp((stop, signal) => begin(engine, stop, signal));
        expect(rest).toEqual({thrown: reason, left: [], threads: 0});
        tries.push(ms);
      }
      // Other processes have their turns too.
      expect(Math.min(...tries)).toBeLessThan(50);
    });

    test('while it waits for an answer that does not come', async () => {
      const search = await liveSearch(engine);
      const {ms, ...rest} = await giveUp(async (stop, signal) =>
        search.match(await request({signal, accept: () => new Promise(() => setImmediate(stop))})),
      );
      expect(rest).toEqual({thrown: reason, left: [], threads: 0});
    });
  },
);

/** The search that the tools of one engine use, for which there is no other way in. */
async function liveSearch(engine: (typeof engineNames)[number]): Promise<LiveSearches.LiveSearch> {
  const workspace = await searching.kernel.service('workspace');
  const {openJavascriptEngine} = await import('#plugins/search/dist/choose-engine.js');
  const path = engine === 'bundled ripgrep' ? ripgrepProgram() : '/usr/bin/rg';
  const context = {environment: {} as never, service: (name: never) => searching.kernel.service(name)} as never;
  return new LiveSearch(context, async (given) =>
    engine === 'javascript'
      ? openJavascriptEngine(given, 'It is tested.')
      : createRipgrepEngine({
          info: {name: engine, reason: 'It is tested.'},
          program: {path, version: '', hasPcre: true},
          workspace,
        }),
  );
}

async function request(more: Partial<MatchRequest>): Promise<MatchRequest> {
  const root = searching.kernel.project;
  return {
    places: [{path: root, root, bases: [root], isFile: false}],
    ignore: {},
    withoutFolders: [],
    withoutEndings: [],
    pattern: await compilePattern('needle', {isLiteral: true, isCaseSensitive: true, parameter: 'pattern'}),
    mostPerFile: 10,
    most: 10,
    signal: new AbortController().signal,
    accept: async (files) => files,
    ...more,
  };
}

test('a program that does nothing, and would not end, is ended [search.cancel]', async () => {
  await using tree = await buildTree({rg: '#!/bin/sh\ntrap "" TERM INT HUP\nwhile :; do :; done\n'});
  await chmod(tree.at('rg'), 0o755);
  const workspace = await searching.kernel.service('workspace');
  const engine = createRipgrepEngine({
    info: {name: 'system ripgrep', reason: 'It is tested.'},
    program: {path: tree.at('rg'), version: '', hasPcre: true},
    workspace,
  });
  const before = childProcesses().length;
  const begin = async (stop: () => void, signal: AbortSignal): Promise<unknown> => {
    const matching = engine.match(await request({signal}));
    while (childProcesses().length === before) await turn();
    stop();
    return matching;
  };
  const {ms, ...rest} = await giveUp(begin);
  expect(rest).toEqual({thrown: reason, left: [], threads: 0});
});

describe('a search that takes too long [search.cancel]', () => {
  const said = (seconds: number): Partial<ToolError> => ({
    code: 'SEARCH_TIMEOUT',
    message: `The search took longer than ${seconds} seconds.`,
    hint: 'Search in one directory with dir_path, or make the pattern narrower.',
  });

  test.each(engineNames)('is an error, and is over: %s', async (engine) => {
    const search = await liveSearch(engine);
    const never = request({accept: () => new Promise(() => undefined)});
    const {thrown, left, threads} = await giveUp(async (_, signal) =>
      withinTime(signal, async (limited) => search.match({...(await never), signal: limited}), 300),
    );
    expect({thrown, left, threads}).toEqual({thrown: expect.objectContaining(said(0.3)), left: [], threads: 0});
  });

  test('is not blamed for what else goes wrong, or for being given up', async () => {
    const signal = new AbortController().signal;
    await expect(withinTime(signal, () => Promise.reject(reason), 10_000)).rejects.toBe(reason);
    await expect(
      withinTime(AbortSignal.abort(reason), async (limited) => limited.throwIfAborted(), 10_000),
    ).rejects.toBe(reason);
    expect(await withinTime(signal, async () => 'done', 10_000)).toBe('done');
  });
});

describe.each(engineNames)('what is found is reported while the search runs: %s [search.progress]', (engine) => {
  test('the first lines before the last file was looked at, each on one line', async () => {
    const judged = new Set<string>();
    const told: (readonly [string, number])[] = [];
    await searching.run(
      engine,
      'grep_search',
      {...all, max_matches_per_file: 1},
      {permits: (path) => judged.add(path) !== undefined, onProgress: (text) => void told.push([text, judged.size])},
    );
    expect(judged.size).toBe(FILES + 1);
    expect(told[0]?.[1]).toBeLessThan(FILES);
    // One of the files has a line end in its name.
    for (const [text] of told) expect(text).toMatch(/^(?:\/.*|"\/.*"):\d+: needle( x{200})?$/);
  });

  test('a name with a line end as one line', async () => {
    const told: string[] = [];
    for (const [tool, input] of [
      ['grep_search', {pattern: 'needle'}],
      ['glob', {pattern: 'd1/two*'}],
    ] as const) {
      const dir = tool === 'glob' ? {} : {include_pattern: 'two*'};
      await searching.run(engine, tool, {...input, ...dir}, {onProgress: (text) => void told.push(text)});
    }
    const name = `"${searching.kernel.project}/d1/two\\nlines"`;
    expect(told.map((text) => basename(text))).toEqual([`${name}:1: needle`, name].map((text) => basename(text)));
  });
});
