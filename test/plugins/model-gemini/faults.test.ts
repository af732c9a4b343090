import {afterAll, beforeAll, expect, test} from '@jest/globals';
import type {ModelEvent, ModelRequest} from '@gemini-kernel/plugin-agent/contract';
import type {ScriptedAnswer} from '@gemini-kernel/plugin-agent/testing';
import {startGeminiServer} from '../../helpers/gemini-server.js';
import {openGemini, type ModelSubject} from '../../helpers/model-subjects.js';

const REQUEST: ModelRequest = {
  model: 'gemini-2.5-flash',
  system: '',
  messages: [{role: 'user', pieces: [{kind: 'text', text: 'Hello.'}]}],
  tools: [],
  config: {},
};
const ONE_TWO = [
  {kind: 'text', text: 'One, '},
  {kind: 'text', text: 'two.'},
] as const;
const AGAIN = 'Try again. If it happens often, check for a proxy that closes long connections.';
const CHANGED = 'Try again. If it happens often, check for a proxy or gateway that changes answers.';
const KEY = 'Check the key, and that its project may use this model: https://aistudio.google.com/apikey.';
const USED_UP =
  'The quota of gemini-2.5-flash is used up for now: choose another model with --model, or a larger quota.';
const OTHER = 'Choose another model with --model; gemini models lists the available ones.';

let subject: ModelSubject;
beforeAll(async () => {
  subject = await openGemini();
});
afterAll(() => subject[Symbol.asyncDispose]());

/** What the provider makes of one answer; the host is written HOST, and ids that it made MADE. */
async function hear(answer: ScriptedAnswer, {model} = subject): Promise<unknown> {
  subject.server.script([answer]);
  const events: ModelEvent[] = [];
  for await (const event of model.stream(REQUEST, AbortSignal.timeout(10_000))) events.push(event);
  return JSON.parse(
    JSON.stringify(events)
      .replaceAll(new URL(subject.server.url).host, 'HOST')
      .replaceAll(/made-[\w-]+/g, 'MADE'),
  );
}

const failed = (kind: string, rest: string, more: object = {}): object => ({
  kind: 'failed',
  failure: {kind, message: `gemini-2.5-flash at HOST ${rest}`, ...more},
});
const broken = {
  kind: 'failed',
  failure: {kind: 'network', message: 'The answer of gemini-2.5-flash at HOST broke off before its end.', hint: AGAIN},
};
const unreadable = {
  kind: 'failed',
  failure: {kind: 'network', message: 'Cannot read the answer of gemini-2.5-flash at HOST.', hint: CHANGED},
};
// Which of the two the system tells first is chance.
const reset = {
  kind: 'failed',
  failure: {
    kind: 'network',
    message: expect.stringMatching(/^The connection to HOST failed: (read ECONNRESET|other side closed)\.$/),
    hint: 'Check the network connection and try again.',
  },
};
const stop = {kind: 'end', reason: 'stop', model: 'gemini-2.5-flash'};
const daily = JSON.stringify({
  error: {
    code: 429,
    message: 'You exceeded your current quota. Please retry in 41.5s.',
    details: [
      {
        '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
        violations: [{quotaId: 'GenerateRequestsPerDayPerProject'}],
      },
    ],
  },
});

test.each<[string, ScriptedAnswer, readonly object[]]>([
  [
    '401',
    {refusal: {status: 401}},
    [failed('auth', 'answered 401: The script answers 401.', {hint: KEY, status: 401, isFinal: true})],
  ],
  [
    '403',
    {refusal: {status: 403, message: 'No.'}},
    [failed('auth', 'answered 403: No.', {hint: KEY, status: 403, isFinal: true})],
  ],
  [
    '400 for an invalid key, as the API really says it',
    {
      refusal: {
        status: 400,
        body: JSON.stringify({
          error: {code: 400, message: 'API key not valid.', details: [{reason: 'API_KEY_INVALID'}]},
        }),
      },
    },
    [failed('auth', 'answered 400: API key not valid.', {hint: KEY, status: 400, isFinal: true})],
  ],
  [
    '400',
    {refusal: {status: 400, message: 'Unknown field.'}},
    [failed('invalid', 'answered 400: Unknown field.', {status: 400, isFinal: true})],
  ],
  [
    '400 without a body',
    {refusal: {status: 400, body: ''}},
    [failed('invalid', 'answered 400 without a message.', {status: 400, isFinal: true})],
  ],
  [
    '404',
    {refusal: {status: 404, message: 'No such model'}},
    [failed('invalid', 'answered 404: No such model.', {hint: OTHER, status: 404, isFinal: true})],
  ],
  ['429', {refusal: {status: 429, message: 'Slowly.'}}, [failed('quota', 'answered 429: Slowly.', {status: 429})]],
  [
    '429 with RetryInfo',
    {refusal: {status: 429, message: 'Slowly.', delayMs: 34_074.8}},
    [failed('quota', 'answered 429: Slowly.', {status: 429, delayMs: 34_075})],
  ],
  [
    '429 with a delay in words',
    {refusal: {status: 429, message: 'Please retry in 900ms.'}},
    [failed('quota', 'answered 429: Please retry in 900ms.', {status: 429, delayMs: 900})],
  ],
  [
    '429 with a Retry-After',
    {refusal: {status: 429, message: 'Slowly.', body: 'Slowly.', headers: {'retry-after': '12'}}},
    [failed('quota', 'answered 429: Slowly.', {status: 429, delayMs: 12_000})],
  ],
  [
    '429 by the minute',
    {refusal: {status: 429, message: 'Slowly.', quota: 'minute'}},
    [failed('quota', 'answered 429: Slowly.', {status: 429, delayMs: 60_000})],
  ],
  [
    '429 by the day',
    {refusal: {status: 429, body: daily}},
    [
      failed('quota', 'answered 429: You exceeded your current quota. Please retry in 41.5s.', {
        hint: USED_UP,
        status: 429,
        delayMs: 41_500,
        isFinal: true,
      }),
    ],
  ],
  [
    '429 with a delay of more than five minutes',
    {refusal: {status: 429, message: 'Later.', delayMs: 301_000}},
    [failed('quota', 'answered 429: Later.', {hint: USED_UP, status: 429, delayMs: 301_000, isFinal: true})],
  ],
  [
    '429 for a model that the key has no quota of',
    {refusal: {status: 429, message: 'Quota exceeded, limit: 0, model: x'}},
    [failed('quota', 'answered 429: Quota exceeded, limit: 0, model: x.', {hint: USED_UP, status: 429, isFinal: true})],
  ],
  ['500', {refusal: {status: 500, message: 'Oh.'}}, [failed('overloaded', 'answered 500: Oh.', {status: 500})]],
  [
    '503 with a delay',
    {refusal: {status: 503, message: 'Busy.', delayMs: 2000}},
    [failed('overloaded', 'answered 503: Busy.', {status: 503, delayMs: 2000})],
  ],
  [
    '503 without a body',
    {refusal: {status: 503, body: ''}},
    [failed('overloaded', 'answered 503 without a message.', {status: 503})],
  ],
  [
    'a page of a proxy',
    {refusal: {status: 502, body: '<html>\n<h1>Bad gateway</h1></html>', headers: {'content-type': 'text/html'}}},
    [failed('overloaded', 'answered 502: <html> <h1>Bad gateway</h1></html>.', {status: 502})],
  ],
  [
    'an error in the middle of a stream',
    {
      pieces: [
        ONE_TWO[0],
        {kind: 'garbage', text: JSON.stringify({error: {code: 503, message: 'Busy.', status: 'UNAVAILABLE'}})},
      ],
    },
    [ONE_TWO[0], failed('overloaded', 'answered 503: Busy.', {status: 503})],
  ],
  [
    'a cut before the headers are followed by anything, by a reset',
    {pieces: ONE_TWO, cut: {afterPieces: 0, by: 'reset'}},
    [reset],
  ],
  [
    'a cut before the headers are followed by anything, in order',
    {pieces: ONE_TWO, cut: {afterPieces: 0, by: 'end'}},
    [broken],
  ],
  ['a cut in the field name', {pieces: ONE_TWO, cut: {afterBytes: 3, by: 'end'}}, [broken]],
  ['a cut in the first event', {pieces: ONE_TWO, cut: {afterBytes: 60, by: 'end'}}, [broken]],
  ['a cut between two events', {pieces: ONE_TWO, cut: {afterPieces: 1, by: 'end'}}, [ONE_TWO[0], broken]],
  ['a cut before the end is reported', {pieces: ONE_TWO, cut: {afterPieces: 2, by: 'end'}}, [...ONE_TWO, broken]],
  ['fewer bytes than were promised', {pieces: ONE_TWO, cut: {afterPieces: 1, by: 'length'}}, [ONE_TWO[0], reset]],
  ['malformed JSON', {pieces: [ONE_TWO[0], {kind: 'garbage', text: '{"candidates": ['}]}, [ONE_TWO[0], unreadable]],
  ['an empty stream', {end: 'none'}, [broken]],
  ['thinking only', {pieces: [{kind: 'thought', text: 'Hm.'}]}, [{kind: 'thought', text: 'Hm.'}, stop]],
  [
    'a signature without text',
    {pieces: [{kind: 'text', text: '', signature: 'c2ln'}]},
    [{kind: 'text', text: '', signature: 'c2ln'}, stop],
  ],
  [
    'a call with the id of another',
    {
      pieces: [
        {kind: 'call', id: 'a', name: 'x', input: {n: 1}},
        {kind: 'call', id: 'a', name: 'x', input: {n: 2}},
      ],
    },
    [{kind: 'call', id: 'a', name: 'x', input: {n: 1}}, {kind: 'call', id: 'MADE', name: 'x', input: {n: 2}}, stop],
  ],
  [
    'a call that is said twice',
    {
      pieces: [
        {kind: 'call', id: 'a', name: 'x', input: {n: 1}},
        {kind: 'call', id: 'a', name: 'x', input: {n: 1}},
      ],
    },
    [{kind: 'call', id: 'a', name: 'x', input: {n: 1}}, stop],
  ],
  [
    'two calls without ids that are alike',
    {
      pieces: [
        {kind: 'call', name: 'x'},
        {kind: 'call', name: 'x'},
      ],
    },
    [{kind: 'call', id: 'MADE', name: 'x', input: {}}, {kind: 'call', id: 'MADE', name: 'x', input: {}}, stop],
  ],
  ['a malformed call', {end: 'malformed'}, [{...stop, reason: 'malformed'}]],
  [
    'an unknown reason',
    {pieces: [ONE_TWO[0]], end: 'other'},
    [ONE_TWO[0], {...stop, reason: 'other', detail: 'OTHER'}],
  ],
  [
    'an answer blocked for safety',
    {pieces: [ONE_TWO[0]], end: 'blocked'},
    [
      ONE_TWO[0],
      failed('blocked', 'blocked its answer: SAFETY.', {
        isFinal: true,
        hint: 'Rephrase the prompt, or remove what the model may object to.',
      }),
    ],
  ],
  [
    'a blocked prompt',
    {end: 'prompt-blocked'},
    [
      failed('blocked', 'blocked the prompt: PROHIBITED_CONTENT.', {
        isFinal: true,
        hint: 'Rephrase the prompt, or remove what the model may object to.',
      }),
    ],
  ],
  ['a slow trickle', {pieces: [ONE_TWO[0]], chunkBytes: 40, pauseMs: 1}, [ONE_TWO[0], stop]],
])('the answer to %s is reported exactly', async (_, answer, events) => {
  expect(await hear(answer)).toEqual(events);
});

test('an answer that breaks off behind its end is whole', async () => {
  expect(await hear({pieces: [ONE_TWO[0]], cut: {by: 'reset'}})).toEqual([ONE_TWO[0], stop]);
});

test('a cut at any byte gives what came whole before it, and never an end [model.failures]', async () => {
  const whole = Buffer.byteLength(
    'data: ' +
      `${JSON.stringify({candidates: [{content: {parts: [{text: 'One, '}], role: 'model'}, index: 0}], modelVersion: 'gemini-2.5-flash', responseId: 'scripted'})}\r\n\r\n`,
  );
  for (let afterBytes = 1; afterBytes <= whole; afterBytes += 7) {
    expect([afterBytes, await hear({pieces: [ONE_TWO[0]], cut: {afterBytes, by: 'end'}})]).toEqual([
      afterBytes,
      [broken],
    ]);
  }
  expect(await hear({pieces: [ONE_TWO[0]], cut: {afterBytes: whole, by: 'end'}})).toEqual([ONE_TWO[0], broken]);
}, 20_000);

test('a server that is not there, and one whose name is unknown, are reported with host and cause', async () => {
  const {url, close} = await startGeminiServer();
  await close();
  await using gone = await openGemini({variables: {GOOGLE_GEMINI_BASE_URL: url}});
  await using unknown = await openGemini({variables: {GOOGLE_GEMINI_BASE_URL: 'http://no-such-host.invalid'}});
  expect(await hear({}, gone)).toEqual([
    {
      kind: 'failed',
      failure: {
        kind: 'network',
        message: `The connection to ${new URL(url).host} failed: connect ECONNREFUSED ${new URL(url).host}.`,
        hint: 'Nothing listens there. Start the server, or check its address.',
        isFinal: true,
      },
    },
  ]);
  expect(await hear({}, unknown)).toEqual([
    {
      kind: 'failed',
      failure: {
        kind: 'network',
        message: expect.stringMatching(
          /^The connection to no-such-host.invalid failed: getaddrinfo (ENOTFOUND|EAI_AGAIN) no-such-host.invalid\.$/,
        ),
        hint: expect.stringContaining('HTTPS_PROXY'),
      },
    },
  ]);
});

test('the key is in no message, whatever its source [model.key-unsaid]', async () => {
  expect(await hear({refusal: {status: 403, message: 'The key test-key may not.'}})).toEqual([
    failed('auth', 'answered 403: The key [key] may not.', {hint: KEY, status: 403, isFinal: true}),
  ]);
});

test('a key of one letter garbles no message [model.key-unsaid]', async () => {
  await using other = await openGemini({variables: {GEMINI_API_KEY: 'k', GOOGLE_GEMINI_BASE_URL: subject.server.url}});
  const heard = (await hear({refusal: {status: 403, message: 'Check the key.'}}, other)) as readonly {
    failure?: {message: string};
  }[];
  expect(heard[0]?.failure?.message).toContain('answered 403: Check the key.');
});
