import {expect, test} from '@jest/globals';
import type {ModelRequest} from '@gemini-kernel/plugin-agent/contract';
import {openGemini} from '../../helpers/model-subjects.js';

const REQUEST: ModelRequest = {
  model: 'gemini-2.5-flash',
  system: '',
  messages: [{role: 'user', pieces: [{kind: 'text', text: 'Hello.'}]}],
  tools: [],
  config: {},
};
const KEY_HINT =
  'Create a key at https://aistudio.google.com/apikey and set GEMINI_API_KEY, in the environment or in a file ' +
  '~/.gemini/.env.';
const CUSTOM = 'x-team: core, x-note: a, b, x-url: https://x.example:1';

interface Given {
  readonly variables?: Readonly<Record<string, string>>;
  readonly auth?: object;
  readonly billing?: object;
}

/** Asks once and gives where the request went and with which headers of interest, or the failure. */
async function ask({variables = {}, auth, billing}: Given): Promise<unknown> {
  await using subject = await openGemini({
    variables,
    homeFiles: {
      '.gemini/settings.json': JSON.stringify({...(auth ? {security: {auth}} : {}), ...(billing ? {billing} : {})}),
    },
  });
  subject.server.script([{}]);
  const failure = await subject.model.check();
  if (failure) return failure;
  const ends: unknown[] = [];
  for await (const event of subject.model.stream(REQUEST, AbortSignal.timeout(10_000)))
    if (event.kind === 'failed') ends.push(event.failure);
  const [request] = subject.server.requests;
  const names = ['x-goog-api-key', 'authorization', 'x-team', 'x-note', 'x-url', 'x-vertex-ai-llm-request-type'];
  return (
    ends[0] ?? {
      url: request?.url,
      ...Object.fromEntries(
        names.flatMap((name) => (request?.headers[name] === undefined ? [] : [[name, request.headers[name]]])),
      ),
    }
  );
}

const unsendable = (name: string): object => ({
  kind: 'auth',
  message: `Cannot send the key in ${name}: it contains a line break or an invalid character.`,
  hint: `Copy the key again, and set ${name} to the key alone.`,
});
const NONE = {GEMINI_API_KEY: '', GOOGLE_GEMINI_BASE_URL: ''};
const URL_V1BETA = '/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse';

test.each<[string, Given, object]>([
  ['GEMINI_API_KEY', {}, {url: URL_V1BETA, 'x-goog-api-key': 'test-key'}],
  [
    'GOOGLE_API_KEY, when it is the only one',
    {variables: {GEMINI_API_KEY: '', GOOGLE_API_KEY: 'other-key'}, auth: {selectedType: 'gemini-api-key'}},
    {url: URL_V1BETA, 'x-goog-api-key': 'other-key'},
  ],
  [
    'GEMINI_API_KEY before GOOGLE_API_KEY',
    {variables: {GOOGLE_API_KEY: 'other-key'}, auth: {selectedType: 'gemini-api-key'}},
    {url: URL_V1BETA, 'x-goog-api-key': 'test-key'},
  ],
  ['a gateway without a key', {variables: {GEMINI_API_KEY: ''}}, {url: URL_V1BETA}],
  [
    'a bearer, and then no key',
    {variables: {GEMINI_API_KEY_AUTH_MECHANISM: 'bearer'}},
    {url: URL_V1BETA, authorization: 'Bearer test-key'},
  ],
  [
    "headers of one's own, commas in values included",
    {variables: {GEMINI_CLI_CUSTOM_HEADERS: CUSTOM}},
    {url: URL_V1BETA, 'x-goog-api-key': 'test-key', 'x-team': 'core', 'x-note': 'a, b', 'x-url': 'https://x.example:1'},
  ],
  [
    'a key as an odd file has it',
    {variables: {GEMINI_API_KEY: '\uFEFFtest-key \r', GEMINI_API_KEY_AUTH_MECHANISM: 'bearer\r'}},
    {url: URL_V1BETA, authorization: 'Bearer test-key'},
  ],
  [
    'another version of the API',
    {variables: {GOOGLE_GENAI_API_VERSION: 'v1'}},
    {url: URL_V1BETA.replace('v1beta', 'v1'), 'x-goog-api-key': 'test-key'},
  ],
])('the API is asked with %s', async (_, given, wanted) => {
  expect(await ask(given)).toEqual(wanted);
});

test('Vertex is asked by key, and told of how to be billed', async () => {
  await using target = await openGemini();
  target.server.script([{}]);
  const variables = {
    ...NONE,
    GOOGLE_GENAI_USE_VERTEXAI: 'true',
    GOOGLE_API_KEY: 'vertex-key',
    GOOGLE_VERTEX_BASE_URL: target.server.url,
  };
  await using subject = await openGemini({
    variables,
    homeFiles: {'.gemini/settings.json': '{"billing": {"vertexAi": {"requestType": "dedicated"}}}'},
  });
  for await (const event of subject.model.stream(REQUEST, AbortSignal.timeout(10_000)))
    expect(event).toEqual({kind: 'end', reason: 'stop', model: 'gemini-2.5-flash'});
  const [request] = target.server.requests;
  expect([request?.url, request?.headers['x-goog-api-key'], request?.headers['x-vertex-ai-llm-request-type']]).toEqual([
    '/v1beta1/publishers/google/models/gemini-2.5-flash:streamGenerateContent?alt=sse',
    'vertex-key',
    'dedicated',
  ]);
  expect((await subject.model.list()).models).toEqual([{name: 'gemini-2.5-flash'}]);
  expect(target.server.faults).toEqual([]);
});

test('Vertex without usable credentials says so, and what to do', async () => {
  const variables = {
    ...NONE,
    GOOGLE_GENAI_USE_VERTEXAI: 'true',
    GOOGLE_CLOUD_PROJECT: 'p',
    GOOGLE_CLOUD_LOCATION: 'europe-west1',
    GOOGLE_APPLICATION_CREDENTIALS: '/no/such/credentials.json',
  };
  expect(await ask({variables})).toEqual({
    kind: 'auth',
    isFinal: true,
    message: expect.stringMatching(
      /^There are no usable credentials for europe-west1-aiplatform.googleapis.com: .*\/no\/such\/credentials.json/,
    ),
    hint: 'Run gcloud auth application-default login, or set GOOGLE_APPLICATION_CREDENTIALS to a credentials file.',
  });
});

test.each<[string, Given, object]>([
  ['no key at all', {variables: NONE}, {kind: 'auth', message: 'There is no key for the Gemini API.', hint: KEY_HINT}],
  [
    'a login with Google',
    {variables: NONE, auth: {selectedType: 'oauth-personal'}},
    {kind: 'auth', message: 'Signing in with a Google account (oauth-personal) is not supported.', hint: KEY_HINT},
  ],
  [
    'a login with Google beside a key',
    {auth: {selectedType: 'oauth-personal'}},
    {
      kind: 'auth',
      message: 'Signing in with a Google account (oauth-personal) is not supported.',
      hint: 'GEMINI_API_KEY is set. To use it, run gemini settings set security.auth.selectedType gemini-api-key.',
    },
  ],
  [
    'GOOGLE_GENAI_USE_GCA',
    {variables: {...NONE, GOOGLE_GENAI_USE_GCA: 'true'}},
    {kind: 'auth', message: 'Signing in with a Google account (oauth-personal) is not supported.', hint: KEY_HINT},
  ],
  [
    'an unknown kind',
    {variables: NONE, auth: {selectedType: 'magic'}},
    {kind: 'auth', message: 'magic is not an authentication type.', hint: KEY_HINT},
  ],
  [
    'another kind than is enforced',
    {auth: {selectedType: 'gemini-api-key', enforcedType: 'vertex-ai'}},
    {
      kind: 'auth',
      message:
        'The settings of this machine require the authentication type vertex-ai, but gemini-api-key is selected.',
      hint: 'Set security.auth.selectedType to vertex-ai, and its variables.',
    },
  ],
  [
    'Vertex without a project',
    {variables: {...NONE, GOOGLE_GENAI_USE_VERTEXAI: 'true'}},
    {
      kind: 'auth',
      message: 'Vertex is selected, but there is neither a key nor a project with its location.',
      hint: 'Set GOOGLE_CLOUD_PROJECT and GOOGLE_CLOUD_LOCATION, or GOOGLE_API_KEY.',
    },
  ],
  [
    'a key of nothing but white space',
    {variables: {...NONE, GEMINI_API_KEY: ' \r\n'}},
    {kind: 'auth', message: 'There is no key for the Gemini API.', hint: KEY_HINT},
  ],
  ['a key of two lines', {variables: {GEMINI_API_KEY: 'one\ntwo'}}, unsendable('GEMINI_API_KEY')],
  [
    'a key with a letter that no header has',
    {variables: {...NONE, GOOGLE_API_KEY: 'kľúč'}, auth: {selectedType: 'gemini-api-key'}},
    unsendable('GOOGLE_API_KEY'),
  ],
  [
    'a header that cannot be sent',
    {variables: {GEMINI_CLI_CUSTOM_HEADERS: 'x-team: core, x-note: →'}},
    {
      kind: 'invalid',
      message: 'Cannot send the header x-note: its value contains a line break or an invalid character.',
      hint: 'Check GEMINI_CLI_CUSTOM_HEADERS.',
    },
  ],
  [
    'a location that would be another host',
    {
      variables: {
        ...NONE,
        GOOGLE_GENAI_USE_VERTEXAI: 'true',
        GOOGLE_CLOUD_PROJECT: 'p',
        GOOGLE_CLOUD_LOCATION: 'elsewhere.example/',
      },
    },
    {
      kind: 'invalid',
      message: 'GOOGLE_CLOUD_LOCATION is not a location: elsewhere.example/.',
      hint: 'Set it to a location such as europe-west1 or global.',
    },
  ],
  [
    'an address without a host',
    {variables: {GOOGLE_GEMINI_BASE_URL: 'https://'}},
    {
      kind: 'invalid',
      message: 'GOOGLE_GEMINI_BASE_URL is not an address: https://.',
      hint: 'An address starts with https:// or http://.',
    },
  ],
  [
    'a gateway without an address',
    {variables: NONE, auth: {selectedType: 'gateway'}},
    {
      kind: 'auth',
      message: 'The settings select a gateway, but its address is missing.',
      hint: 'Set GOOGLE_GEMINI_BASE_URL to its address.',
    },
  ],
  [
    'an invalid address',
    {variables: {GOOGLE_GEMINI_BASE_URL: 'gateway.example'}},
    {
      kind: 'invalid',
      message: 'GOOGLE_GEMINI_BASE_URL is not an address: gateway.example.',
      hint: 'An address starts with https:// or http://.',
    },
  ],
])('%s is said before anybody is asked', async (_, given, failure) => {
  expect(await ask(given)).toEqual({...failure, isFinal: true});
});

test('what cannot be asked fails in the same words', async () => {
  await using subject = await openGemini({variables: NONE});
  const failure = await subject.model.check();
  const events: unknown[] = [];
  for await (const event of subject.model.stream(REQUEST, AbortSignal.timeout(10_000))) events.push(event);
  expect({events, list: await subject.model.list(), count: await subject.model.count(REQUEST)}).toEqual({
    events: [{kind: 'failed', failure}],
    list: {models: [], failure},
    count: {tokens: 11, isExact: false},
  });
});

test('an invalid proxy is a failure like any other', async () => {
  expect(await ask({variables: {HTTPS_PROXY: 'socks5://proxy.example'}})).toEqual({
    kind: 'network',
    isFinal: true,
    message: 'HTTPS_PROXY does not name a usable proxy: socks5 proxies are not supported.',
    hint: 'Set HTTPS_PROXY to an address such as http://proxy.example:8080, or unset it.',
  });
});
