import {afterAll, beforeAll, expect, test} from '@jest/globals';
import type {ModelEvent, ModelRequest} from '@gemini-kernel/plugin-agent/contract';
import type {ScriptedAnswer} from '@gemini-kernel/plugin-agent/testing';
import {openOpenai, type ModelSubject} from '../../helpers/model-subjects.js';
import {startOpenaiServer} from '../../helpers/openai-server.js';

const REQUEST: ModelRequest = {
  model: 'llama3',
  system: '',
  messages: [{role: 'user', pieces: [{kind: 'text', text: 'Hello.'}]}],
  tools: [],
  config: {},
};
const ONE_TWO = [
  {kind: 'text', text: 'One, '},
  {kind: 'text', text: 'two.'},
] as const;
const AGAIN =
  'Try again. If it happens often, check the output of the server, or for a proxy that closes long connections.';
const KEY = 'Check the key: OPENAI_API_KEY, or the variable that the setting openai.apiKeyVariable names.';
const WHICH = ' The setting openai.baseUrl, or OPENAI_BASE_URL, sets the server.';

let subject: ModelSubject;
beforeAll(async () => {
  subject = await openOpenai();
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
      .replaceAll(/call_[\w-]{36}/g, 'MADE'),
  );
}

const failed = (kind: string, rest: string, more: object = {}): object => ({
  kind: 'failed',
  failure: {kind, message: `llama3 at HOST ${rest}`, ...more},
});
const broken = {
  kind: 'failed',
  failure: {kind: 'network', message: 'The answer of llama3 at HOST broke off before its end.', hint: AGAIN},
};
const unreadable = {
  kind: 'failed',
  failure: {kind: 'network', message: 'Cannot read the answer of llama3 at HOST.', hint: AGAIN},
};
// Which of the two the system tells first is chance.
const reset = {
  kind: 'failed',
  failure: {
    kind: 'network',
    message: expect.stringMatching(/^The connection to HOST failed: (read ECONNRESET|other side closed)\.$/),
    hint: `Check the network connection and try again.${WHICH}`,
  },
};
const stop = {kind: 'end', reason: 'stop', model: 'llama3'};
const error = (body: object): ScriptedAnswer => ({
  pieces: [ONE_TWO[0], {kind: 'garbage', text: JSON.stringify({error: body})}],
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
    '402',
    {refusal: {status: 402, message: 'Pay.'}},
    [failed('quota', 'answered 402: Pay.', {status: 402, isFinal: true})],
  ],
  [
    '404',
    {refusal: {status: 404, body: '{"error": "model \\"llama3\\" not found, try pulling it first"}'}},
    [
      failed('invalid', 'answered 404: model "llama3" not found, try pulling it first.', {
        hint: 'If the server is Ollama, run ollama pull llama3; gemini models lists what it has.',
        status: 404,
        isFinal: true,
      }),
    ],
  ],
  ['429', {refusal: {status: 429, message: 'Slowly.'}}, [failed('quota', 'answered 429: Slowly.', {status: 429})]],
  [
    '429 with a delay',
    {refusal: {status: 429, message: 'Slowly.', delayMs: 20_000}},
    [failed('quota', 'answered 429: Slowly.', {status: 429, delayMs: 20_000})],
  ],
  [
    '429 with a delay in milliseconds',
    {refusal: {status: 429, message: 'Slowly.', headers: {'retry-after-ms': '1500', 'retry-after': '2'}}},
    [failed('quota', 'answered 429: Slowly.', {status: 429, delayMs: 1500})],
  ],
  [
    '429 until a date',
    {
      refusal: {
        status: 429,
        message: 'Slowly.',
        headers: {date: 'Fri, 20 Nov 2026 10:00:00 GMT', 'retry-after': 'Fri, 20 Nov 2026 10:00:09 GMT'},
      },
    },
    [failed('quota', 'answered 429: Slowly.', {status: 429, delayMs: 9000})],
  ],
  [
    '429 for good',
    {refusal: {status: 429, message: 'No more.', quota: 'day'}},
    [
      failed('quota', 'answered 429: No more.', {
        status: 429,
        isFinal: true,
        hint: 'The account has no quota left: check its plan, or choose another model.',
      }),
    ],
  ],
  ['500', {refusal: {status: 500, message: 'Oh.'}}, [failed('overloaded', 'answered 500: Oh.', {status: 500})]],
  [
    '503 without a body',
    {refusal: {status: 503, body: ''}},
    [failed('overloaded', 'answered 503 without a message.', {status: 503})],
  ],
  [
    'an error in the middle of a stream, with a code',
    error({message: 'Busy.', code: 503}),
    [ONE_TWO[0], failed('overloaded', 'answered 503: Busy.', {status: 503})],
  ],
  [
    'an error in the middle of a stream, with a type',
    error({message: 'Slowly.', type: 'rate_limit_error'}),
    [ONE_TWO[0], failed('quota', 'answered 429: Slowly.', {status: 429})],
  ],
  [
    'an error in the middle of a stream, with words alone',
    error('Out of memory' as unknown as object),
    [ONE_TWO[0], failed('overloaded', 'answered with an error: Out of memory.')],
  ],
  ['a reset before anything', {pieces: ONE_TWO, cut: {afterPieces: 0, by: 'reset'}}, [reset]],
  ['an end before anything', {pieces: ONE_TWO, cut: {afterPieces: 0, by: 'end'}}, [broken]],
  ['a cut in the field name', {pieces: ONE_TWO, cut: {afterBytes: 3, by: 'end'}}, [broken]],
  ['a cut in the first event', {pieces: ONE_TWO, cut: {afterBytes: 60, by: 'end'}}, [unreadable]],
  ['a cut between two events', {pieces: ONE_TWO, cut: {afterPieces: 1, by: 'end'}}, [ONE_TWO[0], broken]],
  ['a cut before the end is reported', {pieces: ONE_TWO, cut: {afterPieces: 2, by: 'end'}}, [...ONE_TWO, broken]],
  [
    'a cut in a call',
    {pieces: [{kind: 'call', id: 'a', name: 'x', input: {path: 'a.ts'}}], cut: {afterPieces: 1, by: 'end'}},
    [broken],
  ],
  ['fewer bytes than were promised', {pieces: ONE_TWO, cut: {afterPieces: 1, by: 'length'}}, [ONE_TWO[0], reset]],
  ['malformed JSON', {pieces: [ONE_TWO[0], {kind: 'garbage', text: '{"choices": ['}]}, [ONE_TWO[0], unreadable]],
  ['an empty stream', {end: 'none'}, [broken]],
  ['thinking only', {pieces: [{kind: 'thought', text: 'Hm.'}]}, [{kind: 'thought', text: 'Hm.'}, stop]],
  [
    'calls with the same id',
    {
      pieces: [
        {kind: 'call', id: 'a', name: 'x', input: {n: 1}},
        {kind: 'call', id: 'a', name: 'y', input: {n: 2}},
      ],
    },
    [{kind: 'call', id: 'a', name: 'x', input: {n: 1}}, {kind: 'call', id: 'MADE', name: 'y', input: {n: 2}}, stop],
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
  [
    'arguments that are not JSON',
    {pieces: [{kind: 'call', id: 'a', name: 'x', raw: '{"path": '}]},
    [{kind: 'call', id: 'a', name: 'x', malformed: '{"path": '}, stop],
  ],
  [
    'an unknown reason',
    {pieces: [ONE_TWO[0]], end: 'other'},
    [ONE_TWO[0], {...stop, reason: 'other', detail: 'insufficient_system_resource'}],
  ],
  [
    'a blocked answer',
    {pieces: [ONE_TWO[0]], end: 'blocked'},
    [
      ONE_TWO[0],
      failed('blocked', 'blocked its answer.', {
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

test('a server that is not there is reported with its address, and the source of the address', async () => {
  const {url, close} = await startOpenaiServer();
  await close();
  await using gone = await openOpenai({variables: {OPENAI_BASE_URL: `${url}/v1/`}});
  const {host} = new URL(url);
  expect(await hear({}, gone)).toEqual([
    {
      kind: 'failed',
      failure: {
        kind: 'network',
        message: `The connection to ${host} failed: connect ECONNREFUSED ${host}.`,
        hint: `Nothing listens there. Start the server, or check its address.${WHICH}`,
        isFinal: true,
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
  await using other = await openOpenai({variables: {OPENAI_API_KEY: 'k', OPENAI_BASE_URL: `${subject.server.url}/v1`}});
  const heard = (await hear({refusal: {status: 403, message: 'Check the key.'}}, other)) as readonly {
    failure?: {message: string};
  }[];
  expect(heard[0]?.failure?.message).toContain('answered 403: Check the key.');
});
