import {afterAll, beforeAll, expect, test} from '@jest/globals';
import type {Message, ModelConfig, ModelRequest} from '@gemini-kernel/plugin-agent/contract';
import {startGeminiServer} from '../../helpers/gemini-server.js';
import {openGemini, type ModelSubject} from '../../helpers/model-subjects.js';

const TOOL = {name: 'look', description: 'Looks.', input: {type: 'object', properties: {}}};
const HELLO: Message = {role: 'user', pieces: [{kind: 'text', text: 'Hello.'}]};

let subject: ModelSubject;
beforeAll(async () => {
  subject = await openGemini();
});
afterAll(() => subject[Symbol.asyncDispose]());

interface Body {
  readonly contents: readonly {readonly role: string; readonly parts: readonly object[]}[];
  readonly generationConfig?: object;
}

/** The body of the request that the provider makes of this. */
async function bodyOf(request: Partial<ModelRequest>): Promise<Body> {
  subject.server.script([{}]);
  for await (const event of subject.model.stream(
    {model: 'gemini-2.5-flash', system: '', messages: [HELLO], tools: [], config: {}, ...request},
    AbortSignal.timeout(10_000),
  ))
    expect(event.kind).toBe('end');
  return subject.server.requests.at(-1)?.body as Body;
}

test.each<[string, string, ModelConfig, object]>([
  [
    'models of 2.5 think so much and no more',
    'gemini-2.5-pro',
    {},
    {thinkingConfig: {includeThoughts: true, thinkingBudget: 8192}},
  ],
  [
    'or as much as is said',
    'gemini-2.5-pro',
    {thinkingBudget: -1},
    {thinkingConfig: {includeThoughts: true, thinkingBudget: -1}},
  ],
  [
    'or not at all',
    'gemini-2.5-flash',
    {thinkingBudget: 0},
    {thinkingConfig: {includeThoughts: true, thinkingBudget: 0}},
  ],
  ['later ones as they like', 'gemini-3.5-flash', {}, {thinkingConfig: {includeThoughts: true}}],
  [
    'later ones cannot be kept from it',
    'gemini-3.5-flash',
    {thinkingBudget: 0},
    {thinkingConfig: {includeThoughts: true}},
  ],
  [
    'later ones take a limit',
    'gemma-4-31b-it',
    {thinkingBudget: 99},
    {thinkingConfig: {includeThoughts: true, thinkingBudget: 99}},
  ],
  [
    'a chosen level is so many tokens',
    'gemini-2.5-flash',
    {thoughtLevel: 'low', own: {thinkingConfig: {thinkingBudget: 12, includeThoughts: false}}},
    {thinkingConfig: {includeThoughts: false, thinkingBudget: 1024}},
  ],
  [
    'and a level where models have levels; both at once would be refused',
    'gemini-3.1-pro-preview',
    {thoughtLevel: 'high', own: {thinkingConfig: {thinkingBudget: 12, thinkingLevel: 'LOW'}}},
    {thinkingConfig: {includeThoughts: true, thinkingLevel: 'HIGH'}},
  ],
  ['earlier ones are not asked to', 'gemini-2.0-flash', {}, {}],
  [
    'what the settings say for a model is kept',
    'gemini-2.5-pro',
    {temperature: 0.1, own: {topK: 7, temperature: 1, thinkingConfig: {thinkingBudget: 12}}},
    {topK: 7, temperature: 0.1, thinkingConfig: {includeThoughts: true, thinkingBudget: 12}},
  ],
])('%s', async (_, model, config, wanted) => {
  expect((await bodyOf({model, config})).generationConfig).toEqual(wanted);
});

test('what the settings say for a model decides nothing but its parameters [env.keys]', async () => {
  await using trap = await startGeminiServer({script: () => ({})});
  const own = {
    topK: 7,
    seed: 1,
    stopSequences: ['END'],
    safetySettings: [{category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE'}],
    httpOptions: {
      baseUrl: trap.url,
      headers: {'x-mine': 'yes', 'x-goog-api-key': 'theirs'},
      extraBody: {systemInstruction: {parts: [{text: 'Bad.'}]}},
    },
    abortSignal: {aborted: true},
    systemInstruction: 'Bad.',
    tools: [{googleSearch: {}}],
    toolConfig: {functionCallingConfig: {mode: 'NONE'}},
    cachedContent: 'cachedContents/x',
    responseMimeType: 'text/plain',
    responseSchema: {type: 'STRING'},
    candidateCount: 2,
    store: true,
    speechConfig: 'x',
    automaticContinuation: true,
    continuationToken: 'x',
  };
  const body = await bodyOf({config: {own}});
  expect(body).toEqual({
    contents: [{role: 'user', parts: [{text: 'Hello.'}]}],
    safetySettings: own.safetySettings,
    generationConfig: {
      topK: 7,
      seed: 1,
      stopSequences: ['END'],
      thinkingConfig: {includeThoughts: true, thinkingBudget: 8192},
    },
  });
  const {'x-goog-api-key': key, 'x-mine': mine} = subject.server.requests.at(-1)?.headers ?? {};
  expect({key, mine, trapped: trap.requests}).toEqual({key: 'test-key', mine: undefined, trapped: []});
});

test.each<[string, string, boolean]>([
  ['gemini-2.5-pro', 'is left out, since the model refuses both', false],
  ['gemini-3.5-flash', 'is asked for', true],
])('a form of the answer beside tools: for %s it %s', async (model, _, isThere) => {
  const {generationConfig} = await bodyOf({model, tools: [TOOL], config: {answer: {type: 'object'}}});
  expect('responseJsonSchema' in (generationConfig ?? {})).toBe(isThere);
});

test.each([
  ['auto', 'gemini-3.1-pro-preview'],
  ['pro', 'gemini-3.1-pro-preview'],
  ['flash', 'gemini-3.5-flash'],
  ['flash-lite', 'gemini-3.1-flash-lite'],
  ['models/gemini-2.5-pro', 'gemini-2.5-pro'],
  ['tuned-one', 'tuned-one'],
])('%s means %s', async (alias, model) => {
  await bodyOf({model: alias});
  expect([subject.server.requests.at(-1)?.model, (await subject.model.describe(alias)).model]).toEqual([model, model]);
});

test.each([
  ['auto', {inputLimit: 1_048_576, fallback: ['gemini-3.5-flash']}],
  ['gemini-2.5-pro', {inputLimit: 1_048_576, fallback: ['gemini-2.5-flash']}],
  ['flash-lite', {inputLimit: 1_048_576, fallback: ['gemini-3.5-flash', 'gemini-2.5-pro']}],
  ['gemma-4-31b-it', {inputLimit: 256_000, fallback: [], documents: false}],
  ['constructor', {inputLimit: 0, fallback: [], thinking: false}],
])('%s is described', async (model, wanted) => {
  expect(await subject.model.describe(model)).toMatchObject(wanted);
});

const call = (id: string, signature?: string): Message => ({
  role: 'model',
  pieces: [{kind: 'call', id, name: 'look', input: {}, ...(signature === undefined ? {} : {signature})}],
});
const result = (id: string): Message => ({
  role: 'user',
  pieces: [
    {
      kind: 'result',
      id,
      name: 'look',
      failed: false,
      output: [{text: 'a'}, {inlineData: {mimeType: 'image/png', data: 'aGk='}}, {text: 'b'}],
    },
  ],
});
const media = {inlineData: {mimeType: 'image/png', data: 'aGk='}};

test.each<[string, string, readonly object[], readonly object[]]>([
  [
    'before the third generation media stand beside the result',
    'gemini-2.5-pro',
    [{functionCall: {id: 'a', name: 'look', args: {}}}],
    [{functionResponse: {id: 'a', name: 'look', response: {output: 'a\nb'}}}, media],
  ],
  [
    'from the third on they are in it, and a call that no signature came with has the one that the API takes instead',
    'gemini-3.5-flash',
    [{functionCall: {id: 'a', name: 'look', args: {}}, thoughtSignature: 'skip_thought_signature_validator'}],
    [{functionResponse: {id: 'a', name: 'look', response: {output: 'a\nb'}, parts: [media]}}],
  ],
])('%s', async (_, model, asked, answered) => {
  const {contents} = await bodyOf({model, tools: [TOOL], messages: [HELLO, call('a'), result('a')]});
  expect(contents.slice(1)).toEqual([
    {role: 'model', parts: asked},
    {role: 'user', parts: answered},
  ]);
});

test('thoughts go back only by their signature, documents as they are, and what the user says after the results', async () => {
  const messages: Message[] = [
    {role: 'user', pieces: [{kind: 'data', mimeType: 'application/pdf', data: 'JVBERi0='}]},
    {
      role: 'model',
      pieces: [
        {kind: 'thought', text: 'Hm.'},
        {kind: 'thought', text: 'Oh.', signature: 'b2g='},
        ...call('a', 'c2ln').pieces,
      ],
    },
    {
      role: 'user',
      pieces: [
        {kind: 'text', text: 'By the way.'},
        {kind: 'result', id: 'a', name: 'look', failed: true, output: [{text: 'No.'}]},
      ],
    },
  ];
  expect((await bodyOf({tools: [TOOL], messages})).contents).toEqual([
    {role: 'user', parts: [{inlineData: {mimeType: 'application/pdf', data: 'JVBERi0='}}]},
    {
      role: 'model',
      parts: [
        {text: 'Oh.', thought: true, thoughtSignature: 'b2g='},
        {functionCall: {id: 'a', name: 'look', args: {}}, thoughtSignature: 'c2ln'},
      ],
    },
    {
      role: 'user',
      parts: [{functionResponse: {id: 'a', name: 'look', response: {error: 'No.'}}}, {text: 'By the way.'}],
    },
  ]);
});

test('counting asks the API about the whole request, and estimates when it does not say', async () => {
  const request: ModelRequest = {
    model: 'gemini-2.5-flash',
    system: 'Be brief.',
    messages: [HELLO],
    tools: [TOOL],
    config: {},
  };
  const exact = await subject.model.count(request);
  const {generateContentRequest} = subject.server.beside.at(-1)?.body as {generateContentRequest: object};
  subject.server.refuseBeside({status: 503});
  const estimate = await subject.model.count(request);
  subject.server.refuseBeside(undefined);
  expect([exact.isExact, estimate]).toEqual([true, {tokens: 33, isExact: false}]);
  expect(generateContentRequest).toEqual({
    model: 'models/gemini-2.5-flash',
    contents: [{role: 'user', parts: [{text: 'Hello.'}]}],
    systemInstruction: {parts: [{text: 'Be brief.'}]},
    tools: [
      {
        functionDeclarations: [
          {name: 'look', description: 'Looks.', parametersJsonSchema: {type: 'object', properties: {}}},
        ],
      },
    ],
  });
});

test('the list of models is that of the API, and a failure beside it when it has none', async () => {
  const listed = await subject.model.list();
  subject.server.refuseBeside({status: 401, message: 'No.'});
  const refused = await subject.model.list();
  subject.server.refuseBeside(undefined);
  expect([listed, refused]).toEqual([
    {models: [{name: 'gemini-2.5-flash', description: 'The model gemini-2.5-flash.', inputLimit: 1000}]},
    {models: [], failure: expect.objectContaining({kind: 'auth', status: 401, isFinal: true})},
  ]);
});

test('counts and lists end when they are aborted', async () => {
  const reason = new Error('Enough.');
  const aborted = AbortSignal.abort(reason);
  await expect(subject.model.list(aborted)).rejects.toBe(reason);
  await expect(
    subject.model.count({model: 'flash', system: '', messages: [HELLO], tools: [], config: {}}, aborted),
  ).rejects.toBe(reason);
});

test('the server found nothing wrong with any request', () => {
  expect(subject.server.faults).toEqual([]);
});
