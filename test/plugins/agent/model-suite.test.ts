import {afterAll, beforeAll, expect, test} from '@jest/globals';
import {createModelSuite, type ModelUnderTest} from '@gemini-kernel/plugin-agent/testing';
import {type TestedEvent} from '@gemini-kernel/plugin-agent/testing';
import type {Model, ModelEvent, ModelRequest} from '@gemini-kernel/plugin-agent/contract';
import type {TestedRequest} from '@gemini-kernel/plugin-agent/testing';
import {openGemini, type ModelSubject} from '../../helpers/model-subjects.js';

// What the agent asks of a provider is what the suite tests, piece for piece; the kernel may not name the agent.
const asModel = (model: Model): ModelUnderTest => model;
const asRequest = (request: ModelRequest): TestedRequest => request;
const asEvents = [
  (event: ModelEvent): TestedEvent => event,
  (event: TestedEvent): ModelEvent => event,
  asRequest,
] as const;

let subject: ModelSubject;
beforeAll(async () => {
  subject = await openGemini();
});
afterAll(() => subject[Symbol.asyncDispose]());

type Stream = ModelUnderTest['stream'];

/** The titles of the cases that a provider with this way to stream does not pass. */
async function failing(
  spoil: (stream: Stream) => Stream,
  only?: readonly string[],
  patienceMs = 5000,
): Promise<readonly string[]> {
  const model = asModel(subject.model);
  const spoilt: ModelUnderTest = {...model, stream: spoil((request, signal) => model.stream(request, signal))};
  const failed: string[] = [];
  for (const {title, run} of createModelSuite({...subject.suite, patienceMs, open: () => Promise.resolve(spoilt)})) {
    if (only && !only.includes(title)) continue;
    const ran = await run().then(
      () => true,
      (error: unknown) => {
        if ((error as {code?: unknown}).code !== 'ERR_ASSERTION' && !String(error).includes('Spoilt')) throw error;
        return false;
      },
    );
    if (!ran) failed.push(title);
  }
  return failed;
}

/** Each event becomes others. */
function changed(change: (event: TestedEvent) => readonly TestedEvent[]): (stream: Stream) => Stream {
  return (stream) =>
    async function* (request, signal) {
      for await (const event of stream(request, signal)) yield* change(event);
    };
}

test('a provider that keeps every promise passes', async () => {
  expect(await failing((stream) => stream)).toEqual([]);
  expect(asEvents).toHaveLength(3);
});

test.each<[string, (stream: Stream) => Stream, readonly string[]]>([
  [
    'says nothing of failures',
    changed((event) => (event.kind === 'failed' ? [] : [event])),
    ['a refused key (401) is reported as auth, for good', 'an answer that is empty is a failure of the network'],
  ],
  [
    'takes a broken answer for a whole one',
    changed((event) =>
      event.kind === 'failed' && event.failure.kind === 'network' ? [{kind: 'end', reason: 'stop'}] : [event],
    ),
    ['an answer that ends as if all were said, after two pieces is a failure of the network, never silence'],
  ],
  [
    'ends twice',
    changed((event) => (event.kind === 'end' ? [event, event] : [event])),
    ['text comes in pieces, and ends with stop'],
  ],
  [
    'names every call alike',
    changed((event) => (event.kind === 'call' ? [{...event, id: 'same'}] : [event])),
    [
      'several calls keep their order and have ids of their own, whether the server gave any, none, or one twice',
      'results go back under the call that they answer, in a conversation that the server accepts',
    ],
  ],
  [
    'loses signatures',
    changed((event) =>
      'signature' in event && event.kind === 'call'
        ? [{kind: 'call', id: event.id, name: event.name, input: event.input}]
        : [event],
    ),
    ['a signature stays on the piece that it came with'],
  ],
  [
    'takes thoughts for text',
    changed((event) => (event.kind === 'thought' ? [{kind: 'text', text: event.text}] : [event])),
    ['thoughts are separate from text'],
  ],
  [
    'makes up counts',
    changed((event) =>
      event.kind === 'end'
        ? [{kind: 'usage', usage: {input: 0, output: 0, cached: 0, thoughts: 0, tool: 0, total: 0}}, event]
        : [event],
    ),
    [
      'no counts are made up when the server tells none',
      'tokens are counted as the server counts them, the last count being the whole',
    ],
  ],
  [
    'forgets how long to wait',
    changed((event) =>
      event.kind === 'failed'
        ? [{kind: 'failed', failure: {kind: event.failure.kind, message: event.failure.message}}]
        : [event],
    ),
    [
      'a limit on requests, with how long to wait (429) is reported as quota',
      'a model that does not exist (404) is reported as invalid, for good',
    ],
  ],
  [
    'leaves out the instruction',
    (stream) => (request, signal) => stream({...request, system: ''}, signal),
    ['the model, the instruction and the words arrive as they are'],
  ],
  [
    'leaves out tools',
    (stream) => (request, signal) => stream({...request, tools: []}, signal),
    ['the schemas of tools arrive unharmed'],
  ],
  [
    'sends one result only',
    (stream) => (request, signal) =>
      stream(
        {
          ...request,
          messages: request.messages.map(({role, pieces}) => ({
            role,
            pieces: pieces.filter(({kind}, index) => kind !== 'result' || index === 0),
          })),
        },
        signal,
      ),
    ['results go back under the call that they answer, in a conversation that the server accepts'],
  ],
  [
    'retries on its own',
    (stream) =>
      async function* (request, signal) {
        for await (const event of stream(request, signal)) {
          if (event.kind === 'failed') return yield* stream(request, signal);
          yield event;
        }
      },
    ['the provider does not retry on its own'],
  ],
  [
    'wraps the reason of the signal',
    (stream) =>
      async function* (request, signal) {
        try {
          yield* stream(request, signal);
        } catch (cause) {
          throw new Error('Spoilt', {cause});
        }
      },
    [
      'a request whose signal is aborted already throws its reason and sends no request',
      'abort between two pieces throws the reason, unwrapped, whatever it is',
    ],
  ],
])('a provider that %s does not', async (_, spoil, titles) => {
  expect([...(await failing(spoil, titles))].sort()).toEqual([...titles].sort());
});

const collecting: (stream: Stream) => Stream = (stream) =>
  async function* (request, signal) {
    const events: TestedEvent[] = [];
    for await (const event of stream(request, signal)) events.push(event);
    yield* events;
  };

const deaf: (stream: Stream) => Stream = (stream) => (request) => stream(request, new AbortController().signal);

const holding: (stream: Stream) => Stream = (stream) => (request, signal) => {
  signal.addEventListener('abort', () => undefined);
  return stream(request, signal);
};

test.each<[string, (stream: Stream) => Stream, string]>([
  ['gives all at the end', collecting, 'a piece is given while the server is still thinking about the next one'],
  [
    'does not hear of an abort',
    deaf,
    'abort while a server does not answer throws the reason at once and closes the connection',
  ],
  ['holds on to signals', holding, 'a signal that is never aborted is not held on to'],
])('a provider that %s does not', async (_, spoil, title) => {
  expect(await failing(spoil, [title], 300)).toEqual([title]);
  subject.server.release();
});
