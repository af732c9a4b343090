import assert from 'node:assert/strict';
import {converse, endOf, failureIn, hear, joined, question, same, type TopicalCase} from './model-trial.js';
import type {TestedFailure} from './model-under-test.js';
import type {ScriptedAnswer, ScriptedRefusal} from './scripted-answer.js';

type Outcome = Pick<TestedFailure, 'kind' | 'status' | 'delayMs' | 'isFinal'>;

const REFUSALS: readonly {readonly title: string; readonly refusal: ScriptedRefusal; readonly outcome: Outcome}[] = [
  {title: 'a refused key (401)', refusal: {status: 401}, outcome: {kind: 'auth', status: 401, isFinal: true}},
  {
    title: 'a key without permission (403)',
    refusal: {status: 403},
    outcome: {kind: 'auth', status: 403, isFinal: true},
  },
  {
    title: 'a model that does not exist (404)',
    refusal: {status: 404},
    outcome: {kind: 'invalid', status: 404, isFinal: true},
  },
  {
    title: 'a request that is not accepted (400)',
    refusal: {status: 400},
    outcome: {kind: 'invalid', status: 400, isFinal: true},
  },
  {
    title: 'a limit on requests, with how long to wait (429)',
    refusal: {status: 429, delayMs: 7000},
    outcome: {kind: 'quota', status: 429, delayMs: 7000},
  },
  {title: 'a limit on requests (429)', refusal: {status: 429}, outcome: {kind: 'quota', status: 429}},
  {
    title: 'a quota that is used up for the day (429)',
    refusal: {status: 429, quota: 'day'},
    outcome: {kind: 'quota', status: 429, isFinal: true},
  },
  {title: 'a failing server (500)', refusal: {status: 500}, outcome: {kind: 'overloaded', status: 500}},
  {title: 'a busy server (503)', refusal: {status: 503}, outcome: {kind: 'overloaded', status: 503}},
  {title: 'an overloaded server (529)', refusal: {status: 529}, outcome: {kind: 'overloaded', status: 529}},
  {
    title: 'a server that answers with a page',
    refusal: {status: 502, body: '<html>Bad gateway</html>', headers: {'content-type': 'text/html'}},
    outcome: {kind: 'overloaded', status: 502},
  },
];

const PIECES = [
  {kind: 'text', text: 'One, '},
  {kind: 'text', text: 'two, '},
  {kind: 'text', text: 'three.'},
] as const;

const BREAKS: readonly {
  readonly title: string;
  readonly answer: Omit<ScriptedAnswer, 'pieces'>;
  readonly said: RegExp;
}[] = [
  {title: 'that is reset before its first piece', answer: {cut: {afterPieces: 0, by: 'reset'}}, said: /^$/},
  {title: 'that is reset after a piece', answer: {cut: {afterPieces: 1, by: 'reset'}}, said: /^(One, )?$/},
  {title: 'that is reset in the middle of a piece', answer: {cut: {afterBytes: 60, by: 'reset'}}, said: /^(One, )?$/},
  {
    title: 'that is shorter than was promised',
    answer: {cut: {afterPieces: 2, by: 'length'}},
    said: /^(One, (two, )?)?$/,
  },
  {
    title: 'that ends as if all were said, after two pieces',
    answer: {cut: {afterPieces: 2, by: 'end'}},
    said: /^One, two, $/,
  },
  {title: 'that ends in the middle of a piece', answer: {cut: {afterBytes: 60, by: 'end'}}, said: /^(One, )?$/},
];

/** How a provider reports refusals, and responses that are not answers. */
export const failureCases: readonly TopicalCase[] = [
  ...REFUSALS.map(({title, refusal, outcome}): TopicalCase => ({
    title: `${title} is reported as ${outcome.kind}${outcome.isFinal ? ', for good' : ''}`,
    topic: 'refusals',
    async run(options) {
      const {kind, status, delayMs, isFinal} = failureIn(await converse(options, [{refusal}], question(options)));
      const found = {
        kind,
        ...(status === undefined ? {} : {status}),
        ...(delayMs === undefined ? {} : {delayMs}),
        ...(isFinal ? {isFinal} : {}),
      };
      same(found, outcome);
    },
  })),
  {
    title: 'the words of the server are passed on',
    topic: 'refusals',
    async run(options) {
      const {message} = failureIn(
        await converse(options, [{refusal: {status: 429, message: 'Twelve requests are enough.'}}], question(options)),
      );
      assert.match(message, /Twelve requests are enough/);
    },
  },
  {
    title: 'the provider does not retry on its own',
    topic: 'refusals',
    async run(options) {
      const before = options.requests().length;
      for (const status of [429, 500, 503])
        failureIn(await converse(options, [{refusal: {status}}, {pieces: PIECES}], question(options)));
      assert.equal(options.requests().length - before, 3);
    },
  },
  {
    title: 'a blocked answer is reported as blocked',
    async run(options) {
      const events = await hear(options, [{kind: 'text', text: 'Well, '}], {end: 'blocked'});
      same([joined(events), failureIn(events).kind], [[{kind: 'text', text: 'Well, '}], 'blocked']);
    },
  },
  ...BREAKS.map(({title, answer, said}): TopicalCase => ({
    title: `an answer ${title} is a failure of the network, never silence`,
    topic: 'connection',
    async run(options) {
      const events = await hear(options, PIECES, answer);
      assert.equal(failureIn(events).kind, 'network');
      assert.match(
        joined(events)
          .map((piece) => (piece as {text: string}).text)
          .join(''),
        said,
      );
    },
  })),
  {
    title: 'what is not JSON in the middle of an answer is a failure of the network, and what came before it counts',
    topic: 'connection',
    async run(options) {
      const events = await hear(options, [PIECES[0], {kind: 'garbage', text: '{"broken": '}, PIECES[1]]);
      same([joined(events), failureIn(events).kind], [[{kind: 'text', text: 'One, '}], 'network']);
    },
  },
  {
    title: 'an answer that is empty is a failure of the network',
    topic: 'connection',
    async run(options) {
      const events = await hear(options, [], {end: 'none'});
      same([events.length, failureIn(events).kind], [1, 'network']);
    },
  },
  {
    title: 'after a failure the next request is as good as any',
    topic: 'refusals',
    async run(options) {
      failureIn(await converse(options, [{refusal: {status: 503}}], question(options)));
      assert.equal(endOf(await hear(options, PIECES)), 'stop');
    },
  },
];
