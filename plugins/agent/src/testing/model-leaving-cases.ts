import assert from 'node:assert/strict';
import process from 'node:process';
import type {ModelSuiteOptions} from './model-suite.js';
import {hear, question, same, soon, until, type TopicalCase} from './model-trial.js';
import type {TestedEvent} from './model-under-test.js';
import type {ScriptedAnswer, SeenRequest} from './scripted-answer.js';

const ENOUGH: ScriptedAnswer = {pieces: Array.from({length: 4}, () => ({kind: 'text', text: 'word '}))};

/** How a consumer leaves a provider: by abort, or by ending the iteration. */
export const leavingCases: readonly TopicalCase[] = [
  {
    title: 'a request whose signal is aborted already throws its reason and sends no request',
    async run(options) {
      const before = options.requests().length;
      options.script([ENOUGH]);
      const reason = new Error('Enough.');
      await rejects(options, (await options.open()).stream(question(options), AbortSignal.abort(reason)), reason);
      assert.equal(options.requests().length, before);
    },
  },
  {
    title: 'abort while a server does not answer throws the reason at once and closes the connection',
    topic: 'connection',
    run: (options) => leaveByAbort(options, {...ENOUGH, stall: 'headers'}, 0),
  },
  {
    title: 'abort while a server has stalled throws the reason at once and closes the connection',
    topic: 'connection',
    run: (options) => leaveByAbort(options, {...ENOUGH, stall: {afterPieces: 2}}, 2),
  },
  {
    title: 'abort between two pieces throws the reason, unwrapped, whatever it is',
    topic: 'connection',
    async run(options) {
      for (const reason of [new Error('Enough.'), 'a word', {code: 7}]) {
        options.script([{...ENOUGH, stall: {afterPieces: 1}}]);
        const leaving = new AbortController();
        const stream = (await options.open()).stream(question(options), leaving.signal)[Symbol.asyncIterator]();
        await stream.next();
        leaving.abort(reason);
        await assert.rejects(soon(options, 'It ends', stream.next()), (error: unknown) => error === reason);
        await isLeft(options, options.requests().at(-1));
      }
    },
  },
  {
    title: 'abort after the end changes nothing',
    async run(options) {
      options.script([ENOUGH, ENOUGH]);
      const leaving = new AbortController();
      const model = await options.open();
      const events: TestedEvent[] = [];
      for await (const event of model.stream(question(options), leaving.signal)) events.push(event);
      leaving.abort(new Error('Too late.'));
      assert.equal(events.at(-1)?.kind, 'end');
      assert.equal((await hear(options, [{kind: 'text', text: 'x'}])).at(-1)?.kind, 'end');
    },
  },
  {
    title: 'leaving the iteration closes the connection',
    topic: 'connection',
    async run(options) {
      options.script([{...ENOUGH, stall: {afterPieces: 1}}]);
      for await (const _ of (await options.open()).stream(question(options), new AbortController().signal)) break;
      await isLeft(options, options.requests().at(-1));
    },
  },
  {
    title: 'a signal that is never aborted is not held on to',
    async run(options) {
      const {signal} = new AbortController();
      let held = 0;
      const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
      Object.assign(signal, {
        addEventListener: (...given: Parameters<typeof add>) => void ((held += 1), add(...given)),
        removeEventListener: (...given: Parameters<typeof remove>) => void ((held -= 1), remove(...given)),
      });
      options.script([ENOUGH]);
      for await (const _ of (await options.open()).stream(question(options), signal)) continue;
      assert.equal(held, 0, 'As many listeners are taken off the signal as were put on it.');
    },
  },
  {
    title: 'no promise rejects without the caller',
    topic: 'connection',
    run: rejectsNothingUnseen,
  },
];

async function rejects(options: ModelSuiteOptions, stream: AsyncIterable<unknown>, reason: unknown): Promise<void> {
  await assert.rejects(
    soon(options, 'It ends', stream[Symbol.asyncIterator]().next()),
    (error: unknown) => error === reason,
    'It throws the reason of the signal, unwrapped.',
  );
}

async function leaveByAbort(options: ModelSuiteOptions, answer: ScriptedAnswer, pieces: number): Promise<void> {
  const before = options.requests().length;
  options.script([answer]);
  const leaving = new AbortController();
  const stream = (await options.open()).stream(question(options), leaving.signal)[Symbol.asyncIterator]();
  for (let heard = 0; heard < pieces; heard += 1) await soon(options, 'A piece comes', stream.next());
  const next = stream.next();
  // It is awaited below; until then its rejection is unhandled.
  next.catch(() => undefined);
  await until(options, 'The server is asked', () => options.requests().length > before);
  const reason = new Error('Enough.');
  leaving.abort(reason);
  await assert.rejects(
    soon(options, 'It ends', next),
    (error: unknown) => error === reason,
    'It throws the reason of the signal, unwrapped.',
  );
  await isLeft(options, options.requests().at(-1));
  assert.equal(
    (await hear(options, [{kind: 'text', text: 'x'}])).at(-1)?.kind,
    'end',
    'The next request is as good as any.',
  );
}

async function isLeft(options: ModelSuiteOptions, request: SeenRequest | undefined): Promise<void> {
  assert.ok(request, 'The server was asked.');
  assert.equal(await soon(options, 'The server sees that the client has left', request.end), 'left');
}

async function rejectsNothingUnseen(options: ModelSuiteOptions): Promise<void> {
  const unseen: unknown[] = [];
  const note = (reason: unknown): void => void unseen.push(reason);
  process.on('unhandledRejection', note);
  try {
    await leaveByAbort(options, {...ENOUGH, stall: {afterPieces: 1}}, 1);
    await leaveByAbort(options, {...ENOUGH, stall: 'headers'}, 0);
    await hear(options, ENOUGH.pieces ?? [], {cut: {afterPieces: 1, by: 'reset'}});
    // Node reports an unhandled rejection when the microtask queue is empty.
    for (const _ of [1, 2, 3]) await new Promise((done) => setImmediate(done));
    same(unseen, []);
  } finally {
    process.off('unhandledRejection', note);
  }
}
