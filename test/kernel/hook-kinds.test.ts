import {afterAll, beforeAll, describe, expect, test} from '@jest/globals';
import {messageOf} from '@gemini-kernel/kernel/host';
import type {CatalogPlugin, HookKindProbe} from './probe.js';
import {createTestKernel, type TestKernel} from '@gemini-kernel/kernel/testing';
import {listenerCode, makeFolder, makePlugin, type Folder} from '../helpers/make-plugin.js';
import {makeProbe} from './probe.js';

const never = 'return new Promise(() => undefined);';
const behaviours: Readonly<Record<string, string>> = {throws: "throw new Error('boom');", hangs: never};

let folder: Folder;
let probe: CatalogPlugin;

beforeAll(async () => {
  folder = await makeFolder();
  probe = await makeProbe(folder.path);
});
afterAll(() => folder[Symbol.asyncDispose]());

interface Case {
  readonly kind: string;
  /** What a listener that works does. */
  readonly answers: string;
  readonly payload?: unknown;
  /** The outcome with: one that answers, one that fails beside one that answers, none. */
  readonly answered: unknown;
  readonly beside: unknown;
  readonly alone: unknown;
  readonly reports: boolean;
}

const cases: readonly Case[] = [
  {kind: 'notify', answers: 'return 1;', answered: undefined, beside: undefined, alone: undefined, reports: true},
  {kind: 'collect', answers: "return ['a', 'b'];", answered: ['a', 'b'], beside: ['a', 'b'], alone: [], reports: true},
  {
    kind: 'transform',
    answers: "return payload.value + '!';",
    payload: {value: 'x'},
    answered: 'x!',
    beside: 'x!',
    alone: 'x',
    reports: true,
  },
  {kind: 'first', answers: "return 'mine';", answered: 'mine', beside: 'mine', alone: 'default', reports: true},
  {kind: 'race', answers: "return 'mine';", answered: 'mine', beside: 'mine', alone: 'default', reports: true},
  {
    kind: 'gate',
    answers: "return {decision: 'allow', reason: 'fine'};",
    answered: {decision: 'allow', reason: 'fine', by: 'good'},
    beside: {decision: 'deny', reason: expect.stringContaining('a-bad could not judge this call: '), by: 'a-bad'},
    alone: {decision: 'ask', reason: 'nobody', by: undefined},
    reports: false,
  },
];

async function withListeners<T>(
  plugins: readonly CatalogPlugin[],
  act: (kernel: TestKernel, probe: HookKindProbe) => Promise<T>,
): Promise<T> {
  await using kernel = await createTestKernel({plugins: [probe, ...plugins]});
  expect(kernel.kernel.catalog.refused).toEqual([]);
  return await act(kernel, await kernel.service('probe'));
}

function makeListener(name: string, kind: string, body: string, entry: object = {}): Promise<CatalogPlugin> {
  return makePlugin(folder.path, {
    name,
    listeners: [{hook: `probe:${kind}`, module: './listener.js', ...entry}],
    files: {'listener.js': listenerCode(`probe:${kind}`, body)},
  });
}

describe.each(cases)('a $kind hook', ({kind, answers, payload = {}, answered, beside, alone, reports}) => {
  test('gives what its listener answered', async () => {
    const good = await makeListener('good', kind, answers);
    await withListeners([good], async (kernel, {dispatch}) => {
      expect(await dispatch(`probe:${kind}`, payload)).toEqual(answered);
      expect(kernel.warnings).toEqual([]);
    });
  });

  test('gives its default without a listener', async () => {
    await withListeners([], async (_, {dispatch}) => expect(await dispatch(`probe:${kind}`, payload)).toEqual(alone));
  });

  test.each(Object.entries(behaviours))('keeps its promise when a listener %s [hooks.failures]', async (how, body) => {
    const plugins = [await makeListener('good', kind, answers), await makeListener('a-bad', kind, body)];
    await withListeners(plugins, async (kernel, {dispatch}) => {
      expect(await dispatch(`probe:${kind}`, payload)).toEqual(beside);
      // A race is over before a hanging listener could be noticed.
      expect(kernel.warnings).toEqual(
        reports && !(kind === 'race' && how === 'hangs')
          ? [expect.stringContaining(`a-bad failed at probe:${kind} and was left out: `)]
          : [],
      );
    });
  });
});

describe('a wrap hook', () => {
  const wrap =
    'context.signal.throwIfAborted(); const inner = await context.next(); return {...inner, model: inner.model + ' +
    "' wrapped'};";

  test('runs the act itself without a listener', async () => {
    await withListeners([], async (kernel) =>
      expect(await kernel.call('echo', {text: 'hello'})).toMatchObject({status: 'done', result: {model: 'hello'}}),
    );
  });

  test('lets each listener act around the next, in order', async () => {
    const plugins = await Promise.all(
      ['outer', 'inner'].map((name) =>
        makeWrapper(
          name,
          `const result = await context.next(); return {model: '${name}(' + result.model + ')'};`,
          name === 'outer' ? {before: ['inner']} : {},
        ),
      ),
    );
    await withListeners(plugins, async (kernel) =>
      expect(await kernel.call('echo', {text: 'hello'})).toMatchObject({result: {model: 'outer(inner(hello))'}}),
    );
  });

  test('lets a listener answer in place of the act', async () => {
    await withListeners([await makeWrapper('instead', "return {model: 'mine'};")], async (kernel) => {
      expect(await kernel.call('echo', {text: 'hello'})).toMatchObject({result: {model: 'mine'}});
    });
  });

  test.each([
    ['core', 'Try again.'],
    ['user', 'Update or uninstall bad, then try again.'],
  ] as const)(
    'advises what helps when a listener of a plugin of origin %s fails [sessions.wait]',
    async (origin, hint) => {
      await withListeners([{...(await makeWrapper('bad', "throw new Error('boom');")), origin}], async (kernel) => {
        expect(await kernel.call('echo', {text: 'hello'})).toMatchObject({
          status: 'failed',
          error: {code: 'HOOK_FAILED', hint},
        });
      });
    },
  );

  test.each([
    ['throws before the act', "throw new Error('boom');", 'boom'],
    ['throws after the act', "await context.next(); throw new Error('boom');", 'boom'],
    ['hangs', never, 'took longer than 100 ms'],
    ['calls next twice', 'await context.next(); return context.next();', 'It called next() twice.'],
  ])('fails the act and names the plugin when a listener %s [hooks.wrap-names]', async (_, body, message) => {
    await withListeners([await makeWrapper('bad', body, {timeoutMs: 100})], async (kernel) => {
      expect(await kernel.call('echo', {text: 'hello'})).toMatchObject({
        status: 'failed',
        error: {
          code: 'HOOK_FAILED',
          message: expect.stringMatching(new RegExp(`^bad failed at tool:run: .*${message.replace(/[()]/g, '\\$&')}`)),
        },
      });
    });
  });

  test('does not blame a listener for what the act threw', async () => {
    await withListeners([await makeWrapper('good', wrap)], async (kernel) => {
      expect(await kernel.call('echo', {text: 'fail'})).toMatchObject({
        status: 'failed',
        error: {code: 'ECHO_FAILED', message: 'The input says fail.'},
      });
    });
  });

  test('does not count the time of the act against the deadline of a listener', async () => {
    await withListeners([await makeWrapper('good', wrap, {timeoutMs: 100})], async (kernel) => {
      expect(await kernel.call('echo', {text: 'slow'})).toMatchObject({
        status: 'done',
        result: {model: 'slow wrapped'},
      });
    });
  });
});

function makeWrapper(name: string, body: string, entry: object = {}): Promise<CatalogPlugin> {
  return makePlugin(folder.path, {
    name,
    listeners: [{hook: 'tool:run', module: './listener.js', ...entry}],
    files: {'listener.js': listenerCode('tool:run', body)},
  });
}

test.each([
  ['core', 'slow'],
  ['user', 'default'],
] as const)(
  'a listener of origin %s that asks for more time than its moment gives: %s [hooks.deadline]',
  async (origin, outcome) => {
    const body = "await new Promise((done) => setTimeout(done, 400)); return 'slow';";
    const slow = await makePlugin(folder.path, {
      name: `slow-${origin}`,
      origin,
      listeners: [{hook: 'probe:first', module: './listener.js', timeoutMs: 20_000}],
      files: {'listener.js': listenerCode('probe:first', body)},
    });
    await withListeners([slow], async (_, {dispatch}) => expect(await dispatch('probe:first', {})).toBe(outcome));
  },
);

test('a wrap that was too late cannot run the act after all', async () => {
  const late = await makeWrapper(
    'late',
    "await new Promise((done) => context.signal.addEventListener('abort', done)); globalThis.lateNext = await " +
      "context.next().then(() => 'ran', (error) => error.message);",
    {timeoutMs: 50},
  );
  await withListeners([late], async (kernel) => {
    expect(await kernel.call('echo', {text: 'hello'})).toMatchObject({status: 'failed', error: {code: 'HOOK_FAILED'}});
    expect((globalThis as {lateNext?: string}).lateNext).toBe('It called next() after its time was over.');
  });
});

describe('a gate', () => {
  const gate = (name: string, body: string) => makeListener(name, 'gate', body);

  test.each([
    [['allow', 'ask'], 'ask'],
    [['ask', 'allow', 'deny'], 'deny'],
    [['allow', 'allow'], 'allow'],
  ])('takes the strictest of %j', async (decisions, strictest) => {
    const plugins = await Promise.all(
      decisions.map((decision, index) => gate(`gate-${index}`, `return {decision: '${decision}', reason: 'r'};`)),
    );
    await withListeners(plugins, async (_, {dispatch}) =>
      expect(await dispatch('probe:gate', {})).toMatchObject({decision: strictest}),
    );
  });

  test('counts no opinion as none, not as allow', async () => {
    await withListeners([await gate('quiet', 'return undefined;')], async (_, {dispatch}) =>
      expect(await dispatch('probe:gate', {})).toEqual({decision: 'ask', reason: 'nobody'}),
    );
  });

  test.each([
    ['nothing sensible', "return {decision: 'maybe'};"],
    ['no reason', "return {decision: 'allow'};"],
    ['null', 'return null;'],
  ])('counts %s as deny, naming the plugin', async (_, body) => {
    await withListeners([await gate('odd', body)], async (__, {dispatch}) =>
      expect(await dispatch('probe:gate', {})).toMatchObject({decision: 'deny', by: 'odd'}),
    );
  });

  test('counts a listener that cannot be imported as deny [hooks.gate-closed]', async () => {
    const broken = await makePlugin(folder.path, {
      name: 'broken',
      listeners: [{hook: 'probe:gate', module: './missing.js'}],
    });
    await withListeners([broken], async (_, {dispatch}) =>
      expect(await dispatch('probe:gate', {})).toMatchObject({
        decision: 'deny',
        by: 'broken',
        reason: expect.stringContaining('broken is broken: cannot load'),
      }),
    );
  });
});

describe('what a person installed', () => {
  const installed = (body: string) =>
    makePlugin(folder.path, {
      name: 'installed',
      origin: 'user',
      listeners: [{hook: 'probe:gate', module: './listener.js'}],
      files: {'listener.js': listenerCode('probe:gate', body)},
    });

  test.each([
    ['allow', {decision: 'ask', reason: 'nobody', by: undefined}],
    ['ask', {decision: 'ask', reason: 'r', by: 'installed'}],
    ['deny', {decision: 'deny', reason: 'r', by: 'installed'}],
  ])('can tighten a gate and never loosen it: %s', async (decision, expected) => {
    await withListeners([await installed(`return {decision: '${decision}', reason: 'r'};`)], async (_, {dispatch}) =>
      expect(await dispatch('probe:gate', {})).toEqual(expected),
    );
  });
});

describe('a gate of a plugin', () => {
  test('holds filters against what it is asked about', async () => {
    const guard = await makeListener('guard', 'filtered', "return {decision: 'deny', reason: 'Not there.'};", {
      filter: {path: '/secret/**'},
    });
    const ask = (value: string) => ({touches: [{kind: 'path', value, access: 'read'}]});
    await withListeners([guard], async (_, {dispatch}) => {
      expect(await dispatch('probe:filtered', ask('/secret/key'))).toMatchObject({decision: 'deny'});
      expect(await dispatch('probe:filtered', ask('/open/key'))).toMatchObject({decision: 'ask'});
    });
  });
});

describe('a transform', () => {
  const transform = (name: string, body: string, entry: object = {}) => makeListener(name, 'transform', body, entry);

  test('hands the value on in order', async () => {
    const plugins = [
      await transform('b', "return payload.value + 'b';", {after: ['c']}),
      await transform('c', "return payload.value + 'c';"),
    ];
    await withListeners(plugins, async (_, {dispatch}) =>
      expect(await dispatch('probe:transform', {value: ''})).toBe('cb'),
    );
  });

  test('drops an answer that its schema refuses [hooks.transform-drops]', async () => {
    await withListeners([await transform('odd', 'return 5;')], async (kernel, {dispatch}) => {
      expect(await dispatch('probe:transform', {value: 'x'})).toBe('x');
      expect(kernel.warnings).toEqual([
        'odd failed at probe:transform and was left out: the answer must be string, not 5.',
      ]);
    });
  });

  test('stops the act when a critical listener fails [hooks.transform-drops]', async () => {
    await withListeners(
      [await transform('vital', "throw new Error('boom');", {critical: true})],
      async (_, {dispatch}) => {
        const error: unknown = await dispatch('probe:transform', {value: 'x'}).catch((thrown: unknown) => thrown);
        expect(messageOf(error)).toBe('vital failed at probe:transform: boom');
      },
    );
  });

  test('cannot change a payload in place and then fail', async () => {
    const sly = await makeListener('sly', 'frozen', "payload.value.text = 'changed'; return payload.value;");
    await withListeners([sly], async (kernel, {dispatch}) => {
      expect(await dispatch('probe:frozen', {value: {text: 'kept'}})).toEqual({text: 'kept'});
      expect(kernel.warnings).toHaveLength(1);
    });
  });
});

describe('a deadline', () => {
  test('aborts the signal of the listener that missed it [hooks.deadline]', async () => {
    const slow = await makeListener(
      'slow',
      'notify',
      "await new Promise((resolve) => context.signal.addEventListener('abort', resolve)); globalThis.abortedProbe " +
        '= context.signal.reason.message;',
    );
    await withListeners([slow], async (_, {dispatch}) => {
      await dispatch('probe:notify', {});
      expect((globalThis as {abortedProbe?: string}).abortedProbe).toBe(
        'slow at probe:notify took longer than 150 ms.',
      );
    });
  });
});

describe('the trace', () => {
  test('says who saw a call, what each answered and how long it took [calls.trace]', async () => {
    const plugins = [
      await makePlugin(folder.path, {
        name: 'judge',
        listeners: [{hook: 'tool:judge', module: './listener.js'}],
        files: {'listener.js': listenerCode('tool:judge', "return {decision: 'allow', reason: 'fine'};")},
      }),
      await makeWrapper('late', never, {timeoutMs: 50}),
    ];
    await withListeners(plugins, async (kernel) => {
      const {callId} = await kernel.call('echo', {text: 'hello'});
      expect(kernel.kernel.trace.of(callId)).toEqual([
        expect.objectContaining({hook: 'tool:judge', plugin: 'probe', outcome: 'answered'}),
        {
          call: callId,
          hook: 'tool:judge',
          plugin: 'judge',
          outcome: 'answered',
          answer: {decision: 'allow', reason: 'fine'},
          ms: expect.any(Number),
        },
        {
          call: callId,
          hook: 'tool:run',
          plugin: 'late',
          outcome: 'late',
          error: 'late at tool:run took longer than 50 ms.',
          ms: expect.any(Number),
        },
      ]);
    });
  });
});
